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

std::vector<Ring> merged_rings(const std::vector<std::vector<int>>& orders) {
  std::vector<Ring> rings;
  std::map<std::vector<int>, std::size_t> places;  // in `rings`
  for (std::vector<int> order : orders) {
    std::rotate(order.begin(), std::find(order.begin(), order.end(), 0), order.end());
    const auto [found, is_new] = places.try_emplace(order, rings.size());
    if (is_new)
      rings.push_back({std::move(order), 1});
    else
      ++rings[found->second].multiplicity;
  }
  return rings;
}

std::vector<Ring> read_nccl_rings(std::string_view text, const std::string& file, int ranks) {
  if (text.size() > static_cast<std::size_t>(kMostImportBytes))
    throw InputError(fmt::format("has more than {} bytes", kMostImportBytes),
                     "keep the lines that say Channel or Ring", file);
  return merged_rings(is_xml(text) ? graph_ring_orders(text, file, ranks)
                                   : log_ring_orders(scan_ring_log(text, ranks), file, ranks));
}

}  // namespace syncsim
