// What holds for every strategy of the registry: a new row is covered without an edit here.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "sim/analysis/bounds.h"
#include "sim/schedule/check.h"
#include "tests/strategies/tuning.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"

namespace syncsim::every_strategy_test {
namespace {

using testing::applies;
using testing::emitted;
using testing::ParameterSet;
using testing::shelf_machine;
using testing::simulated;
using testing::Task;
using testing::tuning;
using testing::written_machine;

constexpr int kRankCounts[] = {1, 2, 3, 4, 5, 7, 8, 13};

struct Setting {
  std::string label;
  Topology machine;
  std::vector<NodeId> ranks;
};

Topology generated(const std::string& kind, int gpus) {
  return written_machine(R"({"kind": ")" + kind + R"(", "gpus": )" + std::to_string(gpus) +
                         R"(, "link": {"kind": "pcie", "bandwidth": "16 GB/s",)"
                         R"( "latency": "500 ns", "overhead": "300 ns"}})");
}

// All counts that the machine has room for: its first ranks, and for odd counts up to 7 its last
// ones backwards, too.
void add_subsets(std::vector<Setting>& settings, const std::string& name) {
  const Topology machine = shelf_machine(name);
  const std::vector<NodeId>& all = machine.ranks();
  for (const int count : kRankCounts) {
    if (static_cast<std::size_t>(count) > all.size()) continue;
    settings.push_back({name + ", first", machine, {all.begin(), all.begin() + count}});
    if (count % 2 == 1 && count <= 7)
      settings.push_back({name + ", last", machine, {all.rbegin(), all.rbegin() + count}});
  }
}

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> result;
    for (const std::string kind : {"star", "ring"}) {
      for (const int count : kRankCounts) {
        const Topology machine = testing::with_abilities(generated(kind, count).parts());
        result.push_back({kind, machine, machine.ranks()});
      }
    }
    for (const char* name : {"pcie_4gpu", "pcie_8gpu", "dgx1v", "dgx2"}) add_subsets(result, name);
    return result;
  }();
  return all;
}

struct Size {
  std::string_view datatype;
  std::int64_t bytes;
};
// Nothing, one element, and numbers of elements that no number of ranks above divides.
constexpr Size kSizes[] = {{"int8", 0}, {"float32", 28}, {"int8", 1'000'003}, {"float32", 4}};
// Where there are many parameters, seven elements are few enough.
constexpr std::span kFewSizes(kSizes, 3);

bool has_root(CollectiveKind kind) {
  return row(kind).contributors == Who::root || row(kind).holders == Who::root;
}

std::vector<Collective> collectives_of(CollectiveKind kind, int ranks,
                                       std::span<const Size> sizes) {
  std::vector<Collective> result;
  for (const Size& size : sizes) {
    result.push_back({kind, ranks, {size.bytes}, size.datatype, 0});
    if (has_root(kind) && ranks > 1)
      result.push_back({kind, ranks, {size.bytes}, size.datatype, ranks - 1});
  }
  return result;
}

std::string label_of(const Setting& setting, const Task& task) {
  const Collective& c = task.collective;
  std::string label = setting.label + ", " + std::to_string(c.ranks) + " ranks: " + task.strategy +
                      " " + std::string(to_string(c.kind)) + " of " + to_string(c.bytes) +
                      ", root " + std::to_string(c.root);
  for (const auto& [name, value] : task.parameters) label.append(" ").append(name + "=" + value);
  return label;
}

template <class Act>
void each_collective(const Setting& setting, const Strategy& strategy, std::span<const Size> sizes,
                     Act&& act) {
  for (const CollectiveKind kind : strategy.collectives)
    for (const Collective& collective :
         collectives_of(kind, static_cast<int>(setting.ranks.size()), sizes))
      act(collective);
}

// Calls act(setting, task) for everything above, with default parameters.
template <class Act>
void each_task(Act&& act) {
  for (const Setting& setting : settings())
    for (const Strategy& strategy : strategies().rows())
      if (applies(strategy, setting.machine, setting.ranks))
        each_collective(setting, strategy, kSizes, [&](const Collective& collective) {
          act(setting, Task{std::string(strategy.name), collective});
        });
}

// The same for parameters other than the defaults.
template <class Act>
void each_tuned_task(Act&& act) {
  for (const Setting& setting : settings())
    for (const auto& [name, sets] : tuning(setting.ranks.size())) {
      if (!applies(strategies().at(name), setting.machine, setting.ranks)) continue;
      each_collective(setting, strategies().at(name), kFewSizes,
                      [&, &name = name, &sets = sets](const Collective& collective) {
                        for (const ParameterSet& parameters : sets)
                          act(setting, Task{name, collective, parameters});
                      });
    }
}

std::string proof_of(const Schedule& schedule) {
  const auto violation = check(schedule);
  return violation ? violation->message : "proved";
}

// Proved, finished under audit, and no earlier than the lower bound.
void require_sound(const Schedule& schedule, const Setting& setting, const Task& task) {
  CHECK(proof_of(schedule) == "proved");
  const Timeline timeline = simulated(schedule, setting.machine);
  CHECK(timeline.ops_done == schedule.ops.size());
  const std::vector<NodeId> helpers = helpers_of(schedule, setting.machine);
  const LowerBound bound = lower_bound({.topology = setting.machine,
                                        .ranks = setting.ranks,
                                        .collective = task.collective,
                                        .helpers = helpers});
  const auto room = static_cast<double>(schedule.ops.size());  // 1 ps an op
  CHECK(static_cast<double>(timeline.finish.ps) + room >= bound.seconds * 1e12);
}

template <class Values>
bool same_bytes(const Values& a, const Values& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

bool same_buffers(const Schedule& a, const Schedule& b) {
  return std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(),
                    [](const Buffer& x, const Buffer& y) {
                      return x.name == y.name && x.boundaries == y.boundaries &&
                             x.relaxed == y.relaxed;
                    });
}

bool same_channels(const std::vector<Channel>& a, const std::vector<Channel>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Channel& x, const Channel& y) {
    return x.weight == y.weight && x.maximum_rate == y.maximum_rate && x.plane == y.plane;
  });
}

bool same_schedule(const Schedule& a, const Schedule& b) {
  return a.ranks == b.ranks && a.participants == b.participants && a.groups == b.groups &&
         same_bytes(a.ops, b.ops) && a.edges == b.edges && same_buffers(a, b) &&
         same_channels(a.channels, b.channels) && a.durations == b.durations &&
         a.phases == b.phases;
}

}  // namespace

// One case, as emitting again for each of these would take most of the time.
TEST_CASE("every strategy is proved, emits the same twice, and finishes above the bound") {
  each_task([](const Setting& setting, const Task& task) {
    INFO(label_of(setting, task));
    const Schedule schedule = emitted(setting.machine, setting.ranks, task);
    require_sound(schedule, setting, task);
    CHECK(same_schedule(schedule, emitted(setting.machine, setting.ranks, task)));
  });
}

TEST_CASE("every strategy is sound with other chunks, directions and roots too") {
  each_tuned_task([](const Setting& setting, const Task& task) {
    INFO(label_of(setting, task));
    require_sound(emitted(setting.machine, setting.ranks, task), setting, task);
  });
}

TEST_CASE("every strategy applies to one of these machines") {
  for (const Strategy& strategy : strategies().rows()) {
    CAPTURE(strategy.name);
    CHECK(std::any_of(settings().begin(), settings().end(), [&](const Setting& setting) {
      return setting.ranks.size() > 1 && applies(strategy, setting.machine, setting.ranks);
    }));
  }
}

TEST_CASE("one rank has nothing to send to another") {
  for (const Setting& setting : settings()) {
    if (setting.ranks.size() != 1) continue;
    for (const Strategy& strategy : strategies().rows()) {
      if (strategy.name == "central_cpu") continue;
      each_collective(setting, strategy, kSizes, [&](const Collective& collective) {
        const Task task{std::string(strategy.name), collective};
        INFO(label_of(setting, task));
        CHECK(emitted(setting.machine, setting.ranks, task).ops.empty());
      });
    }
  }
}

TEST_CASE("a machine without a CPU cannot aggregate on one") {
  for (const auto& [name, machine] :
       {std::pair("star of 4", generated("star", 4)), std::pair("ring of 4", generated("ring", 4)),
        std::pair("mi250", shelf_machine("mi250"))}) {
    const int ranks = static_cast<int>(machine.ranks().size());
    for (const CollectiveKind kind : strategies().at("central_cpu").collectives) {
      const Task task{"central_cpu", {kind, ranks, {64}}};
      CHECK(testing::refusal_of([&, &on = machine] { emitted(on, task); }) ==
            "machine \"" + std::string(name) +
                "\" has no CPU to aggregate on; choose another strategy, or add a node of kind "
                "\"cpu\"");
    }
  }
}

}  // namespace syncsim::every_strategy_test
