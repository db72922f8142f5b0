#include "sim/report/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace syncsim {

std::string strategy_text(const std::string& strategy,
                          const std::map<std::string, std::string>& changed) {
  std::string text = strategy;
  for (const auto& [parameter, value] : changed) text += " " + parameter + "=" + value;
  return text;
}

std::string choice_text(const Choice& choice) {
  constexpr std::size_t kNext = 2;
  std::string text = fmt::format("the fastest of {} candidate{}", choice.tried.size(),
                                 choice.tried.size() == 1 ? "" : "s");
  std::set<std::string> told = {choice.strategy};
  for (const Tried& tried : choice.tried) {
    // What is more than twice as slow may not have finished, or come before one that did not.
    if (!tried.time || tried.time->ps / 2 > choice.tried.front().time->ps) break;
    if (told.size() > kNext) break;
    if (!told.insert(tried.strategy).second) continue;
    text += fmt::format("{} {} {}", told.size() == 2 ? "; next" : ",",
                        strategy_text(tried.strategy, tried.parameters), to_string(*tried.time));
  }
  return text;
}

}  // namespace syncsim
