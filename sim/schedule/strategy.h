#pragma once
// A strategy turns a collective on a machine into a schedule. Pure: same input, same schedule. To
// add one: one file in strategies/ with an emit function, one row in strategies/registry.cpp.

#include <any>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/named_table.h"
#include "sim/schedule/builder.h"
#include "sim/schedule/schedule.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct ParameterRow {
  std::string_view name;
  std::string_view default_value;
  std::string_view description;
  std::vector<std::string_view> tried =
      {};  // other values worth trying (sim/scenario/candidates.h)
};

// A strategy's parameters with their values as text; every declared parameter is present. Reading
// one throws InputError, which names the parameter, when its value does not do.
class Parameters {
 public:
  // `places` says where given values were written, for errors. Throws InputError for a name that
  // the strategy does not declare.
  Parameters(std::string_view strategy, std::span<const ParameterRow> declared,
             const std::map<std::string, std::string>& given,
             std::map<std::string, std::string> places = {});

  const std::string& text(std::string_view name) const;
  // The value, a whole number in [least, most].
  std::int64_t integer(std::string_view name, std::int64_t least, std::int64_t most) const;
  // The value, which must be one of `choices`.
  std::string_view choice(std::string_view name,
                          std::initializer_list<std::string_view> choices) const;
  // The parameter's value does not do: "ring parameter chunks: <wrong>; <right>".
  InputError error(std::string_view name, const std::string& wrong, const std::string& right) const;
  // Reads the value by `act(text)`, whose InputErrors become the parameter's, unless they have a
  // place of their own.
  template <class Act>
  decltype(auto) read(std::string_view name, Act&& act) const {
    try {
      return act(text(name));
    } catch (const InputError& failure) {
      if (!failure.place().empty()) throw;
      throw error(name, failure.wrong(), failure.right());
    }
  }
  const std::map<std::string, std::string>& all() const { return values_; }
  // Only those that differ from the default.
  std::map<std::string, std::string> changed() const;

 private:
  std::string strategy_;
  std::map<std::string, std::string> values_;
  std::map<std::string, std::string> defaults_;
  std::map<std::string, std::string> places_;
};

// What was found in the machine, kept while one schedule is emitted: it is emitted in several
// passes, and strategies in scopes look for the same on the same ranks.
class Findings {
 public:
  // find(), which depends on nothing but the machine and the ranks; or what it gave before under
  // this name.
  template <class Find>
  const auto& of(std::string_view name, std::span<const NodeId> ranks, const Find& find) {
    std::any& known = known_[{std::string(name), {ranks.begin(), ranks.end()}}];
    if (!known.has_value()) known = find();
    return std::any_cast<const decltype(find())&>(known);
  }

 private:
  std::map<std::pair<std::string, std::vector<NodeId>>, std::any> known_;
};

struct StrategyInput {
  const Topology& topology;
  std::span<const NodeId> ranks;  // the nodes of ranks 0..n-1
  const Parameters& parameters;
  Time overhead = {};  // of every transfer of the run, beside its links' own
  std::shared_ptr<Findings> findings = std::make_shared<Findings>();
};

struct Strategy {
  std::string_view name;
  std::string_view description;
  std::vector<ParameterRow> parameters;
  std::vector<CollectiveKind> collectives;  // those it can emit
  void (*emit)(const StrategyInput& input, ScheduleBuilder& builder);
  // On more ranks it takes too long to emit for being tried among others.
  std::size_t most_ranks_tried = std::numeric_limits<std::size_t>::max();
};

bool does(const Strategy& strategy, CollectiveKind kind);

// Declared here so that sim/ needs no strategy header; defined in strategies/registry.cpp.
const NamedTable<Strategy>& strategies();

// Of the run for which a schedule is emitted.
struct RunTerms {
  Reduction reduction = Reduction::on_arrival;
  Time overhead = {};  // StrategyInput
};

// Emits the strategy's schedule: of 0 bytes one of no ops, as NCCL discards empty collectives.
// Throws InputError when the strategy does not do this collective.
Schedule emit(const Strategy& strategy, const Topology& topology, std::span<const NodeId> ranks,
              const Collective& collective, const Parameters& parameters,
              const Oversight& oversight = {}, const RunTerms& terms = {});

}  // namespace syncsim
