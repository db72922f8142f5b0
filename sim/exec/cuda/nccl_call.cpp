#include "sim/exec/cuda/nccl_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/text.h"
#include "sim/exec/cuda/device_room.h"
#include "sim/exec/cuda/place_run.h"

namespace syncsim {
namespace {

struct Function {
  CollectiveKind kind;
  std::string_view name;
};
constexpr std::array kFunctions = {Function{CollectiveKind::allreduce, "ncclAllReduce"},
                                   Function{CollectiveKind::reduce, "ncclReduce"},
                                   Function{CollectiveKind::broadcast, "ncclBroadcast"},
                                   Function{CollectiveKind::reduce_scatter, "ncclReduceScatter"},
                                   Function{CollectiveKind::all_gather, "ncclAllGather"}};

struct Datatype {
  std::string_view name;
  int number;  // in nccl.h
};
constexpr std::array kDatatypes = {
    Datatype{"int8", 0},    Datatype{"int32", 2},   Datatype{"int64", 4},   Datatype{"float16", 6},
    Datatype{"float32", 7}, Datatype{"float64", 8}, Datatype{"bfloat16", 9}};

int nccl_datatype(std::string_view name) {
  const auto* const row = std::find_if(kDatatypes.begin(), kDatatypes.end(),
                                       [&](const Datatype& type) { return type.name == name; });
  require(row != kDatatypes.end(), "a datatype that NCCL's table lacks");
  return row->number;
}

const PlacedCollective& only_collective(const Schedule& schedule) {
  const bool computes = std::any_of(schedule.ops.begin(), schedule.ops.end(),
                                    [](const Op& op) { return op.kind == OpKind::compute; });
  if (schedule.collectives.size() != 1 || computes)
    throw InputError("NCCL is there for one collective, not for training steps",
                     "run these by --executor cuda", "--executor");
  return schedule.collectives.front();
}

void require_own_devices(const Schedule& schedule, const DeviceMap& map) {
  if (map.devices.size() < schedule.ranks)
    throw InputError(
        fmt::format("NCCL wants a device for each rank: {} share {}",
                    counted(schedule.ranks, "rank"), counted(map.devices.size(), "device")),
        "use fewer ranks, or --executor cuda", "--executor");
}

// All of one size, in elements.
std::uint64_t even_block(const Collective& collective) {
  if (collective.elements() % collective.ranks != 0)
    throw InputError(fmt::format("NCCL's {} takes blocks of one size, and {} elements make none "
                                 "for {}",
                                 to_string(collective.kind), collective.elements(),
                                 counted(static_cast<std::uint64_t>(collective.ranks), "rank")),
                     "choose a size that the ranks divide");
  return static_cast<std::uint64_t>(collective.elements() / collective.ranks);
}

}  // namespace

std::string_view nccl_function(CollectiveKind kind) {
  const auto* const row = std::find_if(kFunctions.begin(), kFunctions.end(),
                                       [&](const Function& own) { return own.kind == kind; });
  return row == kFunctions.end() ? "" : row->name;
}

NcclCall nccl_call(const Schedule& schedule, const BufferExtents& extents, const DeviceMap& map) {
  const PlacedCollective& placed = only_collective(schedule);
  const Collective& collective = placed.collective;
  if (nccl_function(collective.kind).empty())
    throw InputError(fmt::format("NCCL has no function for {}", to_string(collective.kind)),
                     "run it by --executor cuda", "--executor");
  require_own_devices(schedule, map);
  NcclCall call;
  call.kind = collective.kind;
  call.datatype = nccl_datatype(collective.datatype);
  call.root = collective.root;
  const bool blocks = has_blocks(collective.kind);
  call.count = blocks ? even_block(collective) : static_cast<std::uint64_t>(collective.elements());
  const std::uint64_t block = call.count * static_cast<std::uint64_t>(collective.element_size());
  for (ParticipantId rank = 0; rank < schedule.ranks; ++rank) {
    const BufferExtents::Extent& extent = extents.of(rank, placed.buffer);
    const std::uint32_t place = map.place_of[rank];
    const std::int64_t begin =
        schedule.buffers[placed.buffer].boundaries[placed.first_chunk] - extent.begin;
    const GraphPlace all{place,
                         extent.at - extents.begin_of(place) + static_cast<std::uint64_t>(begin)};
    const GraphPlace own{place, all.offset + (blocks ? block * rank : 0)};
    const bool gathers = collective.kind == CollectiveKind::all_gather;
    call.ranks.push_back({gathers ? own : all, gathers ? all : own});
  }
  return call;
}

Measurement measure_collective(const Schedule& schedule, const RealOptions& options,
                               const CudaFacts& facts, const MakeNcclRunner& make) {
  require_host_room(schedule, 0, options.memory);
  const RunData data(schedule);
  const DeviceMap map = map_devices(schedule, options.devices, facts);
  const BufferExtents extents(schedule, data, map.place_of);
  require_host_room(schedule, extents.total(), options.memory);
  const NcclCall call = nccl_call(schedule, extents, map);
  std::vector<std::uint64_t> bytes;
  for (std::uint32_t place = 0; place < map.places(); ++place)
    bytes.push_back(extents.bytes_of(place));
  require_device_room(bytes, map, facts);
  const std::unique_ptr<PlaceRunner> runner = make({call, map, bytes});
  PlaceRun run(schedule, data, map, extents, *runner);
  Measurement measurement;
  measurement.workers = counted(map.devices.size(), "device");
  run.iterate(options, measurement);
  measurement.timeline.finish = measurement.median();
  measurement.timeline.ops_done = schedule.ops.size();
  return measurement;
}

}  // namespace syncsim
