#include "sim/topology/link_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/topology/edits/figures.h"
#include "sim/topology/edits/phrase.h"
#include "sim/topology/edits/verbs.h"

namespace syncsim {
namespace {

constexpr std::string_view kEventForms =
    R"(write "at 2 ms link:a-b bandwidth=8 GB/s" or "at 2 ms scale kind:nvlink bandwidth 0.5")";

bool begins_an_edit(std::string_view word) {
  return find_edit_verb(word) != nullptr || word.find(':') != std::string_view::npos;
}

bool ends_with_unit(std::string_view word) {
  return !word.empty() && std::string_view("0123456789.").find(word.back()) == word.npos;
}

// "2 ms link:a-b ..." -> "2 ms", "link:a-b ...": the unit may be a word of its own.
std::pair<std::string_view, std::string_view> split_time(std::string_view text) {
  const auto [number, rest] = split_word(text);
  const auto [unit, edit] = split_word(rest);
  if (ends_with_unit(number) || begins_an_edit(unit)) return {number, rest};
  return {trimmed(text.substr(0, text.size() - edit.size())), edit};
}

LinkEvent understand(std::string_view text) {
  const auto [at, rest] = split_word(text);
  if (at != "at")
    throw InputError(at.empty() ? "the event is empty"
                                : in_quotes(text) + R"( does not begin with "at" and a time)",
                     std::string(kEventForms));
  const auto [time, edit] = split_time(rest);
  LinkEvent event;
  event.at = parse_time(time);
  if (!begins_an_edit(split_word(edit).first))
    throw InputError(in_quotes(text) + " does not say which bandwidth changes",
                     std::string(kEventForms));
  event.edit = parse_bandwidth_edit(edit);
  event.text = text;
  return event;
}

LinkEvent read_object(const JsonReader& json) {
  const JsonReader at = json.required("at", R"("2 ms")");
  LinkEvent event;
  event.edit = read_bandwidth_edit(json);
  event.at = at.time();
  event.text = fmt::format("at {} {}", at.string(), event.edit.text);
  return event;
}

// All of one event, in order of links.
std::vector<LinkChange> changes_of(const LinkEvent& event, const Topology& machine) {
  std::vector<LinkChange> changes;
  for (const auto& [id, link] : edited_links(event.edit, machine)) {
    if (link.bandwidth.bytes_per_second > 0) require_in_range(link, link.name);
    changes.push_back({event.at, id, link.bandwidth, link.usable, event.place});
  }
  return changes;
}

// Here, in the engine and in the report.
constexpr std::uint64_t kBytesAChange = 210;

// Both directions of such a cable share one bandwidth.
void refuse_half_cables(const std::vector<LinkChange>& changes, const Topology& machine) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const LinkId link = changes[i].link;
    if (!machine.links()[link].half_duplex) continue;
    const std::size_t other = link % 2 == 0 ? i + 1 : i - 1;
    if (other < changes.size() && changes[other].link == (link ^ 1)) continue;
    throw InputError(
        fmt::format("{} is one direction of a half-duplex cable", machine.links()[link].name),
        fmt::format(R"(name the cable, as in "link:{}")", machine.cable_name(link)));
  }
}

bool earlier(const LinkChange& a, const LinkChange& b) {
  return std::tie(a.at, a.link) < std::tie(b.at, b.link);
}

bool of_one_link_at_once(const LinkChange& a, const LinkChange& b) {
  return a.at == b.at && a.link == b.link;
}

InputError second_event(const LinkChange& first, const LinkChange& second,
                        const Topology& machine) {
  const std::string other = second.place == first.place ? "" : " (" + first.place + ")";
  return {fmt::format("{} has another event at {}{}", machine.links()[second.link].name,
                      to_exact_string(second.at), other),
          "keep one of the two", second.place};
}

bool is_of_start(const LinkChange& change) {
  return change.at.ps == 0 && change.bandwidth.bytes_per_second > 0;
}

Topology at_start(Topology machine, const std::vector<LinkChange>& changes) {
  if (std::none_of(changes.begin(), changes.end(), is_of_start)) return machine;
  Topology::Parts parts = machine.parts();
  for (const LinkChange& change : changes) {
    if (!is_of_start(change)) continue;
    parts.links[change.link].bandwidth = change.bandwidth;
    parts.links[change.link].usable = change.usable;
  }
  return Topology(std::move(parts));
}

}  // namespace

LinkEvent parse_link_event(std::string_view text) {
  return told_of("event", text, "", [&] { return understand(text); });
}

LinkEvent read_link_event(const JsonReader& json) {
  if (!json.is_string() && !json.is_object())
    throw json.found_instead(
        R"(write an event such as "at 2 ms link:a-b bandwidth=8 GB/s", or an object {...})");
  LinkEvent event = json.is_object()
                        ? read_object(json)
                        : json.located([&] { return parse_link_event(json.string()); });
  event.place = json.place();
  return event;
}

EventfulMachine with_events(Topology machine, std::span<const LinkEvent> events,
                            const MemoryLimit& memory) {
  std::vector<LinkChange> changes;
  for (const LinkEvent& event : events) {
    told_of("event", event.text, event.place, [&] {
      const std::vector<LinkChange> own = changes_of(event, machine);
      refuse_half_cables(own, machine);
      const std::size_t count = changes.size() + own.size();
      require_room(memory, capped_product(count, kBytesAChange), "what the events change",
                   fmt::format("{} bandwidths", rough_count(count)),
                   "write fewer events, or of fewer links");
      changes.insert(changes.end(), own.begin(), own.end());
    });
  }
  std::stable_sort(changes.begin(), changes.end(), earlier);
  const auto twice = std::adjacent_find(changes.begin(), changes.end(), of_one_link_at_once);
  if (twice != changes.end()) throw second_event(twice[0], twice[1], machine);
  Topology start = at_start(std::move(machine), changes);
  return {std::move(start), std::move(changes)};
}

}  // namespace syncsim
