#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "sim/schedule/msccl/layout.h"
#include "sim/schedule/msccl/steps.h"
#include "sim/schedule/msccl_xml.h"

namespace syncsim::msccl {
namespace {

constexpr std::size_t kMostWritten = 500'000;

void require_expressible(const Schedule& schedule) {
  const auto refuse = [](const std::string& what) -> InputError {
    return {"MSCCL cannot express this: " + what, "choose another strategy, or write .json"};
  };
  if (!schedule.groups.empty()) throw refuse("switches that add up or multiply");
  if (schedule.collectives.size() != 1)
    throw refuse(fmt::format("{} collectives", schedule.collectives.size()));
  collective_name(schedule.collectives.front().collective.kind);
  if (schedule.participants.size() > schedule.ranks)
    throw refuse(fmt::format("{} helps, which is no rank", schedule.participants.back()));
  if (schedule.ops.size() > kMostWritten)
    throw refuse(fmt::format("{} ops, more than {}", schedule.ops.size(), kMostWritten));
  for (const Buffer& buffer : schedule.buffers)
    if (buffer.relaxed) throw refuse(fmt::format("buffer {} is relaxed", buffer.name));
  for (OpId id = 0; id < schedule.ops.size(); ++id) {
    const Op& op = schedule.ops[id];
    const bool moves = only_waits(op) || schedule.bytes(op).count > 0;
    if (op.kind == OpKind::compute || !moves) throw refuse(describe(schedule, id));
  }
}

// A thread block that copies what a rank of an all-to-all has for itself.
ThreadBlock own_copy(std::uint32_t rank, const Units& units, std::size_t id) {
  const UnitRange from = units.own_input(rank);
  Step step;
  step.type = StepType::cpy;
  step.source = from.first;
  step.destination = units.own_output(rank);
  step.count = from.count;
  ThreadBlock block;
  block.id = static_cast<std::int32_t>(id);
  block.steps = {step};
  return block;
}

Algorithm algorithm_of(const Schedule& schedule, const std::string& name, bool merging) {
  const Collective& collective = schedule.collectives.front().collective;
  Units units(schedule);
  Algorithm algorithm;
  algorithm.name = name;
  algorithm.collective = collective_name(collective.kind);
  algorithm.in_place = units.in_place();
  algorithm.chunks = units.chunks();
  const Layout layout(collective, algorithm.chunks, algorithm.in_place);
  for (std::vector<ThreadBlock>& blocks : steps_of(schedule, merging, units)) {
    Gpu gpu{layout.size(Space::input), layout.size(Space::output), 0, std::move(blocks)};
    if (!units.in_place())
      gpu.blocks.push_back(
          own_copy(static_cast<std::uint32_t>(algorithm.gpus.size()), units, gpu.blocks.size()));
    for (const ThreadBlock& block : gpu.blocks)
      algorithm.channels = std::max<std::uint32_t>(algorithm.channels, block.channel + 1u);
    algorithm.gpus.push_back(std::move(gpu));
  }
  for (Gpu& gpu : algorithm.gpus) gpu.scratch_chunks = units.scratch();
  return algorithm;
}

// What is written is read again and proved.
std::optional<Violation> violation_of(const std::string& text, const Collective& collective) {
  MscclPlan plan = read_msccl(
      text, "the plan", {collective.kind, collective.bytes, collective.datatype, collective.root});
  return plan.violation ? plan.violation : check(plan.schedule);
}

// What the runtime is built for (microsoft/msccl, src/include/msccl.h, and NCCL's MAXCHANNELS).
std::vector<std::string> notes_on(const Algorithm& algorithm, const Schedule& schedule) {
  struct Limit {
    const char* what;
    std::size_t most;
    std::size_t found;
  };
  Limit limits[] = {{"channels", 32, algorithm.channels},
                    {"thread blocks of a GPU", 216, 0},
                    {"steps of a thread block", 256, 0},
                    {"chunks of a step", 71, 0}};
  for (const Gpu& gpu : algorithm.gpus) {
    limits[1].found = std::max(limits[1].found, gpu.blocks.size());
    for (const ThreadBlock& block : gpu.blocks) {
      limits[2].found = std::max(limits[2].found, block.steps.size());
      for (const Step& step : block.steps)
        limits[3].found = std::max<std::size_t>(limits[3].found, step.count);
    }
  }
  std::vector<std::string> notes;
  for (const Limit& limit : limits)
    if (limit.found > limit.most)
      notes.push_back(fmt::format("{} {}, and the MSCCL runtime is built for {}", limit.found,
                                  limit.what, limit.most));
  const bool plain =
      std::all_of(schedule.channels.begin(), schedule.channels.end(), [](const Channel& channel) {
        return channel.weight == 1 && channel.maximum_rate == 0 && channel.plane == Plane::all;
      });
  if (!plain || !schedule.nics.empty())
    notes.push_back("weights, rates, planes and NICs of channels are left out: MSCCL has none");
  return notes;
}

}  // namespace
}  // namespace syncsim::msccl

namespace syncsim {

std::vector<std::string> write_msccl(const Schedule& schedule, const std::string& name,
                                     std::ostream& out) {
  using namespace msccl;
  require_expressible(schedule);
  const Collective& collective = schedule.collectives.front().collective;
  std::optional<Violation> violation;
  for (const bool merging : {true, false}) {
    const Algorithm algorithm = algorithm_of(schedule, name, merging);
    std::ostringstream text;
    write_algorithm(algorithm, text);
    violation = violation_of(text.str(), collective);
    if (violation) continue;
    out << text.str();
    return notes_on(algorithm, schedule);
  }
  throw InputError("MSCCL cannot express this: " + violation->message,
                   "choose another strategy, or write .json");
}

}  // namespace syncsim
