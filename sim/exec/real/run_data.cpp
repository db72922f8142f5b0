#include "sim/exec/real/run_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/base/memory.h"
#include "sim/schedule/check_order.h"
#include "sim/schedule/op_ends.h"

namespace syncsim {
namespace {

const ElementType& type_of(const Schedule& schedule) {
  if (schedule.collectives.empty()) return element_types().at("float32");
  const std::string_view datatype = schedule.collectives.front().collective.datatype;
  for (const PlacedCollective& placed : schedule.collectives)
    if (placed.collective.datatype != datatype)
      throw InputError(
          fmt::format("the schedule sums {} and {}", datatype, placed.collective.datatype),
          "a real run takes one datatype");
  return element_types().at(datatype);
}

std::int64_t most_elements(const Schedule& schedule, const ElementType& type) {
  std::int64_t most = 0;
  for (const Buffer& buffer : schedule.buffers) most = std::max(most, buffer.boundaries.back());
  return most / static_cast<std::int64_t>(type.size);
}

void require_whole_elements(const Schedule& schedule, const ElementType& type) {
  for (const Buffer& buffer : schedule.buffers)
    for (const std::int64_t boundary : buffer.boundaries)
      if (boundary % static_cast<std::int64_t>(type.size) != 0)
        throw InputError(fmt::format("{} is cut at byte {}, inside an element of {}", buffer.name,
                                     boundary, type.name),
                         "choose a size that the chunks divide, or int8");
}

bool has_relaxed(const Schedule& schedule) {
  return std::any_of(schedule.buffers.begin(), schedule.buffers.end(),
                     [](const Buffer& buffer) { return buffer.relaxed; });
}

bool has_produced(const Schedule& schedule) {
  return std::any_of(schedule.ops.begin(), schedule.ops.end(),
                     [](const Op& op) { return op.access == Access::produces; });
}

std::uint64_t cells_of(const Schedule& schedule) {
  std::uint64_t chunks = 0;
  for (const Buffer& buffer : schedule.buffers) chunks += buffer.chunks();
  return capped_product(chunks, schedule.participants.size());
}

}  // namespace

RunData::RunData(const Schedule& schedule)
    : schedule_(schedule),
      ids_(schedule),
      roles_(ids_),
      contributions_(schedule.ranks, type_of(schedule),
                     most_elements(schedule, type_of(schedule))) {
  require_whole_elements(schedule, type());
  if (has_produced(schedule)) note_produced();
  if (has_relaxed(schedule)) follow_staleness();
}

std::uint64_t RunData::needed_bytes(const Schedule& schedule) {
  const ElementType& type = type_of(schedule);
  const std::uint64_t cells = cells_of(schedule);
  return Contributions::table_bytes(schedule.ranks, type, most_elements(schedule, type)) +
         (has_produced(schedule) ? cells / 8 : 0) +
         (has_relaxed(schedule) ? capped_product(cells, 1 + sizeof(ChunkId)) : 0);
}

std::size_t RunData::index(const CellPlace& cell) const {
  return std::size_t{cell.participant} * ids_.count() + ids_.id(cell.buffer, cell.chunk);
}

CellPlace RunData::place(ParticipantId participant, ChunkId chunk) const {
  return {participant, ids_.buffer(chunk), ids_.chunk(chunk)};
}

Elements RunData::elements(const CellPlace& cell) const {
  const auto& boundaries = schedule_.buffers[cell.buffer].boundaries;
  const auto size = static_cast<std::int64_t>(type().size);
  return {boundaries[cell.chunk] / size,
          (boundaries[cell.chunk + std::size_t{1}] - boundaries[cell.chunk]) / size};
}

bool RunData::contributes(const CellPlace& cell) const {
  const ChunkId chunk = ids_.id(cell.buffer, cell.chunk);
  return cell.participant < schedule_.ranks && roles_.has(chunk) &&
         roles_.of(chunk).contributors.contains(cell.participant);
}

bool RunData::matters(const CellPlace& cell) const {
  const ChunkId chunk = ids_.id(cell.buffer, cell.chunk);
  return cell.participant < schedule_.ranks && roles_.has(chunk) &&
         (contributes(cell) || roles_.of(chunk).holders.contains(cell.participant));
}

void RunData::note_produced() {
  produced_.resize(cells_of(schedule_));
  for (const Op& op : schedule_.ops)
    for (std::uint32_t i = 0; op.access == Access::produces && i < op.chunk_count; ++i)
      produced_[index({op.destination, op.destination_buffer, op.destination_chunk + i})] = true;
}

void RunData::follow_staleness() {
  stale_.resize(cells_of(schedule_));
  std::vector<ChunkId> origins(stale_.size(), kNone);
  for (ParticipantId rank = 0; rank < schedule_.ranks; ++rank)
    for (ChunkId chunk = 0; chunk < ids_.count(); ++chunk) {
      const CellPlace cell = place(rank, chunk);
      if (contributes(cell)) origins[index(cell)] = chunk;
    }
  const checking::Order order(schedule_);
  for (std::uint32_t position = 0; position < schedule_.ops.size(); ++position) {
    const Op& op = schedule_.ops[order.at(position)];
    if (!schedule_.moves_data(op)) continue;
    each_way(schedule_.groups, op, [&](ParticipantId from, ParticipantId to) {
      for (std::uint32_t i = 0; i < op.chunk_count; ++i)
        follow(op, {from, op.source_buffer, op.source_chunk + i},
               {to, op.destination_buffer, op.destination_chunk + i}, origins);
    });
  }
  for (ParticipantId participant = 0; participant < schedule_.participants.size(); ++participant)
    for (ChunkId chunk = 0; chunk < ids_.count(); ++chunk) {
      const CellPlace cell = place(participant, chunk);
      if (ids_.relaxed(chunk) && origins[index(cell)] != kNone)
        relaxed_.emplace(origins[index(cell)], cell);
    }
}

void RunData::follow(const Op& op, const CellPlace& from, const CellPlace& to,
                     std::vector<ChunkId>& origins) {
  const bool stale = schedule_.buffers[from.buffer].relaxed || stale_[index(from)];
  const bool kept = op.kind == OpKind::reduce && stale_[index(to)];
  stale_[index(to)] = stale || kept;
  if (op.kind == OpKind::copy || origins[index(to)] == kNone)
    origins[index(to)] = origins[index(from)];
}

void RunData::begin(const CellPlace& cell, std::byte* memory) const {
  const Elements range = elements(cell);
  if (contributes(cell) && (produced_.empty() || !produced_[index(cell)]))
    contributions_.write(cell.participant, range, memory);
  else if (range.count > 0)
    std::memset(memory, 0, static_cast<std::size_t>(range.count) * type().size);
}

void RunData::produce(const CellPlace& cell, std::byte* memory) const {
  if (contributes(cell)) contributions_.write(cell.participant, elements(cell), memory);
}

bool RunData::applied_once(ChunkId chunk, const MemoryOf& memory_of) const {
  const Elements range = elements(place(0, chunk));
  const auto [first, last] = relaxed_.equal_range(chunk);
  return std::any_of(first, last, [&](const auto& relaxed) {
    return !contributions_.first_wrong(contributor(chunk), range, memory_of(relaxed.second));
  });
}

std::optional<WrongElement> RunData::wrong_in(const CellPlace& cell,
                                              const MemoryOf& memory_of) const {
  const ChunkId chunk = ids_.id(cell.buffer, cell.chunk);
  const Elements range = elements(cell);
  const std::byte* const memory = memory_of(cell);
  const auto wrong = contributions_.first_wrong(contributor(chunk), range, memory);
  if (!wrong) return {};
  if (is_stale(cell) && applied_once(chunk, memory_of)) return {};
  const auto at = static_cast<std::size_t>(*wrong - range.first) * type().size;
  return WrongElement{cell.participant, schedule_.buffers[cell.buffer].name, *wrong,
                      contributions_.value(contributor(chunk), *wrong), type().load(memory + at)};
}

std::optional<WrongElement> RunData::first_wrong_of(ParticipantId rank,
                                                    const MemoryOf& memory_of) const {
  for (ChunkId chunk = 0; chunk < ids_.count(); ++chunk) {
    if (!roles_.has(chunk) || !roles_.of(chunk).holders.contains(rank)) continue;
    if (auto wrong = wrong_in(place(rank, chunk), memory_of)) return wrong;
  }
  return {};
}

std::optional<WrongElement> RunData::first_wrong(const MemoryOf& memory_of) const {
  for (ParticipantId rank = 0; rank < schedule_.ranks; ++rank)
    if (auto wrong = first_wrong_of(rank, memory_of)) return wrong;
  return {};
}

}  // namespace syncsim
