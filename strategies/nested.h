#pragma once
// A strategy inside of another, as a parameter names it: "ring", or with parameters of its own
// "ring(directions=both, chunks=8)", which may again hold strategies.

#include <map>
#include <string>
#include <string_view>

#include "sim/schedule/strategy.h"

namespace syncsim::strategy {

class NestedStrategy {
 public:
  // `given` are its parameters. Throws InputError, which names the outer strategy's parameter, for
  // names that are none. Keeps a reference to the input.
  NestedStrategy(const StrategyInput& input, std::string_view parameter, std::string_view name,
                 const std::map<std::string, std::string>& given);

  bool does(CollectiveKind kind) const { return syncsim::does(*strategy_, kind); }
  // Throws InputError unless it does the collective.
  void require_does(CollectiveKind kind) const;
  // In a scope that lists its ranks. Returns how many channels it took.
  int emit(ScheduleBuilder& builder, const ScheduleBuilder::ScopeOptions& scope) const;

 private:
  const StrategyInput& input_;
  std::string parameter_;
  const Strategy* strategy_;
  Parameters parameters_;
};

// As the parameter's text says. Throws InputError for anything else.
NestedStrategy nested_strategy(const StrategyInput& input, std::string_view parameter);

}  // namespace syncsim::strategy
