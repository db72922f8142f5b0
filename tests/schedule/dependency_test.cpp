#include <doctest/doctest.h>

#include <random>

#include "sim/schedule/builder.h"
#include "tests/schedule/schedule_text.h"

namespace syncsim::dependency_test {
namespace {

Lines built(int ranks, const std::function<void(ScheduleBuilder&)>& emit) {
  return lines(build(allreduce(ranks, 8), emit));
}

ParticipantId id(int rank) { return static_cast<ParticipantId>(rank); }

// --- Which ops come before which, from the definition: two accesses to a chunk at a participant
// conflict when one of them writes, except for two reduces into it.

struct Touch {
  ParticipantId participant;
  std::uint8_t buffer;
  std::uint32_t chunk;
  char how;  // r(ead), w(rite), a(dd)
};

std::vector<Touch> touches(const Op& op) {
  std::vector<Touch> result;
  for (std::uint32_t i = 0; i < op.chunk_count; ++i) {
    result.push_back({op.source, op.source_buffer, op.source_chunk + i, 'r'});
    result.push_back({op.destination, op.destination_buffer, op.destination_chunk + i,
                      op.kind == OpKind::copy ? 'w' : 'a'});
  }
  return result;
}

bool conflict(const Op& before, const Op& after) {
  for (const Touch& a : touches(before))
    for (const Touch& b : touches(after))
      if (a.participant == b.participant && a.buffer == b.buffer && a.chunk == b.chunk &&
          (a.how != b.how || a.how == 'w'))
        return true;
  return false;
}

using Relation = std::vector<std::vector<bool>>;

Relation closed(Relation reaches) {
  for (std::size_t via = 0; via < reaches.size(); ++via)
    for (auto& from : reaches)
      if (from[via])
        for (std::size_t to = 0; to < reaches.size(); ++to)
          if (reaches[via][to]) from[to] = true;
  return reaches;
}

Relation none(const Schedule& schedule) {
  return Relation(schedule.ops.size(), std::vector<bool>(schedule.ops.size(), false));
}

Relation defined_order(const Schedule& schedule) {
  Relation result = none(schedule);
  for (std::size_t a = 0; a < result.size(); ++a)
    for (std::size_t b = a + 1; b < result.size(); ++b)
      result[a][b] = conflict(schedule.ops[a], schedule.ops[b]);
  return closed(std::move(result));
}

Relation built_order(const Schedule& schedule) {
  Relation result = none(schedule);
  for (OpId op = 0; op < schedule.ops.size(); ++op)
    for (const OpId successor : schedule.successors(op)) result[op][successor] = true;
  return closed(std::move(result));
}

// Pairs of ops, joins aside, that only one of the relations orders.
std::size_t differences(const Schedule& schedule) {
  const Relation defined = defined_order(schedule);
  const Relation actual = built_order(schedule);
  std::size_t count = 0;
  for (std::size_t a = 0; a < defined.size(); ++a)
    for (std::size_t b = 0; b < defined.size(); ++b)
      if (schedule.ops[a].kind != OpKind::join && schedule.ops[b].kind != OpKind::join)
        count += defined[a][b] != actual[a][b];
  return count;
}

Schedule random_schedule(unsigned seed, int ops) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned bound) { return static_cast<std::int64_t>(random() % bound); };
  return build(allreduce(5, 6), [&](ScheduleBuilder& builder) {
    random.seed(seed);
    builder.split(builder.data(), 6);
    for (int op = 0; op < ops; ++op) {
      const auto from = static_cast<ParticipantId>(below(5));
      const auto to = (from + 1 + static_cast<ParticipantId>(below(4))) % 5;
      const std::int64_t size = 1 + below(3);
      const std::int64_t begin = below(static_cast<unsigned>(7 - size));
      const std::int64_t into = below(static_cast<unsigned>(7 - size));
      const Slice source{0, begin, begin + size};
      const Slice destination{0, into, into + size};
      if (below(4) == 0)
        builder.copy(from, source, to, destination);
      else
        builder.reduce(from, source, to, destination);
    }
  });
}

// F reduces into rank 0, then R copies out of it.
Schedule gather_scatter(int writers, int readers) {
  return build(allreduce(1 + std::max(writers, readers), 8), [&](ScheduleBuilder& builder) {
    const Slice data = builder.data();
    for (int rank = 1; rank <= writers; ++rank) builder.reduce(id(rank), 0, data);
    for (int rank = 1; rank <= readers; ++rank) builder.copy(0, id(rank), data);
  });
}

// R copies out of rank 0, then W reduces into it, from scratch that no copy overwrites.
Schedule scatter_gather(int readers, int writers) {
  return build(allreduce(1 + std::max(writers, readers), 8), [&](ScheduleBuilder& builder) {
    const Slice scratch = builder.scratch("send", {8});
    for (int rank = 1; rank <= readers; ++rank) builder.copy(0, id(rank), builder.data());
    for (int rank = 1; rank <= writers; ++rank)
      builder.reduce(id(rank), scratch, 0, builder.data());
  });
}

}  // namespace

TEST_CASE("a read waits for the copy before it") {
  CHECK(built(3, [](ScheduleBuilder& b) {
          b.copy(0, 1, b.data());
          b.copy(1, 2, b.data());
        }) == Lines{"copy 0>1 data 0 -> 1", "copy 1>2 data 0"});
}

TEST_CASE("a copy waits for the readers of what it overwrites") {
  CHECK(built(4, [](ScheduleBuilder& b) {
          b.copy(0, 1, b.data());
          b.copy(0, 2, b.data());
          b.copy(3, 0, b.data());
        }) == Lines{"copy 0>1 data 0 -> 2", "copy 0>2 data 0 -> 2", "copy 3>0 data 0"});
}

TEST_CASE("a copy over a copy that no one has read waits for it") {
  CHECK(built(3, [](ScheduleBuilder& b) {
          b.copy(0, 1, b.data());
          b.copy(2, 1, b.data());
        }) == Lines{"copy 0>1 data 0 -> 1", "copy 2>1 data 0"});
}

TEST_CASE("readers of one chunk have no edge between them") {
  CHECK(built(3, [](ScheduleBuilder& b) {
          b.copy(0, 1, b.data());
          b.copy(0, 2, b.data());
        }) == Lines{"copy 0>1 data 0", "copy 0>2 data 0"});
}

TEST_CASE("reduces into one chunk have no edge between them, and a reader waits for all") {
  CHECK(built(4, [](ScheduleBuilder& b) {
          b.reduce(1, 0, b.data());
          b.reduce(2, 0, b.data());
          b.copy(0, 3, b.data());
        }) == Lines{"reduce 1>0 data 0 -> 2", "reduce 2>0 data 0 -> 2", "copy 0>3 data 0"});
}

TEST_CASE("every reduce waits for an earlier copy into its chunk") {
  CHECK(built(4, [](ScheduleBuilder& b) {
          b.copy(1, 0, b.data());
          b.reduce(2, 0, b.data());
          b.reduce(3, 0, b.data());
        }) == Lines{"copy 1>0 data 0 -> 1 2", "reduce 2>0 data 0", "reduce 3>0 data 0"});
}

TEST_CASE("reduces after a read wait for the reader, not for the reduces that it has read") {
  CHECK(built(4,
              [](ScheduleBuilder& b) {
                b.reduce(1, 0, b.data());
                b.copy(0, 2, b.data());
                b.reduce(3, 0, b.data());
                b.reduce(1, 0, b.data());
              }) == Lines{"reduce 1>0 data 0 -> 1", "copy 0>2 data 0 -> 2 3", "reduce 3>0 data 0",
                          "reduce 1>0 data 0"});
}

TEST_CASE("a copy over reduces that no one has read waits for all of them") {
  CHECK(built(4, [](ScheduleBuilder& b) {
          b.reduce(1, 0, b.data());
          b.reduce(2, 0, b.data());
          b.copy(3, 0, b.data());
        }) == Lines{"reduce 1>0 data 0 -> 2", "reduce 2>0 data 0 -> 2", "copy 3>0 data 0"});
}

TEST_CASE("ops on different chunks, buffers or participants have no edges") {
  CHECK(built(4,
              [](ScheduleBuilder& b) {
                const auto halves = b.split(b.data(), 2);
                const Slice scratch = b.scratch("recv", {4});
                b.copy(0, 1, halves[0]);
                b.copy(0, 1, halves[1]);
                b.copy(0, halves[0], 1, scratch);
                b.copy(2, 3, halves[0]);
              }) == Lines{"copy 0>1 data 0", "copy 0>1 data 1", "copy 0>1 data 0 into recv 0",
                          "copy 2>3 data 0"});
}

TEST_CASE("an op on many chunks waits once for each op that touched one of them") {
  CHECK(built(3, [](ScheduleBuilder& b) {
          const auto quarters = b.split(b.data(), 4);
          b.copy(0, 1, quarters[3]);
          b.copy(0, 1, {0, 0, 4});
          b.reduce(1, 2, b.data());
        }) == Lines{"copy 0>1 data 3 -> 2", "copy 0>1 data 0-1 -> 2", "reduce 1>2 data 0-3"});
}

TEST_CASE("a join stands between F writers and R readers exactly when F x R exceeds F + R") {
  for (int writers = 1; writers <= 5; ++writers)
    for (int readers = 1; readers <= 5; ++readers) {
      CAPTURE(writers);
      CAPTURE(readers);
      const std::size_t expected = writers * readers > writers + readers && writers > 1 ? 1 : 0;
      CHECK(joins(gather_scatter(writers, readers)) == expected);
      CHECK(differences(gather_scatter(writers, readers)) == 0);
    }
}

TEST_CASE("a join stands between R readers and W later writers by the same rule") {
  for (int readers = 1; readers <= 5; ++readers)
    for (int writers = 1; writers <= 5; ++writers) {
      CAPTURE(writers);
      CAPTURE(readers);
      const std::size_t expected = readers * writers > readers + writers && readers > 1 ? 1 : 0;
      CHECK(joins(scatter_gather(readers, writers)) == expected);
      CHECK(differences(scatter_gather(readers, writers)) == 0);
    }
}

TEST_CASE("the join follows the writers at their holder, and later readers wait for it alone") {
  CHECK(built(7,
              [](ScheduleBuilder& b) {
                for (ParticipantId rank = 1; rank <= 3; ++rank) b.reduce(rank, 0, b.data());
                for (ParticipantId rank = 4; rank <= 6; ++rank) b.copy(0, rank, b.data());
              }) == Lines{"reduce 1>0 data 0 -> 3 4", "reduce 2>0 data 0 -> 3 4",
                          "reduce 3>0 data 0 -> 3 4", "copy 0>4 data 0", "join 0>0 -> 5 6",
                          "copy 0>5 data 0", "copy 0>6 data 0"});
}

TEST_CASE("chunks with the same writers share one join") {
  const Schedule schedule = build(allreduce(7, 64), [](ScheduleBuilder& b) {
    b.split(b.data(), 64);
    for (ParticipantId rank = 1; rank <= 3; ++rank) b.reduce(rank, 0, b.data());
    b.copy(0, 4, {0, 0, 32});
    b.copy(0, 5, {0, 16, 64});
    b.copy(0, 6, b.data());
  });
  CHECK(joins(schedule) == 1);
  CHECK(schedule.edges.size() == 3 + 3 + 1 + 1);
}

TEST_CASE("a sharded aggregation and its broadcast have O(n) edges a chunk") {
  constexpr int kRanks = 64;
  const Schedule schedule = build(allreduce(kRanks, kRanks), [](ScheduleBuilder& b) {
    const auto parts = b.split(b.data(), kRanks);
    for (ParticipantId owner = 0; owner < kRanks; ++owner)
      for (ParticipantId rank = 0; rank < kRanks; ++rank)
        if (rank != owner) b.reduce(rank, owner, parts[owner]);
    for (ParticipantId owner = 0; owner < kRanks; ++owner)
      for (ParticipantId rank = 0; rank < kRanks; ++rank)
        if (rank != owner) b.copy(owner, rank, parts[owner]);
  });
  // A chunk: n - 1 reduces and copies and a join. The first copy waits for all reduces, and so does
  // the join; the other n - 2 copies wait for the join and for the reduce that read what they
  // overwrite (the first copy's is among those it waits for).
  constexpr std::size_t n = kRanks;
  CHECK(schedule.ops.size() == n * (2 * (n - 1) + 1));
  CHECK(schedule.edges.size() == n * ((n - 1) + (n - 1) + (n - 2) + (n - 2)));
  CHECK(schedule.edges.size() <= 4 * schedule.ops.size());
}

TEST_CASE("edges order exactly the ops that conflict, directly or through others") {
  std::size_t joined = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Schedule schedule = random_schedule(seed, 40);
    CHECK(differences(schedule) == 0);
    joined += joins(schedule);
  }
  CHECK(joined > 10);  // the law was tried on joins too
}

TEST_CASE("every derived edge joins ops that share a participant") {
  const Schedule schedule = random_schedule(7, 300);
  for (OpId op = 0; op < schedule.ops.size(); ++op)
    for (const OpId next : schedule.successors(op)) {
      const Op& a = schedule.ops[op];
      const Op& b = schedule.ops[next];
      CHECK((a.source == b.source || a.source == b.destination || a.destination == b.source ||
             a.destination == b.destination));
    }
}

}  // namespace syncsim::dependency_test
