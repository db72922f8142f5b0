#include "sim/topology/import/nccl_rings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/error.h"
#include "sim/topology/import/importer.h"
#include "sim/topology/import/nccl_ring_graph.h"
#include "sim/topology/import/nccl_ring_log.h"

namespace syncsim {
namespace {

bool is_xml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '<';
}

}  // namespace

std::vector<Ring> merged_rings(std::vector<Ring> channels) {
  std::vector<Ring> rings;
  std::map<std::pair<std::vector<int>, std::vector<RingNics>>, std::size_t> places;  // in `rings`
  for (Ring& channel : channels) {
    const auto first = std::find(channel.order.begin(), channel.order.end(), 0);
    const auto names_none = [](const RingNics& nics) { return nics == RingNics{}; };
    if (std::all_of(channel.nics.begin(), channel.nics.end(), names_none))
      channel.nics.clear();
    else
      std::rotate(channel.nics.begin(), channel.nics.begin() + (first - channel.order.begin()),
                  channel.nics.end());
    std::rotate(channel.order.begin(), first, channel.order.end());
    const auto [found, is_new] =
        places.try_emplace(std::pair(channel.order, channel.nics), rings.size());
    if (is_new)
      rings.push_back(std::move(channel));
    else
      ++rings[found->second].multiplicity;
  }
  return rings;
}

int nic_number(std::int64_t number, int rank, const RingRanks& ranks) {
  const int nics = ranks.nics[static_cast<std::size_t>(rank)];
  if (number < nics) return static_cast<int>(number);
  if (nics == 0 && number == 0) return -1;
  throw InputError(fmt::format("NIC {} is none of rank {}'s box, which has {}", number, rank, nics),
                   nics == 0 ? "give a machine with NICs, or name 0"
                             : fmt::format("name one of 0 to {}", nics - 1));
}

std::vector<Ring> read_nccl_rings(std::string_view text, const std::string& file, int count,
                                  std::vector<int> nics) {
  const RingRanks ranks{count, std::move(nics)};
  if (text.size() > static_cast<std::size_t>(kMostImportBytes))
    throw InputError(fmt::format("has more than {} bytes", kMostImportBytes),
                     "keep the lines that say Channel or Ring", file);
  return merged_rings(is_xml(text) ? graph_rings(text, file, ranks)
                                   : log_rings(scan_ring_log(text, ranks.count), file, ranks));
}

}  // namespace syncsim
