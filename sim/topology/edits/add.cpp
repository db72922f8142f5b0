// New cables: "add link:gpu0-gpu1 kind=nvlink bandwidth=25 GB/s count=2", figures being of one
// cable as in topology files, or "... like link:gpu2-gpu3", which copies all of them.

#include "sim/topology/edits/add.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/quote.h"
#include "sim/topology/delay.h"
#include "sim/topology/edits/figures.h"
#include "sim/topology/edits/target.h"

namespace syncsim {
namespace {

struct Ends {
  std::string a;
  std::string b;
};

Ends parse_ends(std::string_view text) {
  const std::string cable = parse_cable(text);
  const std::size_t dash = cable.find('-');
  if (dash == std::string::npos || cable.find_first_of("-@*", dash + 1) != std::string::npos ||
      cable.find('*') < dash)
    throw InputError(in_quotes(text) + " does not join two nodes",
                     R"(write two ids, as in "add link:gpu0-gpu1 ...")");
  return {cable.substr(0, dash), cable.substr(dash + 1)};
}

Bandwidth read_usable(const EditArgument& argument, Bandwidth line) {
  const Bandwidth usable = argument.read(parse_bandwidth);
  if (usable <= line) return usable;
  throw InputError(fmt::format("the usable bandwidth {} is above the line rate {}",
                               to_string(usable), to_string(line)),
                   "write at most the line rate", argument.place);
}

void read_pcie_figures(const EditPhrase& phrase, Link& link) {
  for (const std::string key : {"width", "gen"})
    if (const EditArgument* given = phrase.find(key); given && link.kind != LinkKind::pcie)
      throw InputError(fmt::format("a link of kind {} has no PCIe {}", to_string(link.kind), key),
                       "leave it out", given->place);
  if (const EditArgument* width = phrase.find("width"))
    link.lanes = static_cast<std::uint8_t>(width->read(parse_pcie_width));
  if (const EditArgument* generation = phrase.find("gen"))
    link.generation = static_cast<std::uint8_t>(generation->read(parse_pcie_generation));
}

// Defaults as in link_type.h.
Link read_new_link(const EditPhrase& phrase) {
  Link link;
  link.kind = phrase.required("kind").read(parse_link_kind);
  link.bandwidth = link.usable = phrase.required("bandwidth").read(parse_bandwidth);
  link.spread = link.kind == LinkKind::nvlink ? Spread::stripe : Spread::per_channel;
  if (const EditArgument* usable = phrase.find("usable"))
    link.usable = read_usable(*usable, link.bandwidth);
  if (const EditArgument* latency = phrase.find("latency"))
    link.latency = latency->read(parse_delay);
  if (const EditArgument* overhead = phrase.find("overhead"))
    link.overhead = overhead->read(parse_delay);
  read_pcie_figures(phrase, link);
  if (const EditArgument* count = phrase.find("count")) {
    link.count = count->read(parse_cable_count);
    link.bandwidth.bytes_per_second *= link.count;
    link.usable.bytes_per_second *= link.count;
    count->read([&](std::string_view) { require_in_range(link, phrase.subject.value); });
  }
  return link;
}

MachineChange understand_copied_cable(const EditPhrase& phrase, const Ends& ends) {
  allow_arguments(phrase, {"like"}, "\"like\" copies all figures",
                  "leave this out, or change it in an edit that follows");
  return [ends, like = phrase.required("like").read(parse_cable)](const Topology& topology) {
    Topology::Parts parts = topology.parts();
    const LinkId link = selected_cable(like, topology);
    plug(parts, topology.node(ends.a), topology.node(ends.b), topology.links()[link],
         topology.links()[link ^ 1]);
    return parts;
  };
}

MachineChange understand_new_cable(const EditPhrase& phrase) {
  const Ends ends = phrase.subject.read(parse_ends);
  if (phrase.find("like") != nullptr) return understand_copied_cable(phrase, ends);
  if (const EditArgument* at = phrase.find("at"))
    throw InputError("\"at\" is of new nodes", "leave it out", at->place);
  return [ends, link = read_new_link(phrase)](const Topology& topology) {
    Topology::Parts parts = topology.parts();
    plug(parts, topology.node(ends.a), topology.node(ends.b), link, link);
    return parts;
  };
}

}  // namespace

void plug(Topology::Parts& parts, NodeId a, NodeId b, Link there, Link back) {
  require_unjoined(parts, a, b, there.kind);
  append_cable(parts, a, b, std::move(there), std::move(back));
}

void append_cable(Topology::Parts& parts, NodeId a, NodeId b, Link there, Link back) {
  there.from = back.to = a;
  there.to = back.from = b;
  there.name = back.name = "";
  parts.links.push_back(std::move(there));
  parts.links.push_back(std::move(back));
}

void allow_arguments(const EditPhrase& phrase, const std::vector<std::string_view>& keys,
                     const std::string& why, const std::string& right) {
  for (const EditArgument& argument : phrase.arguments)
    if (std::find(keys.begin(), keys.end(), argument.key) == keys.end())
      throw InputError(fmt::format(R"({}, not "{}")", why, argument.key), right, argument.place);
}

MachineChange understand_addition(const EditPhrase& phrase) {
  const EditTarget target = phrase.subject.read(parse_target);
  if (target.kind == EditTarget::Kind::link) return understand_new_cable(phrase);
  if (target.kind == EditTarget::Kind::node) return understand_new_node(phrase, target.pattern);
  throw InputError(in_quotes(phrase.subject.value) + " is many links",
                   R"(add one, as in "add link:gpu0-gpu1 kind=nvlink bandwidth=25 GB/s")",
                   phrase.subject.place);
}

}  // namespace syncsim
