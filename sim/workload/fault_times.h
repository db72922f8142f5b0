#pragma once
// What a fault costs a run of training steps: when it strikes, when it is noticed, from which step
// the run goes on, and when it has caught up. Steps and their times are simulated elsewhere; here
// they are laid end to end.
//
//   undisturbed   step n begins at n x before + floor(n / every) x write
//   cut short     the step in hand when the fault is noticed is done again, from its begin
//   going back    to the last checkpoint; without one to step 0
//   resumed       noticed + restart (+ read, where a checkpoint is read)
//   caught up     when the step that was in hand is done at last
//   lost          caught up - when the undisturbed run has done that step

#include <cstdint>
#include <optional>

#include "sim/base/units.h"

namespace syncsim {

enum class Recovery : std::uint8_t {
  none,       // the run stalls, or goes on as it is
  reroute,    // the same ranks, planned anew on the machine without the link
  shrink,     // without the lost rank or server
  restore,    // a spare takes the place; all go back to the last checkpoint
  replicate,  // what a server holds is at a backup, which takes over
};

struct Checkpoints {
  int every = 0;  // steps; 0: none are written
  Time write;     // the run stands still for so long
  Time read;
};

struct FaultCosts {
  Time detect;   // until the fault is noticed
  Time restart;  // from then until steps run again, but for reading the checkpoint
  Checkpoints checkpoints;
  bool goes_back = false;  // to the last checkpoint
};

// How steps go on under the fault.
struct Limping {
  Time whole;  // the step that it strikes
  Time step;   // each that follows
};

struct FaultInput {
  std::int64_t step = 0;         // that it strikes; so many are done
  Time at;                       // from that step's begin
  Time before;                   // a step
  std::optional<Time> after;     // a step after the recovery; nullopt: there is none
  std::optional<Limping> limps;  // nullopt: nothing gets on
  FaultCosts costs;
};

// From the begin of the run. What comes never is nullopt.
struct FaultTimes {
  Time fault;
  std::optional<Time> noticed;
  std::optional<Time> resumed;
  std::optional<Time> caught_up;
  std::optional<Time> lost;
  std::int64_t in_hand = 0;     // the step that is cut short, or goes on
  std::int64_t goes_on_at = 0;  // the step that runs first after the recovery
  std::int64_t again() const { return in_hand - goes_on_at; }  // whole steps done again
};

// When step n of an undisturbed run begins. Throws InputError without a place beyond what a Time
// holds.
Time begin_of(std::int64_t step, Time each, const Checkpoints& checkpoints);

FaultTimes fault_times(const FaultInput& input);

}  // namespace syncsim
