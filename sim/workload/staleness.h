#pragma once
// How far the workers of a key-value store may run apart. With staleness s (stale synchronous
// parallel, Ho et al., NIPS 2013) what a worker pulls after its push number c, its clock, holds
// every worker's pushes up to number c - s, and of later ones those that have arrived: it may begin
// clock t when every worker has finished clock t - s - 1. Without a limit (asynchronous parallel)
// it waits for its own push alone. What the servers hold is in a relaxed buffer; these edges are
// all that orders it.

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "sim/schedule/builder.h"

namespace syncsim {

inline constexpr int kUnboundedStaleness = -1;
inline constexpr int kMostStaleness = 1000;

class Staleness {
 public:
  // Of data as large as the builder's, outside of scopes. Workers that add up first are one.
  Staleness(int bound, std::size_t workers, ScheduleBuilder& builder);

  // Where a server keeps what is pushed there.
  Slice kept(const Slice& value) const { return {buffer_, value.begin, value.end}; }
  // `applied` is the op at the server that ends the worker's push of that part of the key.
  void pushed(std::size_t key, std::size_t part, std::size_t worker, OpId applied);
  // What the worker's next pull of that part waits for. Every worker has pushed as often as it must
  // have by then.
  std::vector<OpId> awaited(std::size_t key, std::size_t part, std::size_t worker,
                            ParticipantId server);

 private:
  struct Clock {
    std::vector<OpId> applied;
    OpId all = kNone;  // a join of them, once somebody waits
  };
  struct Pushes {
    std::vector<std::size_t> count;  // by worker
    std::vector<OpId> last;          // by worker
    std::vector<Clock> clocks;
  };

  int bound_;
  std::size_t workers_;
  ScheduleBuilder& builder_;
  std::uint8_t buffer_;
  std::map<std::pair<std::size_t, std::size_t>, Pushes> pushes_;  // by key and part
};

}  // namespace syncsim
