#include "sim/topology/kinds/generators.h"

#include <fmt/format.h>

#include "sim/topology/kinds/leaves.h"
#include "sim/topology/link_type.h"

namespace syncsim {

void allow_keys(const JsonReader& json, std::vector<std::string> own) {
  own.insert(own.end(), {"kind", "name", "description", "source", "routing"});
  json.allow(own);
}

std::uint64_t read_count(const JsonReader& json) {
  return static_cast<std::uint64_t>(json.integer(1, kMostLeaves));
}

Link read_link(const JsonReader& json) {
  return read_link_type(json.required("link", R"({"kind": "nvlink", "bandwidth": "25 GB/s"})"));
}

Link read_link(const JsonReader& json, std::string_view key, const Link& otherwise) {
  const auto link = json.optional(key);
  return link ? read_link_type(*link) : otherwise;
}

JsonReader field_or_all(const JsonReader& json, std::string_view key) {
  return json.optional(key).value_or(json);
}

NodeId add_switches(Topology::Parts& parts, std::string_view name, std::uint64_t count) {
  const auto first = static_cast<NodeId>(parts.nodes.size());
  Node node;
  node.kind = NodeKind::switch_;
  for (std::uint64_t i = 0; i < count; ++i) {
    node.id = fmt::format("{}{}", name, i);
    parts.nodes.push_back(node);
  }
  return first;
}

}  // namespace syncsim
