#pragma once
// Writes schedules. A strategy calls copy and reduce on slices (byte ranges) of buffers in program
// order; dependencies are derived from what each op reads and writes:
// 1. An op waits for the writers of what it reads; a copy also for the readers (or else writers) of
//    what it overwrites.
// 2. Reduces into one range commute: no edge between them. A reduce waits for earlier readers and
//    for an earlier copy into its range.
// 3. Where F writers meet R readers and F x R exceeds F + R, a zero-time join stands between.
// 4. Derived edges join ops that share a participant. A scope's `after` on another participant is
//    carried by a signal (an op of no chunks), which pays overhead and latency: no free barriers.
// 5. Chunks come from split() calls. A split that needs a boundary that the ops so far did not know
//    makes the pass stale: later ops are dropped and build_schedule emits again with all
//    boundaries.
// 6. An op from or to a group reads or writes the chunks of every member (groups.h).
// 7. Where reductions are staged (staging.h), a reduce from one participant to another becomes a
//    copy and a sum.
// Same calls, same schedule, byte for byte.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/schedule/reduction.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/size.h"

namespace syncsim {

// A byte range of a buffer.
struct Slice {
  std::uint8_t buffer = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t size() const { return end - begin; }
};

class ScheduleBuilder {
 public:
  // `rank_nodes[r]` is the node of rank r.
  ScheduleBuilder(const Collective& collective, std::vector<std::string> rank_nodes);
  ~ScheduleBuilder();

  // --- The current scope: at first the whole collective.
  int ranks() const;
  const Collective& collective() const;  // of the current scope: its ranks, bytes, root
  Slice data() const;                    // the part of the data buffer that it works on
  // Part `rank` of the data, of as many as there are ranks: equal shares, or the scope's. Not of
  // all-to-all and send-recv, where block(from, to) is what one rank has for another (send-recv:
  // for the next, whatever `to` is).
  Slice part(int rank) const;
  Slice block(int from, int to) const;
  const std::string& node_of(ParticipantId participant) const;

  struct ScopeOptions {
    std::vector<ParticipantId> ranks = {};      // of the outer scope; empty: the same ranks
    std::optional<Slice> data = {};             // absent: the same data
    std::optional<Collective> collective = {};  // absent: the outer kind and root, sizes as above
    std::vector<Slice> parts = {};              // of the data, by rank; empty: equal shares
    std::uint16_t channel_base = 0;             // added to every channel inside; bases add up
    std::string phase_prefix = {};              // "inner " -> phase "inner reduce"
    std::vector<OpId> after = {};               // every op of the scope comes after these
  };
  // Runs `emit` inside the scope, e.g. another strategy; chunk dependencies flow through. Returns
  // how many channels it took, from its base on.
  int scope(const ScopeOptions& options, const std::function<void()>& emit);

  // --- Participants and buffers.
  // A participant on `node` that holds scratch only; the same node gives the same helper, to scopes
  // of the same ranks.
  ParticipantId helper(const std::string& node);
  // What reduces may come from and copies go to, for the network to add up or to multiply: ranks of
  // the current scope and helpers, all different, at least one. The same members in any order give
  // the same group.
  ParticipantId group(const std::vector<ParticipantId>& members);
  // Empty space at every participant of the scope: a new buffer; in scopes a part of a shared one,
  // given again only to scopes without a rank in common.
  Slice scratch(const std::string& name, Bytes size);
  // The same, but exempt from ordering (asynchronous parameter servers): reads take what is there,
  // and only edges say what that is. Not in scopes.
  Slice relaxed_scratch(const std::string& name, Bytes size);

  // --- Slices. Pieces are contiguous, cover the slice in order and begin on elements of the
  // datatype; they differ by at most one element (weights: in proportion, rounded down, the
  // remainder to the last piece of any weight). Pieces may be empty.
  std::vector<Slice> split(const Slice& slice, int pieces);
  std::vector<Slice> split(const Slice& slice, const std::vector<int>& weights);

  // --- Ops. Participants are ranks of the current scope or helpers; where said, groups.
  void phase(std::string_view name);  // of the ops that follow
  // Announces the ops that follow, best all of them before the first: what is too large is refused
  // before it is emitted.
  void expect(const Expected& following);
  void expect(std::size_t ops) { expect(Expected{.ops = ops}); }
  std::uint64_t ops() const;  // so far, with those that a stale pass drops
  void heed_watch();          // in long searches before the first op; throws Interrupted
  OpId copy(ParticipantId from, ParticipantId to, const Slice& slice, std::uint16_t channel = 0);
  OpId copy(ParticipantId from, const Slice& source, ParticipantId to, const Slice& destination,
            std::uint16_t channel = 0);  // equal sizes
  OpId reduce(ParticipantId from, ParticipantId to, const Slice& slice, std::uint16_t channel = 0);
  OpId reduce(ParticipantId from, const Slice& source, ParticipantId to, const Slice& destination,
              std::uint16_t channel = 0);
  OpId signal(ParticipantId from, ParticipantId to, std::uint16_t channel = 0);
  // Occupies the participant's lane of that channel for `duration`.
  OpId compute(ParticipantId participant, Time duration, std::uint16_t channel = 0);
  // The same, on data of the participant: waits as one that reads or overwrites it.
  OpId compute(ParticipantId participant, Time duration, Access access, const Slice& slice,
               std::uint16_t channel = 0);
  // Done at no cost when all of `ops` are, of which each has the participant as an end.
  OpId join(ParticipantId participant, const std::vector<OpId>& ops);
  // An explicit edge between ops that share a participant.
  void edge(OpId before, OpId after);
  void channel(std::uint16_t channel, const Channel& properties);
  // On that channel, in place of those that the route would choose.
  void nics(std::uint16_t channel, ParticipantId participant, const NicNames& nics);
  // Tells people what was chosen; printed with the results, once. In a scope after its prefix.
  void note(std::string text);

 private:
  friend Schedule build_schedule(const Collective&, const std::vector<std::string>&,
                                 const std::function<void(ScheduleBuilder&)>&, const Oversight&,
                                 Reduction);
  class Implementation;
  explicit ScheduleBuilder(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

// Runs `emit` (a pure function of the builder) until every split is known, at least once, and
// returns the schedule with one PlacedCollective over the whole data buffer. Throws Interrupted
// when the watch says so.
Schedule build_schedule(const Collective& collective, const std::vector<std::string>& rank_nodes,
                        const std::function<void(ScheduleBuilder&)>& emit,
                        const Oversight& oversight = {},
                        Reduction reduction = Reduction::on_arrival);

}  // namespace syncsim
