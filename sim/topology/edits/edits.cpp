// From words to edits, and from edits to machines.

#include "sim/topology/edits.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/topology/connected.h"
#include "sim/topology/edits/phrase.h"
#include "sim/topology/edits/verbs.h"
#include "sim/topology/policy_defect.h"

namespace syncsim {
namespace {

Edit understand(const EditPhrase& phrase, std::string text) {
  return {phrase.verb->understand(phrase), std::move(text), ""};
}

// Events set and scale bandwidths, and nothing else.
LinkEdit understand_event(const EditPhrase& phrase) {
  const std::string_view verb = phrase.verb->name;
  if (verb == "remove")
    throw InputError("nothing can be removed while a run goes on",
                     "set a bandwidth of 0 GB/s: what has to pass there waits",
                     phrase.subject.place);
  if (verb != kSetVerb && verb != "scale")
    throw InputError(fmt::format(R"("{}" does nothing while a run goes on)", verb),
                     R"(change a bandwidth, as in "scale kind:nvlink bandwidth 0.5")",
                     phrase.subject.place);
  for (const EditArgument& argument : phrase.arguments)
    if (argument.key != "bandwidth")
      throw InputError(fmt::format("a {} does not change while a run goes on", argument.key),
                       "change a bandwidth", argument.place);
  return understand_figures(phrase, Zero::allowed);
}

template <class Act>
decltype(auto) of_edit(const Edit& edit, const Act& act) {
  return told_of("edit", edit.text, edit.place, act);
}

// Ranks that are cut off, or a policy that cannot be followed.
std::optional<InputError> defect_of(const Topology& machine) {
  if (const auto cut = first_cut_off(machine))
    return InputError(to_string(*cut, machine),
                      "keep a way between them, or leave some out of the ranks");
  return policy_defect(machine);
}

// As if the machine's other ranks were none; of ranks that are not there, the whole machine.
std::optional<InputError> defect_among(const Topology& machine, std::span<const int> ranks) {
  const std::vector<NodeId>& all = machine.ranks();
  const bool there = std::all_of(ranks.begin(), ranks.end(), [&](int rank) {
    return rank >= 0 && static_cast<std::size_t>(rank) < all.size();
  });
  if (ranks.empty() || !there) return defect_of(machine);
  Topology::Parts parts = machine.parts();
  parts.ranks.clear();
  for (const int rank : ranks) parts.ranks.push_back(all[static_cast<std::size_t>(rank)]);
  return defect_of(Topology(std::move(parts)));
}

// The JSON form where the text form goes.
InputError json_as_text(std::string_view text) {
  std::string right = "write the text form";
  try {
    const EditPhrase phrase = read_phrase(JsonFile::parse(text, "").root());
    phrase.verb->understand(phrase);
    right += fmt::format(R"(, "{}")", one_line(to_string(phrase)));
  } catch (const InputError&) {
    right += R"(, as in "remove node:nic0")";
  }
  return {in_quotes(text) + " is in the JSON form of edits", right};
}

}  // namespace

Edit parse_edit(std::string_view text) {
  if (trimmed(text).starts_with('{')) throw json_as_text(text);
  return told_of("edit", text, "",
                 [&] { return understand(split_phrase(text), std::string(text)); });
}

Edit read_edit(const JsonReader& json) {
  const EditPhrase phrase = read_phrase(json);
  return json.located([&] { return understand(phrase, to_string(phrase)); });
}

LinkEdit parse_bandwidth_edit(std::string_view text) {
  LinkEdit edit = understand_event(split_phrase(text));
  edit.text = text;
  return edit;
}

LinkEdit read_bandwidth_edit(const JsonReader& json) {
  const EditPhrase phrase = read_phrase(json, {"event", R"("link", "kind" or "scale")", {"at"}});
  return json.located([&] { return understand_event(phrase); });
}

Topology apply_edits(const Topology& topology, std::span<const Edit> edits,
                     std::span<const int> ranks) {
  std::optional<Topology> result;
  const Edit* spoiling = nullptr;  // the edit since which the machine has a defect
  for (const Edit& edit : edits) {
    of_edit(edit, [&] { result.emplace(edit.change(result ? *result : topology)); });
    if (!defect_among(*result, ranks))
      spoiling = nullptr;
    else if (spoiling == nullptr)
      spoiling = &edit;
  }
  if (spoiling != nullptr) of_edit(*spoiling, [&] { throw *defect_among(*result, ranks); });
  return result ? *std::move(result) : topology;
}

}  // namespace syncsim
