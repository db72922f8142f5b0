#include "sim/schedule/strategy.h"

#include <algorithm>
#include <utility>

#include "sim/base/text.h"

namespace syncsim {
namespace {

std::vector<std::string> names_of(std::span<const ParameterRow> declared) {
  std::vector<std::string> result;
  for (const ParameterRow& row : declared) result.emplace_back(row.name);
  std::sort(result.begin(), result.end());
  return result;
}

InputError undone(const Strategy& strategy, CollectiveKind kind) {
  std::string known;
  for (const CollectiveKind does : strategy.collectives)
    known += (known.empty() ? "" : ", ") + std::string(to_string(does));
  return {
      "strategy \"" + std::string(strategy.name) + "\" does not do " + std::string(to_string(kind)),
      "choose one of " + known};
}

}  // namespace

Parameters::Parameters(std::string_view strategy, std::span<const ParameterRow> declared,
                       const std::map<std::string, std::string>& given,
                       std::map<std::string, std::string> places)
    : strategy_(strategy), places_(std::move(places)) {
  for (const ParameterRow& row : declared) defaults_.emplace(row.name, row.default_value);
  values_ = defaults_;
  for (const auto& [name, value] : given) {
    const auto known = values_.find(name);
    if (known == values_.end())
      throw unknown_name(strategy_ + " parameter", name, names_of(declared)).at(places_[name]);
    known->second = value;
  }
}

const std::string& Parameters::text(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  if (found == values_.end())
    throw InternalError("strategy " + strategy_ + " reads parameter \"" + std::string(name) +
                        "\", which its row does not declare");
  return found->second;
}

std::int64_t Parameters::integer(std::string_view name, std::int64_t least,
                                 std::int64_t most) const {
  return read(name, [&](const std::string& text) { return parse_integer(text, least, most); });
}

std::string_view Parameters::choice(std::string_view name,
                                    std::initializer_list<std::string_view> choices) const {
  const std::string& value = text(name);
  const auto found = std::find(choices.begin(), choices.end(), value);
  if (found != choices.end()) return *found;
  const InputError unknown = unknown_name("choice", value, {choices.begin(), choices.end()});
  throw error(name, unknown.wrong(), unknown.right());
}

InputError Parameters::error(std::string_view name, const std::string& wrong,
                             const std::string& right) const {
  const auto place = places_.find(std::string(name));
  return {strategy_ + " parameter " + std::string(name) + ": " + wrong, right,
          place == places_.end() ? "" : place->second};
}

std::map<std::string, std::string> Parameters::changed() const {
  std::map<std::string, std::string> result;
  for (const auto& [name, value] : values_)
    if (defaults_.at(name) != value) result.emplace(name, value);
  return result;
}

bool does(const Strategy& strategy, CollectiveKind kind) {
  const auto& done = strategy.collectives;
  return std::find(done.begin(), done.end(), kind) != done.end();
}

Schedule emit(const Strategy& strategy, const Topology& topology, std::span<const NodeId> ranks,
              const Collective& collective, const Parameters& parameters,
              const Oversight& oversight, const RunTerms& terms) {
  if (!does(strategy, collective.kind)) throw undone(strategy, collective.kind);
  validate(collective);
  std::vector<std::string> rank_nodes;
  for (const NodeId node : ranks) rank_nodes.push_back(topology.nodes()[node].id);
  const StrategyInput input{topology, ranks, parameters, terms.overhead};
  const auto write = [&](ScheduleBuilder& builder) {
    try {
      strategy.emit(input, builder);
    } catch (const InternalError& failure) {
      throw InternalError("strategy " + std::string(strategy.name) + ": " + failure.what());
    }
  };
  Schedule schedule = build_schedule(collective, rank_nodes, write, oversight, terms.reduction);
  if (collective.bytes.count > 0) return schedule;
  return build_schedule(collective, rank_nodes, [](ScheduleBuilder&) {});
}

}  // namespace syncsim
