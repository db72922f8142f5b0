#pragma once
// Those who run many points: threads of this process, or the ranks of mpirun. A crew hands out
// points one by one to whoever is free, so the order in which they end is open; what each comes to
// is not. Once an interrupt came no more are handed out, and those at work end soon.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sim/base/memory.h"
#include "sim/base/watch.h"

namespace syncsim::cli {

struct Outcome {
  enum class Kind : std::uint8_t {
    done,
    refused,    // for what was asked
    broken,     // an invariant of ours did not hold
    too_large,  // for a share of the memory; no row
    stopped     // by an interrupt; no row
  };
  std::size_t number = 0;  // of the point
  Kind kind = Kind::done;
  std::string row = {};  // what is to be written of it, if anything
};

// Runs one point, on any thread; throws nothing.
using Work = std::function<Outcome(std::size_t number, Watch& watch)>;

// Where outcomes go. Called on the thread of Crew::run alone.
class Desk {
 public:
  virtual ~Desk() = default;
  virtual void take(Outcome outcome) = 0;
  virtual void look() = 0;     // now and then, at least ten times a second
  virtual void give_up() = 0;  // an interrupt came; what is at work yet is lost
};

class Crew {
 public:
  virtual ~Crew() = default;
  // How many are at work at once on this machine, and share its memory.
  virtual std::size_t hands() const = 0;
  // Returns when all points are run, or what was at work when an interrupt came has ended.
  virtual void run(std::span<const std::size_t> numbers, const Work& work, Desk& desk) = 0;
};

std::unique_ptr<Crew> thread_crew(std::size_t threads);

// Runs a point within a limit; throws nothing. The limit's `passed` says whether anything was
// refused for its need.
using LimitedWork =
    std::function<Outcome(std::size_t number, const MemoryLimit& memory, Watch& watch)>;

// `work` with a share of the memory for each of the hands. A point for which anything was refused
// for its need comes back as too large, unless there is but one hand.
Work shared_out(LimitedWork work, const MemoryLimit& memory, std::size_t hands);

// All points, each in its share of the memory; those that are too large for it last and one by
// one, in ascending order, with all of it. So what a point comes to does not depend on the crew.
void run_all(Crew& crew, std::span<const std::size_t> numbers, const LimitedWork& work,
             const MemoryLimit& memory, Desk& desk);

}  // namespace syncsim::cli
