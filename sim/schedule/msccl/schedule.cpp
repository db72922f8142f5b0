#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/base/named_table.h"
#include "sim/base/text.h"
#include "sim/schedule/lane_index.h"
#include "sim/schedule/msccl/ops.h"
#include "sim/schedule/msccl_xml.h"
#include "sim/schedule/size.h"

namespace syncsim::msccl {
namespace {

constexpr XmlSubject kPlans = {2'000'000, "plans", "give a smaller plan", "no plan is that deep"};
constexpr std::uint64_t kMostCells = std::uint64_t{1} << 26;  // of all GPUs
constexpr std::uint64_t kMostClocks = std::uint64_t{1} << 27;
constexpr std::uint64_t kMostMoved = std::uint64_t{1} << 24;  // chunks, of all steps together

CollectiveKind kind_of(const Algorithm& algorithm, const XmlText& xml, const MscclUse& use) {
  const std::string place = xml.place(offset_of(xml.top().first_child()));
  const bool says_nothing = algorithm.collective == "custom";
  if (says_nothing && !use.collective)
    throw InputError("coll is \"custom\", which does not say what it computes",
                     "say it, with --collective", place);
  if (says_nothing) return *use.collective;
  const CollectiveKind kind =
      placed([&] { return place; }, [&] { return parse_collective(algorithm.collective); });
  if (use.collective && *use.collective != kind)
    throw InputError(
        fmt::format("the plan computes {}, not {}", to_string(kind), to_string(*use.collective)),
        fmt::format("give the collective {}", to_string(kind)), place);
  return kind;
}

Collective collective_of(const Algorithm& algorithm, CollectiveKind kind, const MscclUse& use) {
  Collective collective{kind, static_cast<int>(algorithm.gpus.size()), {}, use.datatype, use.root};
  const std::int64_t unit = collective.element_size() * algorithm.chunks;
  collective.bytes = use.bytes.value_or(Bytes{unit});
  if (collective.bytes.count % unit != 0)
    throw InputError(fmt::format("{} in {} of {}", to_string(collective.bytes),
                                 counted(algorithm.chunks, "chunk"), use.datatype),
                     fmt::format("give a multiple of {}", to_string(Bytes{unit})));
  validate(collective);
  return collective;
}

// Who comes before whom among a GPU's thread blocks is kept for each of them and each step that
// others wait for.
void require_few_blocks(const Algorithm& algorithm, const XmlText& xml) {
  std::uint64_t clocks = 0;
  for (const Gpu& gpu : algorithm.gpus) {
    std::uint64_t waits = gpu.blocks.size();
    for (const ThreadBlock& block : gpu.blocks)
      for (const Step& step : block.steps) waits += step.dependency_block >= 0 ? 1 : 0;
    clocks += waits * gpu.blocks.size();
  }
  if (clocks > kMostClocks)
    throw InputError("its GPUs have too many thread blocks that wait for each other",
                     "have fewer: the MSCCL runtime takes 216 a GPU", xml.place(0));
}

// As the collective says, or less where the file does; files need not say.
std::uint64_t chunks_in(const Gpu& gpu, Space space, const Layout& layout) {
  if (space == Space::scratch) return gpu.scratch_chunks;
  const std::uint32_t said = space == Space::input ? gpu.input_chunks : gpu.output_chunks;
  return said == 0 ? layout.size(space) : std::min(said, layout.size(space));
}

// Every place within its buffer, all buffers together small enough.
void require_places(const Algorithm& algorithm, const Layout& layout, const StepOrder& order,
                    const XmlText& xml) {
  std::uint64_t moved = 0;
  std::uint64_t cells = algorithm.gpus.size() * (layout.data_chunks() + layout.chunks_beside());
  for (const Gpu& gpu : algorithm.gpus) cells += gpu.scratch_chunks;
  for (StepId id = 0; id < order.count(); ++id) {
    const Step& step = order.step(id);
    const Gpu& gpu = algorithm.gpus[static_cast<std::size_t>(order.place(id).gpu)];
    if (step.type == StepType::nop) continue;
    const auto require_place = [&](const Place& place) {
      const std::uint64_t chunks = chunks_in(gpu, place.space, layout);
      if (static_cast<std::uint64_t>(place.chunk) + step.count > chunks)
        throw InputError(
            fmt::format("chunk {} of buffer {} does not exist; {}",
                        std::max(static_cast<std::uint64_t>(place.chunk), chunks),
                        "ios"[static_cast<std::size_t>(place.space)], there_are(chunks)),
            "stay within the buffer", xml.place(step.offset));
    };
    if (row(step.type).reads_source) require_place(step.source);
    if (row(step.type).stores) require_place(step.destination);
    moved += step.count;
  }
  if (cells > kMostCells || moved > kMostMoved)
    throw InputError(fmt::format("{} chunks, of which the steps move {}", cells, moved),
                     fmt::format("have at most {}, and move {}", kMostCells, kMostMoved),
                     xml.place(0));
}

// Ops in an order in which each comes after those that it waits for, by edges and lanes.
class Sorter {
 public:
  explicit Sorter(const PlannedOps& plan) : plan_(plan), begins_(plan.ops.size() + 1) {
    for (const auto& [before, after] : plan.edges) ++begins_[before + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    link_lanes();
    sort();
  }

  bool complete() const { return sequence_.size() == plan_.ops.size(); }
  const std::vector<Node>& sequence() const { return sequence_; }

  // Marks the transfers among the ops that wait for each other and those between.
  void cut(std::vector<bool>& cut) const {
    std::vector<std::uint32_t> left(plan_.ops.size());  // successors that wait too
    std::vector<std::vector<Node>> before(plan_.ops.size());
    for (Node node = 0; node < left.size(); ++node)
      each_after(node, [&](Node after) {
        if (waits_[node] == 0 || waits_[after] == 0) return;
        ++left[node];
        before[after].push_back(node);
      });
    std::vector<Node> free;
    for (Node node = 0; node < left.size(); ++node)
      if (waits_[node] > 0 && left[node] == 0) free.push_back(node);
    for (std::size_t next = 0; next < free.size(); ++next)
      for (const Node node : before[free[next]])
        if (--left[node] == 0) free.push_back(node);
    for (Node node = 0; node < left.size(); ++node)
      if (left[node] > 0 && plan_.message[node] != kNone) cut[plan_.message[node]] = true;
  }

 private:
  void link_lanes() {
    next_in_lane_.assign(plan_.ops.size(), kNone);
    LaneIndex lanes;
    std::vector<Node> last;
    for (Node node = 0; node < plan_.ops.size(); ++node) {
      const std::uint32_t lane = lanes.number(plan_.ops[node]);
      if (lane == kNone) continue;
      if (lane == last.size()) last.push_back(kNone);
      if (last[lane] != kNone) next_in_lane_[last[lane]] = node;
      last[lane] = node;
    }
  }

  template <class Act>
  void each_after(Node node, Act&& act) const {
    for (std::uint32_t i = begins_[node]; i < begins_[node + 1]; ++i) act(plan_.edges[i].second);
    if (next_in_lane_[node] != kNone) act(next_in_lane_[node]);
  }

  void sort() {
    waits_.assign(plan_.ops.size(), 0);
    for (Node node = 0; node < waits_.size(); ++node)
      each_after(node, [&](Node after) { ++waits_[after]; });
    for (Node node = 0; node < waits_.size(); ++node)
      if (waits_[node] == 0) sequence_.push_back(node);
    for (std::size_t next = 0; next < sequence_.size(); ++next)
      each_after(sequence_[next], [&](Node after) {
        if (--waits_[after] == 0) sequence_.push_back(after);
      });
  }

  const PlannedOps& plan_;
  std::vector<std::uint32_t> begins_;  // of each op's edges
  std::vector<Node> next_in_lane_;
  std::vector<std::uint32_t> waits_;
  std::vector<Node> sequence_;
};

void put_ops(const PlannedOps& plan, const std::vector<Node>& sequence, Schedule& schedule) {
  std::vector<OpId> number(sequence.size());
  for (OpId op = 0; op < sequence.size(); ++op) number[sequence[op]] = op;
  for (const Node node : sequence) {
    Op op = plan.ops[node];
    op.successors = static_cast<std::uint32_t>(schedule.edges.size());
    schedule.ops.push_back(op);
    const auto [first, last] =
        std::equal_range(plan.edges.begin(), plan.edges.end(), std::pair<Node, Node>{node, 0},
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto begin = static_cast<std::ptrdiff_t>(schedule.edges.size());
    for (auto edge = first; edge != last; ++edge) schedule.edges.push_back(number[edge->second]);
    std::sort(schedule.edges.begin() + begin, schedule.edges.end());
  }
}

Buffer uniform_buffer(std::string name, std::uint32_t chunks, std::int64_t chunk) {
  Buffer buffer{std::move(name), {0}};
  for (std::uint32_t i = 1; i <= chunks; ++i) buffer.boundaries.push_back(i * chunk);
  return buffer;
}

Schedule frame(const Algorithm& algorithm, const Collective& collective, const Layout& layout) {
  Schedule schedule;
  schedule.ranks = static_cast<std::uint32_t>(collective.ranks);
  for (int rank = 0; rank < collective.ranks; ++rank)
    schedule.participants.push_back(std::to_string(rank));
  const std::int64_t chunk = collective.bytes.count / algorithm.chunks;
  const bool in_memory = is_pairwise(collective.kind) && algorithm.in_place;
  std::uint32_t scratch = 0;
  for (const Gpu& gpu : algorithm.gpus) scratch = std::max(scratch, gpu.scratch_chunks);
  schedule.buffers = {
      uniform_buffer("data", layout.data_chunks(), chunk),
      uniform_buffer(in_memory ? "memory" : "output", layout.chunks_beside(), chunk),
      uniform_buffer("scratch", scratch, chunk)};
  schedule.phases = {"plan"};
  schedule.collectives = {{collective, Layout::kData, 0, layout.data_chunks()}};
  return schedule;
}

// Cuts transfers in two until ops no longer wait for each other.
PlannedOps plan_ops(const Algorithm& algorithm, const StepOrder& order, const Layout& layout,
                    std::vector<Node>& sequence) {
  constexpr int kMostRounds = 4;
  std::vector<bool> cut(order.count());
  for (int round = 0;; ++round) {
    PlannedOps plan = planned_ops(algorithm, order, layout, cut);
    if (plan.violation) return plan;
    const Sorter sorter(plan);
    sequence = sorter.sequence();
    if (sorter.complete()) return plan;
    require(round <= kMostRounds, "steps that wait for nobody become ops that wait for each other");
    if (round + 1 < kMostRounds)
      sorter.cut(cut);
    else
      cut.assign(order.count(), true);
  }
}

}  // namespace
}  // namespace syncsim::msccl

namespace syncsim {

MscclPlan read_msccl(std::string_view text, const std::string& name, const MscclUse& use) {
  using namespace msccl;
  const XmlText xml(text, name, kPlans);
  const Algorithm algorithm = read_algorithm(xml);
  const CollectiveKind kind = kind_of(algorithm, xml, use);
  return placed([&] { return name; },
                [&]() -> MscclPlan {
                  const Collective collective = collective_of(algorithm, kind, use);
                  const Layout layout(collective, algorithm.chunks, algorithm.in_place);
                  require_few_blocks(algorithm, xml);
                  const StepOrder order(algorithm, xml, layout);
                  require_places(algorithm, layout, order, xml);
                  MscclPlan result{frame(algorithm, collective, layout), order.violation()};
                  if (result.violation) return result;
                  std::vector<Node> sequence;
                  const PlannedOps plan = plan_ops(algorithm, order, layout, sequence);
                  result.violation = plan.violation;
                  if (result.violation) return result;
                  put_ops(plan, sequence, result.schedule);
                  const std::uint32_t in_flight =
                      *std::max_element(plan.in_flight.begin(), plan.in_flight.end());
                  const Buffer& data = result.schedule.buffers.front();
                  result.schedule.buffers.push_back(
                      uniform_buffer("in flight", in_flight, data.boundaries.at(1)));
                  result.schedule.channels.resize(plan.channels);
                  return result;
                });
}

}  // namespace syncsim
