#include "sim/topology/cable_json.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "sim/base/named_table.h"
#include "sim/topology/link_type.h"

namespace syncsim {
namespace {

const Link& type_of(const JsonReader& json, const LinkTypes& types) {
  const std::string name = json.string();
  const auto found = types.find(name);
  if (found != types.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, type] : types) names.push_back(known);
  throw unknown_name("link type", name, names).at(json.place());
}

int read_cables(const JsonReader& json) {
  return static_cast<int>(json.integer(1, std::numeric_limits<int>::max()));
}

const Link& way_back(const JsonReader& json, const LinkTypes& types, const Link& there) {
  const Link& back = type_of(json, types);
  if (back.kind != there.kind)
    throw json.error(fmt::format("the way back is {} and the way there {}", to_string(back.kind),
                                 to_string(there.kind)),
                     "write a type of the same kind");
  if (back.half_duplex != there.half_duplex)
    throw json.error("the two ways differ in duplex", "write types of the same duplex");
  return back;
}

}  // namespace

Cable read_cable(const JsonReader& entry, const LinkTypes& types) {
  Cable cable;
  cable.there = cable.back = type_of(entry.required("type", R"("x16")"), types);
  if (const auto back = entry.optional("back")) cable.back = way_back(*back, types, cable.there);
  const auto count = entry.optional("count");
  const auto bundle = entry.optional("bundle");
  if (count && bundle)
    throw bundle->error(R"(a link entry has "count" or "bundle", not both)",
                        R"(write "count" where the type's figures are those of one cable)");
  for (Link* way : {&cable.there, &cable.back}) {
    if (count) *way = bundle_of(*way, read_cables(*count));
    if (bundle) way->count = read_cables(*bundle);
  }
  if (const auto with_kind = entry.optional("kind_in_name"))
    cable.form = with_kind->boolean() ? NameForm::with_kind : NameForm::plain;
  return cable;
}

void add_cable(Topology::Parts& parts, NodeId from, NodeId to, const Cable& cable) {
  const auto add = [&](NodeId start, NodeId end, Link way) {
    way.from = start;
    way.to = end;
    if (cable.form) way.name = link_name(parts, way, *cable.form);
    parts.links.push_back(std::move(way));
  };
  add(from, to, cable.there);
  add(to, from, cable.back);
}

}  // namespace syncsim
