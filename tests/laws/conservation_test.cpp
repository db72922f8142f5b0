// What is sent is what is carried, and what is added up is the sum: told from the numbers alone,
// without the checker and without looking at a strategy.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "sim/exec/op_routes.h"
#include "sim/schedule/op_ends.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::conservation_test {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::shelf_machine;
using testing::simulated;
using testing::Task;

// Calls act(machine, task) for every strategy and collective on the shipped machines.
template <class Act>
void each_run(std::int64_t bytes, Act&& act) {
  for (const std::string name :
       {"pcie_4gpu", "pcie_8gpu", "dgx1v", "p3_textbook", "dgx2", "hgx_h100"}) {
    const Topology machine = shelf_machine(name);
    const int ranks = static_cast<int>(machine.ranks().size());
    for (const Strategy& strategy : strategies().rows()) {
      if (!testing::applies(strategy, machine)) continue;
      for (const CollectiveKind kind : strategy.collectives) {
        INFO(name << " " << strategy.name << " " << to_string(kind));
        act(machine, Task{std::string(strategy.name), collective_of(kind, ranks, bytes, 1)});
      }
    }
  }
}

// As many as links are passed, and more where a host bridge cuts packets (routing.h, rule 10).
double hops_of(const Route& route, const Resources& resources) {
  double hops = 0;
  for (const ResourceUse& use : route.uses)
    if (resources.all()[use.resource].kind == ResourceKind::link) hops += use.coefficient;
  return hops;
}

double bytes_times_hops(const Schedule& schedule, const Topology& machine) {
  const Resources resources(machine, Rates::line);
  OpRoutes routes(schedule, machine, resources);
  double sum = 0;
  for (const Op& op : schedule.ops)
    if (schedule.moves_data(op))
      sum += static_cast<double>(schedule.bytes(op).count) * hops_of(routes.of(op), resources);
  return sum;
}

double bytes_on_links(const Timeline& timeline, const Topology& machine) {
  const Resources resources(machine, Rates::line);
  double sum = 0;
  for (LinkId link = 0; link < machine.links().size(); ++link)
    sum += timeline.resources[resources.of_link(link)].bytes;
  return sum;
}

// Real numbers in the buffers' bytes, a participant's each; sums are modulo 2^64.
class Memory {
 public:
  explicit Memory(const Schedule& schedule) : schedule_(schedule) {
    for (const Buffer& buffer : schedule.buffers)
      values_.emplace_back(
          schedule.participants.size(),
          std::vector<std::uint64_t>(static_cast<std::size_t>(buffer.boundaries.back())));
  }

  // A number that no sum of others equals by chance.
  static std::uint64_t number(int rank, std::size_t byte) {
    const std::uint64_t seed = 1 + static_cast<std::uint64_t>(rank) * 1'000'003 + byte;
    const std::uint64_t mixed = (seed ^ (seed >> 13)) * 0x9e3779b97f4a7c15u;
    return mixed ^ (mixed >> 29);
  }
  // Of the data.
  std::uint64_t& at(std::size_t participant, std::size_t byte) {
    return values_[0][participant][byte];
  }
  void apply(const Op& op) {
    if (!schedule_.moves_data(op)) return;
    const std::size_t from = offset(op.source_buffer, op.source_chunk);
    const std::size_t to = offset(op.destination_buffer, op.destination_chunk);
    const std::size_t size = offset(op.source_buffer, op.source_chunk + op.chunk_count) - from;
    each_way(schedule_.groups, op, [&](ParticipantId source, ParticipantId destination) {
      for (std::size_t byte = 0; byte < size; ++byte) {
        const std::uint64_t value = values_[op.source_buffer][source][from + byte];
        std::uint64_t& target = values_[op.destination_buffer][destination][to + byte];
        target = op.kind == OpKind::reduce ? target + value : value;
      }
    });
  }

 private:
  std::size_t offset(std::uint8_t buffer, std::uint32_t chunk) const {
    return static_cast<std::size_t>(schedule_.buffers[buffer].boundaries[chunk]);
  }

  const Schedule& schedule_;
  std::vector<std::vector<std::vector<std::uint64_t>>> values_;  // by buffer and participant
};

std::int64_t block_of(const Collective& collective, std::size_t byte) {
  const std::vector<std::int64_t> blocks = collective.block_boundaries();
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), static_cast<std::int64_t>(byte));
  return after - blocks.begin() - 1;
}

bool is_among(int one, int rank) { return one == Collective::kEveryRank || one == rank; }

// Ops in the order in which the simulation started them; an op never starts before those it depends
// on have finished, and edges lead forward.
std::vector<OpId> in_order_of_start(const Timeline& timeline) {
  std::vector<OpId> order(timeline.ops.size());
  std::iota(order.begin(), order.end(), OpId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](OpId a, OpId b) { return timeline.ops[a].start < timeline.ops[b].start; });
  return order;
}

// How many bytes at how many holders are not the sum of the contributors' numbers.
int wrong_bytes(const Schedule& schedule, const Timeline& timeline, const Collective& collective) {
  const auto bytes = static_cast<std::size_t>(collective.buffer_bytes());
  Memory memory(schedule);
  std::vector<std::uint64_t> sums(bytes);
  for (int rank = 0; rank < collective.ranks; ++rank)
    for (std::size_t byte = 0; byte < bytes; ++byte)
      if (is_among(collective.contributor(block_of(collective, byte)), rank)) {
        memory.at(static_cast<std::size_t>(rank), byte) = Memory::number(rank, byte);
        sums[byte] += Memory::number(rank, byte);
      }
  for (const OpId op : in_order_of_start(timeline)) memory.apply(schedule.ops[op]);
  int wrong = 0;
  for (int rank = 0; rank < collective.ranks; ++rank)
    for (std::size_t byte = 0; byte < bytes; ++byte)
      if (is_among(collective.holder(block_of(collective, byte)), rank) &&
          memory.at(static_cast<std::size_t>(rank), byte) != sums[byte])
        ++wrong;
  return wrong;
}

}  // namespace

TEST_CASE("bytes on links are bytes times hops") {
  each_run(1'000'003, [](const Topology& machine, const Task& task) {
    const Schedule schedule = emitted(machine, task);
    const double sent = bytes_times_hops(schedule, machine);
    CHECK(sent > 0);
    CHECK(bytes_on_links(simulated(schedule, machine), machine) ==
          doctest::Approx(sent).epsilon(1e-12));
  });
}

TEST_CASE("all strategies leave the same sum, as numbers, where the collective wants it") {
  each_run(211, [](const Topology& machine, const Task& task) {
    const Schedule schedule = emitted(machine, task);
    CHECK(wrong_bytes(schedule, simulated(schedule, machine), task.collective) == 0);
  });
}

TEST_CASE("a schedule that lacks its last transfer leaves a wrong number") {
  const Topology machine = shelf_machine("pcie_4gpu");
  for (const Strategy& strategy : strategies().rows()) {
    if (!testing::applies(strategy, machine)) continue;
    CAPTURE(strategy.name);
    const Collective collective = collective_of(strategy.collectives.front(), 4, 64);
    Schedule schedule = emitted(machine, Task{std::string(strategy.name), collective});
    schedule.ops.back().chunk_count = 0;
    CHECK(wrong_bytes(schedule, simulated(schedule, machine), collective) > 0);
  }
}

TEST_CASE("no link carries more than its capacity times the run") {
  each_run(1'000'003, [](const Topology& machine, const Task& task) {
    const Timeline timeline = simulated(emitted(machine, task), machine);
    for (const ResourceTotals& resource : timeline.resources) {
      CHECK(resource.bytes <= resource.capacity * seconds(timeline.finish) * (1 + 1e-9));
      CHECK(resource.saturated <= resource.busy);
      CHECK(resource.busy <= timeline.finish);
    }
  });
}

}  // namespace syncsim::conservation_test
