#pragma once
// When the flows in flight are through. Flows that one resource stops share its clock, which counts
// the service, in bytes a unit of weight, that it has given each of them: a flow is through when
// the clock shows its mark. So a change of level moves one event and no flow. (Virtual time as in
// Demers, Keshav and Shenker, Analysis and Simulation of a Fair Queueing Algorithm, SIGCOMM 1989.)
// A flow at its line rate has an event of its own.
//
// Of all flows of a clock only the next one has an event. They wait in a 4-ary heap, earliest mark
// first: O(log flows) for one that comes, goes or is through, O(1) for a change of level. A clock
// is set back to 0 when nobody uses it or, O(flows), when it is far past what a new flow wants, so
// that marks keep their digits. Memory: 32 bytes a lane, 40 a resource, 16 for each lane that may
// be on a resource. Nothing is allocated after construction.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/large_vector.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/fair_share.h"
#include "sim/engine/network.h"

namespace syncsim::engine {

class Completions {
 public:
  using Lane = FairShare::Slot;

  // Events of lanes are entities of their number, those of clocks come from `first_entity` on.
  Completions(std::size_t lanes, std::span<const std::uint32_t> most_flows,
              EventQueue::Entity first_entity);

  // A flow begins, with no rate before the next update.
  void begin(Lane lane, double bytes, std::int64_t now) { flows_[lane] = {bytes, 0, now}; }
  // It is over. Gives the bytes that it has left: none, to rate x 1 ps and rounding, when its time
  // has come.
  double end(Lane lane, std::int64_t now);
  // Bytes left at `now`.
  double left(Lane lane, std::int64_t now) const;

  // After a solve at `now`: sets the events of all whose rate changed. Flows of rate 0 have none,
  // they stall; nor have those that at this rate would not end in int64.
  void update(const FairShare& share, std::int64_t now, EventQueue& events);

  // The clock whose event this is, and the flow that is through next by it; kNobody when there is
  // none, or none by `now`.
  static constexpr Lane kNobody = 0xffffffffu;
  Lane due(EventQueue::Entity entity, std::int64_t now) const;

 private:
  struct Flow {
    double amount = 0;  // bytes left at `since`; on a clock: its mark
    double rate = 0;    // on a clock: its weight
    std::int64_t since = 0;
    ResourceIndex clock = FairShare::kNowhere;
    std::uint32_t position = 0;  // in the clock's heap
  };
  struct Clock {
    double service = 0;  // at `since`
    double level = 0;
    std::int64_t since = 0;
    std::uint32_t begin = 0;  // of its heap
    std::uint32_t size = 0;
    bool stale = false;  // in stale_
  };
  struct Entry {
    double mark;
    Lane lane;
  };

  void follow(const FairShare& share, Lane lane, std::int64_t now, EventQueue& events);
  void enter(Lane lane, ResourceIndex resource, double bytes, std::int64_t now);
  void leave(Lane lane);
  void advance(Clock& clock, std::int64_t now);
  void set_back(Clock& clock);
  void mark_stale(ResourceIndex resource);
  void set_event(ResourceIndex resource, std::int64_t now, EventQueue& events);
  std::int64_t next(const Clock& clock) const;
  double service(const Clock& clock, std::int64_t now) const;
  void place(const Clock& clock, std::size_t position, const Entry& entry);
  void sift(const Clock& clock, std::size_t position, const Entry& entry);

  LargeVector<Flow> flows_;
  std::vector<Clock> clocks_;
  LargeVector<Entry> heaps_;
  std::vector<ResourceIndex> stale_;  // whose event may be out of date
  EventQueue::Entity first_entity_;
};

}  // namespace syncsim::engine
