#include "sim/base/watch.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace syncsim {

std::string_view to_string(Stage stage) {
  constexpr std::array<std::string_view, 5> kNames = {"reading", "choosing", "emitting", "checking",
                                                      "simulating"};
  return kNames.at(static_cast<std::size_t>(stage));
}

std::string_view things_of(Stage stage) {
  if (stage == Stage::reading) return "flows";
  return stage == Stage::choosing ? "candidates" : "ops";
}

Interrupted::Interrupted(const Progress& reached, Bytes carried)
    : std::runtime_error(fmt::format("interrupted while {}", to_string(reached.stage))),
      progress(reached),
      delivered(carried) {}

Pace::Pace(Watch* watch, Stage stage, std::uint64_t total, std::uint64_t walks)
    : watch_(watch),
      stage_(stage),
      total_(total),
      walks_(walks),
      next_(watch == nullptr ? std::numeric_limits<std::uint64_t>::max() : 0) {
  if (watch_ != nullptr) look(0);
}

void Pace::look(std::uint64_t steps) {
  next_ = steps + kSteps;
  const Progress progress{stage_, steps / walks_, total_, {}};
  if (!watch_->goes_on(progress)) throw Interrupted(progress);
}

}  // namespace syncsim
