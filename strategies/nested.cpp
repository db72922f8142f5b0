#include "strategies/nested.h"

#include <vector>

#include "sim/base/quote.h"
#include "sim/base/text.h"

namespace syncsim::strategy {
namespace {

constexpr int kMostDepth = 8;  // of strategies in strategies

struct Written {
  std::string name;
  std::map<std::string, std::string> parameters;
};

InputError bad_text(std::string_view text, const std::string& why) {
  return {in_quotes(text) + " " + why, "write a strategy such as ring or ring(directions=both)"};
}

// Where text is cut: at commas outside of brackets.
std::vector<std::string_view> pieces_of(std::string_view text, std::string_view whole) {
  std::vector<std::string_view> result;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const bool ends = at == text.size() || (text[at] == ',' && depth == 0);
    if (ends) {
      result.push_back(trimmed(text.substr(begin, at - begin)));
      begin = at + 1;
    } else if (text[at] == '(' && ++depth > kMostDepth) {
      throw bad_text(whole, "has brackets more than " + std::to_string(kMostDepth) + " deep");
    } else if (text[at] == ')' && --depth < 0) {
      break;
    }
  }
  if (depth != 0) throw bad_text(whole, "has brackets that do not match");
  return result;
}

// A piece without a name goes on with the value before it, such as "rings=0,1,2".
std::map<std::string, std::string> read_parameters(std::string_view text, std::string_view whole) {
  std::map<std::string, std::string> result;
  std::string* last = nullptr;
  for (const std::string_view piece : pieces_of(text, whole)) {
    const std::size_t equals = piece.find('=');
    if (equals < piece.find('(') && equals != std::string_view::npos) {
      const auto [parameter, added] = result.try_emplace(
          std::string(trimmed(piece.substr(0, equals))), trimmed(piece.substr(equals + 1)));
      if (!added) throw bad_text(whole, "gives " + parameter->first + " twice");
      last = &parameter->second;
    } else if (last != nullptr) {
      last->append(",").append(piece);
    } else {
      throw bad_text(whole, "has " + in_quotes(piece) + ", which is no name=value");
    }
  }
  return result;
}

Written read_strategy(std::string_view text) {
  const std::size_t bracket = text.find('(');
  if (bracket == std::string_view::npos) return {std::string(trimmed(text)), {}};
  if (!text.ends_with(')')) throw bad_text(text, "has no closing bracket");
  const std::string_view inside = text.substr(bracket + 1, text.size() - bracket - 2);
  return {std::string(trimmed(text.substr(0, bracket))), read_parameters(inside, text)};
}

std::string known_for(CollectiveKind kind) {
  std::string result;
  for (const Strategy& strategy : strategies().rows())
    if (does(strategy, kind)) result += (result.empty() ? "" : ", ") + std::string(strategy.name);
  return result;
}

const Strategy& known_strategy(std::string_view name) {
  if (name == "auto" || name.starts_with("plan:"))
    throw InputError(in_quotes(name) + " does not run inside of another strategy",
                     "name a strategy of the list");
  return strategies().at(name);
}

}  // namespace

NestedStrategy::NestedStrategy(const StrategyInput& input, std::string_view parameter,
                               std::string_view name,
                               const std::map<std::string, std::string>& given)
    : input_(input),
      parameter_(parameter),
      strategy_(input.parameters.read(parameter,
                                      [&](const std::string&) { return &known_strategy(name); })),
      parameters_(input.parameters.read(parameter, [&](const std::string&) {
        return Parameters(strategy_->name, strategy_->parameters, given);
      })) {}

NestedStrategy nested_strategy(const StrategyInput& input, std::string_view parameter) {
  const Written written = input.parameters.read(
      parameter, [](const std::string& text) { return read_strategy(trimmed(text)); });
  return {input, parameter, written.name, written.parameters};
}

void NestedStrategy::require_does(CollectiveKind kind) const {
  if (does(kind)) return;
  throw input_.parameters.error(parameter_,
                                in_quotes(strategy_->name) + " does not do " +
                                    std::string(to_string(kind)) + ", which is needed here",
                                "choose one of " + known_for(kind));
}

int NestedStrategy::emit(ScheduleBuilder& builder,
                         const ScheduleBuilder::ScopeOptions& scope) const {
  std::vector<NodeId> nodes;
  for (const ParticipantId rank : scope.ranks) nodes.push_back(input_.ranks[rank]);
  return input_.parameters.read(parameter_, [&](const std::string&) {
    return builder.scope(scope, [&] {
      strategy_->emit({input_.topology, nodes, parameters_, input_.overhead, input_.findings},
                      builder);
    });
  });
}

}  // namespace syncsim::strategy
