#include "sim/schedule/plan_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/text_file.h"
#include "sim/schedule/check_order.h"
#include "sim/schedule/msccl_xml.h"
#include "sim/schedule/proportion.h"
#include "sim/schedule/schedule_json.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostPlanBytes = std::int64_t{1} << 30;
constexpr std::int64_t kMostXmlBytes = std::int64_t{1} << 28;  // held three times over, as a tree

std::int64_t greatest_boundary(const Schedule& schedule) {
  std::int64_t greatest = 0;
  for (const Buffer& buffer : schedule.buffers)
    greatest = std::max(greatest, buffer.boundaries.back());
  return greatest;
}

void stretch(Schedule& schedule, Bytes from, Bytes to) {
  const auto refuse = [&](const std::string& why) -> InputError {
    return {fmt::format("the plan is for {}, and cannot be stretched to {}: {}", to_string(from),
                        to_string(to), why),
            "give the plan's bytes, or a whole multiple of them"};
  };
  if (from.count == 0) throw refuse("it moves nothing");
  const WideInteger most = WideInteger{1} << 62;
  if (WideInteger{greatest_boundary(schedule)} * to.count / from.count > most)
    throw refuse("it would hold more than 2^62 bytes");
  for (Buffer& buffer : schedule.buffers)
    for (std::int64_t& boundary : buffer.boundaries) {
      if (WideInteger{boundary} * to.count % from.count != 0)
        throw refuse(fmt::format("buffer {} would be cut within a byte", buffer.name));
      boundary = static_cast<std::int64_t>(WideInteger{boundary} * to.count / from.count);
    }
}

// Blocks that do not divide begin elsewhere in other bytes.
void require_blocks(const Schedule& schedule) {
  const PlacedCollective& placed = schedule.collectives.front();
  const auto& boundaries = schedule.buffers.at(placed.buffer).boundaries;
  if (!has_blocks(placed.collective.kind)) return;
  for (const std::int64_t block : placed.collective.block_boundaries())
    if (!std::binary_search(boundaries.begin(), boundaries.end(),
                            boundaries.at(placed.first_chunk) + block))
      throw InputError(
          fmt::format("the plan cannot be stretched to {}: the block at {} B would not "
                      "begin where a chunk does",
                      to_string(placed.collective.bytes), block),
          "give bytes that the ranks divide evenly, or make the plan anew");
}

void require_whole_elements(const Schedule& schedule, std::int64_t element,
                            std::string_view datatype) {
  for (const Buffer& buffer : schedule.buffers)
    for (const std::int64_t boundary : buffer.boundaries)
      if (boundary % element != 0)
        throw InputError(fmt::format("the plan cuts buffer {} at {} B, inside an element of {}",
                                     buffer.name, boundary, datatype),
                         "give the datatype that the plan was made for, or other bytes");
}

void require_same(const Collective& planned, const PlanUse& use) {
  if (use.collective && *use.collective != planned.kind)
    throw InputError(fmt::format("the plan computes {}, not {}", to_string(planned.kind),
                                 to_string(*use.collective)),
                     fmt::format("give the collective {}", to_string(planned.kind)));
  const bool rooted =
      row(planned.kind).contributors == Who::root || row(planned.kind).holders == Who::root;
  if (use.root && rooted && *use.root != planned.root)
    throw InputError(fmt::format("the plan's root is rank {}, not {}", planned.root, *use.root),
                     fmt::format("give the root {}", planned.root));
}

Plan from_msccl(const std::string& text, const std::string& path, const PlanUse& use) {
  if (static_cast<std::int64_t>(text.size()) > kMostXmlBytes)
    throw InputError("is longer than " + to_string(Bytes{kMostXmlBytes}), "give a smaller plan",
                     path);
  MscclUse known{use.collective, use.bytes};
  if (!use.datatype.empty()) known.datatype = use.datatype;
  if (use.root) known.root = *use.root;
  MscclPlan read = read_msccl(text, path, known);
  return {std::move(read.schedule), false, std::move(read.violation)};
}

}  // namespace

void fit(Schedule& schedule, const PlanUse& use) {
  if (schedule.collectives.size() != 1)
    throw InputError(fmt::format("the plan computes {} collectives", schedule.collectives.size()),
                     "give a plan of one");
  Collective& planned = schedule.collectives.front().collective;
  require_same(planned, use);
  if (!use.datatype.empty()) planned.datatype = use.datatype;
  if (use.root) planned.root = *use.root;
  if (use.bytes && *use.bytes != planned.bytes) {
    stretch(schedule, planned.bytes, *use.bytes);
    planned.bytes = *use.bytes;
    require_blocks(schedule);
  }
  require_whole_elements(schedule, planned.element_size(), planned.datatype);
}

Plan load_plan(const std::string& path, const PlanUse& use) {
  const std::string text = read_text_file(path, kMostPlanBytes, "a plan: .json or MSCCL .xml");
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos)
    throw InputError("the file is empty", "give a plan: .json or MSCCL .xml", path);
  if (text[first] == '<') return from_msccl(text, path, use);
  Plan plan;
  plan.schedule = read_schedule(text, path);
  placed([&] { return path; }, [&] { fit(plan.schedule, use); });
  return plan;
}

std::uint64_t longest_chain(const Schedule& schedule) {
  const checking::Order order(schedule);
  std::vector<std::uint32_t> depths(schedule.ops.size());  // of the longest chain up to each
  std::uint32_t deepest = 0;
  for (std::uint32_t position = 0; position < depths.size(); ++position) {
    const OpId op = order.at(position);
    const Op& it = schedule.ops[op];
    if (schedule.moves_data(it) && it.source != it.destination) ++depths[op];
    deepest = std::max(deepest, depths[op]);
    for (const OpId next : schedule.successors(op))
      depths[next] = std::max(depths[next], depths[op]);
  }
  return deepest;
}

}  // namespace syncsim
