#include "sim/topology/link_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "sim/base/error.h"

namespace syncsim {
namespace {

// The cables that join one pair of nodes in either direction have the same key.
std::uint64_t pair_key(const Link& link) {
  const auto [low, high] = std::minmax(link.from, link.to);
  return (std::uint64_t{low} << 32) | high;
}

// A name that is given may carry its kind although it no longer needs to: an edit that removes one
// of two cables does not rename the other.
NameForm form_of(const Topology::Parts& parts, const Link& link) {
  const std::string name = link_name(parts, link, NameForm::plain);
  if (link.name == name) return NameForm::plain;
  const std::string full_name = link_name(parts, link, NameForm::with_kind);
  if (link.name == full_name) return NameForm::with_kind;
  throw InputError(fmt::format(R"(link "{}" is named "{}")", name, link.name),
                   fmt::format(R"(name it "{}" or "{}")", name, full_name));
}

// As one direction's name says, or else by rule 3.
void name_cable(const Topology::Parts& parts, Link& there, Link& back, NameForm by_rule) {
  NameForm form = by_rule;
  for (const Link* way : {&back, &there})
    if (!way->name.empty()) form = form_of(parts, *way);
  for (Link* way : {&there, &back}) {
    std::string name = link_name(parts, *way, form);
    if (!way->name.empty() && way->name != name)
      throw InputError(fmt::format(R"(link "{}" and its way back "{}" are named in different ways)",
                                   there.name, back.name),
                       "name the kind in both or in neither");
    way->name = std::move(name);
  }
}

InputError doubled(const std::string& name) {
  return {fmt::format(R"(there are two links "{}")", name),
          R"(join two nodes by one cable of a kind, with a "count")"};
}

void check_names_differ(const Topology::Parts& parts) {
  std::unordered_set<std::string_view> names;
  names.reserve(parts.links.size());
  bool with_kinds = false;
  for (const Link& link : parts.links) {
    if (!names.insert(link.name).second) throw doubled(link.name);
    with_kinds = with_kinds || name_form(link) == NameForm::with_kind;
  }
  if (!with_kinds) return;
  for (const Link& link : parts.links)  // of one kind, under both names
    if (name_form(link) == NameForm::plain &&
        names.contains(link_name(parts, link, NameForm::with_kind)))
      throw doubled(link.name);
}

}  // namespace

NameForm name_form(const Link& link) {
  return link.name.find('@') == std::string::npos ? NameForm::plain : NameForm::with_kind;
}

std::string link_name(const Topology::Parts& parts, const Link& link, NameForm form) {
  const std::string& from = parts.nodes[link.from].id;
  const std::string& to = parts.nodes[link.to].id;
  if (form == NameForm::plain) return fmt::format("{}>{}", from, to);
  return fmt::format("{}>{}@{}", from, to, to_string(link.kind));
}

void name_links(Topology::Parts& parts) {
  std::unordered_map<std::uint64_t, int> cables_of_pair;
  for (std::size_t i = 0; i < parts.links.size(); i += 2)
    ++cables_of_pair[pair_key(parts.links[i])];
  for (std::size_t i = 0; i < parts.links.size(); i += 2) {
    const bool shared = cables_of_pair[pair_key(parts.links[i])] > 1;
    name_cable(parts, parts.links[i], parts.links[i + 1],
               shared ? NameForm::with_kind : NameForm::plain);
  }
  check_names_differ(parts);
}

}  // namespace syncsim
