#pragma once
// How a long run is watched: now and then it says how far it has come, and hears whether to go on.
// Nothing that is computed depends on a watch, so results are the same with one and without.

#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "sim/base/units.h"

namespace syncsim {

// What a run is at, in this order.
enum class Stage : std::uint8_t { reading, choosing, emitting, checking, simulating };
std::string_view to_string(Stage stage);  // "reading", ...
std::string_view things_of(Stage stage);  // what it does one after the other: "ops"

struct Progress {
  Stage stage = Stage::reading;
  std::uint64_t done = 0;   // of the stage: flows, candidates, ops
  std::uint64_t total = 0;  // 0: not known
  Time simulated;
};

class Watch {
 public:
  virtual ~Watch() = default;
  // False: stop. Called every few thousand steps, at the beginning of each stage too.
  virtual bool goes_on(const Progress& progress) = 0;
};

// Thrown by a stage that was told to stop. No error: the caller reports what is known.
struct Interrupted : std::runtime_error {
  explicit Interrupted(const Progress& reached, Bytes carried = {});
  Progress progress;
  Bytes delivered;  // by the transfers that are finished
};

// Counts the steps of a stage, which walks `walks` times over `total` things, and looks at the
// watch every few thousand. Throws Interrupted where the watch says so.
class Pace {
 public:
  static constexpr std::uint64_t kSteps = 4'096;  // between looks

  Pace(Watch* watch, Stage stage, std::uint64_t total, std::uint64_t walks = 1);

  std::uint64_t total() const { return total_; }

  // So many steps are done. Without a watch, and between looks, one comparison.
  void at(std::uint64_t steps) {
    if (steps >= next_) look(steps);
  }
  // For the tightest loops over things numbered from 0: a test of the number's last bits.
  void at_thing(std::uint64_t number, std::uint64_t walk) {
    if (number % kSteps == 0) at(walk * total_ + number);
  }

 private:
  void look(std::uint64_t steps);

  Watch* watch_;
  Stage stage_;
  std::uint64_t total_;
  std::uint64_t walks_;
  std::uint64_t next_;
};

}  // namespace syncsim
