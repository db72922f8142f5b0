#pragma once
// Everything that is wrong with a small schedule, found by brute force: the closure of "must come
// before" over all pairs of ops, all pairs of accesses compared, contributions counted one by one.
// Shares no code with the checker. The schedule is well-formed and its buffers are not relaxed.

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/schedule/check.h"
#include "tests/schedule/algorithms.h"

namespace syncsim::testing {

// Without collectives nothing is contributed and only the order of ops is left to be checked.
inline std::optional<Violation> check_order_only(Schedule schedule) {
  schedule.collectives.clear();
  return check(schedule);
}

class Oracle {
 public:
  explicit Oracle(const Schedule& schedule)
      : schedule_(schedule), count_(schedule.ops.size()), before_(count_) {
    close();
    for (std::size_t op = 0; op < count_; ++op)
      if (before_[op][op]) faults_.insert(Violation::Kind::cycle);
    if (!faults_.empty()) return;
    find_races();
    run();
    compare();
  }

  const std::set<Violation::Kind>& faults() const { return faults_; }
  bool before(OpId a, OpId b) const { return before_[a][b]; }

 private:
  struct Cell {
    ParticipantId participant;
    std::uint8_t buffer;
    std::uint32_t chunk;
    auto operator<=>(const Cell&) const = default;
  };
  // Times that a rank's data of a chunk is part of a sum: (chunk, rank).
  using Value = std::map<std::pair<std::uint32_t, ParticipantId>, int>;

  void close() {
    for (std::size_t op = 0; op < count_; ++op) {
      before_[op].assign(count_, false);
      for (const OpId next : schedule_.successors(static_cast<OpId>(op))) before_[op][next] = true;
      for (std::size_t next = op + 1; next < count_; ++next)
        if (same_lane(schedule_.ops[op], schedule_.ops[next])) before_[op][next] = true;
    }
    for (std::size_t middle = 0; middle < count_; ++middle)
      for (std::size_t from = 0; from < count_; ++from)
        if (before_[from][middle])
          for (std::size_t to = 0; to < count_; ++to)
            if (before_[middle][to]) before_[from][to] = true;
  }

  static bool same_lane(const Op& a, const Op& b) {
    return a.kind != OpKind::join && b.kind != OpKind::join && a.source == b.source &&
           a.destination == b.destination && a.channel == b.channel;
  }

  std::vector<Cell> sources(const Op& op) const {
    std::vector<Cell> cells;
    for (std::uint32_t i = 0; schedule_.moves_data(op) && i < op.chunk_count; ++i)
      cells.push_back({op.source, op.source_buffer, op.source_chunk + i});
    return cells;
  }
  std::vector<Cell> destinations(const Op& op) const {
    std::vector<Cell> cells;
    for (std::uint32_t i = 0; schedule_.moves_data(op) && i < op.chunk_count; ++i)
      cells.push_back({op.destination, op.destination_buffer, op.destination_chunk + i});
    return cells;
  }
  static bool meet(const std::vector<Cell>& a, const std::vector<Cell>& b) {
    for (const Cell& cell : a)
      for (const Cell& other : b)
        if (cell == other) return true;
    return false;
  }

  void find_races() {
    for (std::size_t a = 0; a < count_; ++a)
      for (std::size_t b = a + 1; b < count_; ++b) {
        const Op& one = schedule_.ops[a];
        const Op& two = schedule_.ops[b];
        const bool commute = one.kind == OpKind::reduce && two.kind == OpKind::reduce;
        const bool conflict = meet(sources(one), destinations(two)) ||
                              meet(destinations(one), sources(two)) ||
                              (!commute && meet(destinations(one), destinations(two)));
        if (conflict && !before_[a][b] && !before_[b][a]) faults_.insert(Violation::Kind::race);
      }
  }

  // Any op whose predecessors are done, until all are done.
  void run() {
    start();
    std::vector<bool> done(count_);
    for (std::size_t left = count_; left > 0;)
      for (std::size_t op = 0; op < count_; ++op) {
        bool ready = !done[op];
        for (std::size_t other = 0; other < count_; ++other)
          if (before_[other][op] && !done[other]) ready = false;
        if (!ready) continue;
        apply(schedule_.ops[op]);
        done[op] = true;
        --left;
      }
  }

  void start() {
    const PlacedCollective& placed = schedule_.collectives.front();
    for (std::uint32_t part = 0; part < schedule_.ranks; ++part)
      for (ParticipantId rank = 0; rank < schedule_.ranks; ++rank)
        if (contributes(placed.collective, rank, part)) values_[{rank, 0, part}][{part, rank}] = 1;
  }

  void apply(const Op& op) {
    const std::vector<Cell> from = sources(op);
    const std::vector<Cell> to = destinations(op);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Value added = values_[from[i]];
      Value& value = values_[to[i]];
      if (op.kind == OpKind::copy) value.clear();
      for (const auto& [contribution, times] : added) value[contribution] += times;
      inspect(value);
    }
  }

  void inspect(const Value& value) {
    std::set<std::uint32_t> origins;
    for (const auto& [contribution, times] : value) {
      origins.insert(contribution.first);
      if (times > 1) faults_.insert(Violation::Kind::doubled);
    }
    if (origins.size() > 1) faults_.insert(Violation::Kind::origin);
  }

  void compare() {
    const Collective& collective = schedule_.collectives.front().collective;
    for (std::uint32_t part = 0; part < schedule_.ranks; ++part)
      for (ParticipantId holder = 0; holder < schedule_.ranks; ++holder) {
        if (!must_hold(collective, holder, part)) continue;
        const Value& value = values_[{holder, 0, part}];
        for (const auto& [contribution, times] : value)
          if (contribution.first != part) faults_.insert(Violation::Kind::origin);
        for (ParticipantId rank = 0; rank < schedule_.ranks; ++rank)
          if (contributes(collective, rank, part) && !value.contains({part, rank}))
            faults_.insert(Violation::Kind::missing);
      }
  }

  const Schedule& schedule_;
  std::size_t count_;
  std::vector<std::vector<bool>> before_;
  std::map<Cell, Value> values_;
  std::set<Violation::Kind> faults_;
};

}  // namespace syncsim::testing
