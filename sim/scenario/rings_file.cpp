#include "sim/scenario/rings_file.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/text_file.h"
#include "sim/scenario/setting.h"
#include "sim/topology/boxes.h"
#include "sim/topology/import/importer.h"
#include "sim/topology/import/nccl_rings.h"
#include "sim/topology/ring_text.h"

namespace syncsim {
namespace {

constexpr const char* kParameter = "rings";

// Whether the text is the parameter itself.
bool is_ring_text(const std::string& text) {
  return text.find_first_not_of("0123456789,;xnic> \t\r\n") == text.npos &&
         text.find_first_not_of(" \t\r\n") != text.npos;
}

}  // namespace

std::string load_rings(const std::string& path, const Topology& machine,
                       std::span<const NodeId> ranks) {
  std::string text = read_text_file(path, kMostImportBytes,
                                    "a log of NCCL_DEBUG=INFO, or what NCCL_GRAPH_DUMP_FILE wrote");
  if (!is_ring_text(text)) {
    const BoxNics known(machine);
    std::vector<int> nics;
    for (const NodeId rank : ranks) nics.push_back(known.count(rank));
    const auto count = static_cast<int>(ranks.size());
    return rings_text(read_nccl_rings(text, path, count, std::move(nics)));
  }
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

GivenParameters given_parameters(const Point& point, const Topology& machine,
                                 std::span<const NodeId> ranks) {
  GivenParameters given{point.parameters, point.parameter_places};
  if (point.rings.empty()) return given;
  const std::string place = point.place("rings");
  if (given.values.contains(kParameter))
    throw InputError("a file of rings is given, and the parameter rings too",
                     "leave one of the two out", place);
  given.values[kParameter] = at_field(point, "rings", [&] {
    return at_file(point, "rings", point.rings,
                   [&] { return load_rings(point.rings, machine, ranks); });
  });
  given.places[kParameter] = place;
  return given;
}

}  // namespace syncsim
