// Figures of links: set, scale, oversubscribe.

#include <fmt/format.h>

#include <cmath>

#include "sim/base/quote.h"
#include "sim/topology/delay.h"
#include "sim/topology/edits/figures.h"
#include "sim/topology/edits/node_figures.h"
#include "sim/topology/edits/target.h"
#include "sim/topology/edits/verbs.h"

namespace syncsim {
namespace {

using FigureChange = std::function<void(Link&)>;

Time scaled(Time time, double factor) {
  const double ps = static_cast<double>(time.ps) * factor;
  if (ps > static_cast<double>(kMostDelay.ps))
    throw InputError(fmt::format("the latency {} cannot be scaled by {}", to_string(time), factor),
                     fmt::format("keep it to {}", to_exact_string(kMostDelay)));
  return {std::llround(ps)};
}

FigureChange scaling(const EditArgument& figure, Zero zero) {
  const double factor = figure.read([&](std::string_view text) {
    return zero == Zero::allowed ? parse_factor_or_zero(text) : parse_factor(text);
  });
  if (figure.key == "latency")
    return [factor](Link& link) { link.latency = scaled(link.latency, factor); };
  return [factor](Link& link) { set_bandwidth(link, link.bandwidth.bytes_per_second * factor); };
}

FigureChange setting_of_bandwidth(const EditArgument& figure, Zero zero) {
  const Bandwidth rate = figure.read([&](std::string_view text) {
    return zero == Zero::allowed ? parse_bandwidth_or_zero(text) : parse_bandwidth(text);
  });
  return [rate](Link& link) { set_bandwidth(link, rate.bytes_per_second); };
}

// Of a whole cable: both directions have it.
FigureChange setting_of_cable(const EditArgument& figure) {
  if (figure.key == "count")
    return [count = figure.read(parse_cable_count)](Link& link) { set_count(link, count); };
  if (figure.key == "width")
    return [lanes = figure.read(parse_pcie_width)](Link& link) { set_width(link, lanes); };
  return [generation = figure.read(parse_pcie_generation)](Link& link) {
    set_generation(link, generation);
  };
}

FigureChange setting(const EditArgument& figure, const EditTarget& target, Zero zero) {
  if (is_node_figure(figure.key))
    throw InputError(fmt::format("a link has no {}", figure.key),
                     R"(name nodes, as in "node:cpu*")", figure.place);
  if (figure.key == "bandwidth") return setting_of_bandwidth(figure, zero);
  if (figure.key == "latency")
    return [latency = figure.read(parse_delay)](Link& link) { link.latency = latency; };
  if (is_direction(target))
    throw InputError(fmt::format("both directions of a cable have one {}", figure.key),
                     R"(name the cable, as in "link:a-b")", figure.place);
  return setting_of_cable(figure);
}

MachineChange change_of(LinkEdit edit) {
  return [edit = std::move(edit)](const Topology& topology) {
    Topology::Parts parts = topology.parts();
    for (auto& [link, changed] : edited_links(edit, topology)) {
      if (changed.bandwidth != parts.links[link].bandwidth) require_in_range(changed, changed.name);
      parts.links[link] = std::move(changed);
    }
    return parts;
  };
}

}  // namespace

LinkEdit understand_figures(const EditPhrase& phrase, Zero zero) {
  LinkEdit edit{phrase.subject.read(parse_link_target), {}, to_string(phrase)};
  if (phrase.arguments.empty())
    throw InputError(in_quotes(edit.text) + " changes no figure",
                     fmt::format(R"(write "{}")", phrase.verb->example), phrase.place);
  // A bandwidth is what comes out, whatever else changes it, in whatever order they are written.
  for (const bool is_bandwidth : {false, true})
    for (const EditArgument& figure : phrase.arguments)
      if ((figure.key == "bandwidth") == is_bandwidth)
        edit.changes.push_back(phrase.verb->name == kSetVerb ? setting(figure, edit.target, zero)
                                                             : scaling(figure, zero));
  return edit;
}

MachineChange understand_figures(const EditPhrase& phrase) {
  if (is_of_node_figures(phrase)) return understand_node_figures(phrase);
  return change_of(understand_figures(phrase, Zero::refused));
}

MachineChange understand_oversubscription(const EditPhrase& phrase) {
  LinkEdit edit{phrase.subject.read(parse_link_target), {}, ""};
  const double ratio = phrase.required("ratio").read(parse_ratio);
  edit.changes.push_back(
      [ratio](Link& link) { set_bandwidth(link, link.bandwidth.bytes_per_second / ratio); });
  return change_of(std::move(edit));
}

std::vector<std::pair<LinkId, Link>> edited_links(const LinkEdit& edit, const Topology& topology) {
  std::vector<std::pair<LinkId, Link>> result;
  for (const LinkId link : selected_links(edit.target, topology)) {
    result.emplace_back(link, topology.links()[link]);
    for (const auto& change : edit.changes) change(result.back().second);
  }
  return result;
}

}  // namespace syncsim
