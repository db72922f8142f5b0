#include "sim/schedule/msccl/cells.h"

#include <fmt/format.h>

#include <numeric>

#include "sim/base/error.h"

namespace syncsim::msccl {
namespace {

// Offsets are of 16 bits in the runtime (mscclTransfer, microsoft/msccl src/include/msccl.h).
constexpr std::int64_t kMostUnits = 32'767;

InputError uneven(std::int64_t unit, std::int64_t units) {
  return {
      fmt::format("the chunks are not alike: in units of {} B the buffers have {}", unit, units),
      fmt::format("give bytes and parameters that divide evenly: MSCCL has equal chunks, at most "
                  "{} of them; or write .json",
                  kMostUnits)};
}

}  // namespace

Units::Units(const Schedule& schedule)
    : schedule_(schedule),
      pairwise_(is_pairwise(schedule.collectives.front().collective.kind)),
      data_space_(schedule.collectives.front().collective.kind == CollectiveKind::all_gather
                      ? Space::output
                      : Space::input) {
  const Collective& collective = schedule.collectives.front().collective;
  std::int64_t unit = collective.bytes.count;
  std::int64_t all = 0;
  for (const Buffer& buffer : schedule.buffers) {
    for (const std::int64_t boundary : buffer.boundaries) unit = std::gcd(unit, boundary);
    all += buffer.boundaries.back();
  }
  if (unit == 0) throw InputError("there is nothing to move", "give some bytes");
  if (has_blocks(collective.kind))
    for (const std::int64_t block : collective.block_boundaries()) unit = std::gcd(unit, block);
  if (all / unit > kMostUnits) throw uneven(unit, all / unit);
  unit_ = unit;
  chunks_ = static_cast<std::uint32_t>(collective.bytes.count / unit);
  if (has_blocks(collective.kind) && chunks_ % static_cast<std::uint32_t>(collective.ranks) != 0)
    throw uneven(unit, all / unit);
  for (const Buffer& buffer : schedule.buffers) {
    const bool is_data = begins_.empty() && !pairwise_;
    begins_.push_back(scratch_);
    if (!is_data) scratch_ += static_cast<std::uint32_t>(buffer.boundaries.back() / unit);
  }
}

UnitRange Units::source(const Op& op) const {
  return range(op.source, op.source_buffer, op.source_chunk, op.chunk_count);
}

UnitRange Units::destination(const Op& op) const {
  return range(op.destination, op.destination_buffer, op.destination_chunk, op.chunk_count);
}

UnitRange Units::range(ParticipantId rank, std::uint8_t buffer, std::uint32_t chunk,
                       std::uint32_t count) const {
  const auto& boundaries = schedule_.buffers[buffer].boundaries;
  const auto first = static_cast<std::uint32_t>(boundaries[chunk] / unit_);
  const auto units = static_cast<std::uint32_t>(boundaries[chunk + count] / unit_) - first;
  if (buffer > 0)
    return {{Space::scratch, static_cast<std::int32_t>(begins_[buffer] + first)}, units};
  if (!pairwise_) return {{data_space_, static_cast<std::int32_t>(first)}, units};
  const Place begin = pairwise_place(rank, first);
  for (std::uint32_t i = 1; i < units; ++i) {
    const Place next = pairwise_place(rank, first + i);
    if (next.space != begin.space || next.chunk != begin.chunk + static_cast<std::int32_t>(i))
      throw InputError("one op moves what MSCCL has in several places",
                       "choose another strategy, or write .json");
  }
  return {begin, units};
}

Place Units::pairwise_place(std::uint32_t rank, std::uint32_t unit) const {
  const std::uint32_t part = chunks_ / schedule_.ranks;
  const std::uint32_t from = unit / chunks_;
  const std::uint32_t column = unit % chunks_;
  if (from == rank) return {Space::input, static_cast<std::int32_t>(column)};
  if (column / part == rank)
    return {Space::output, static_cast<std::int32_t>(from * part + column % part)};
  return {Space::scratch, static_cast<std::int32_t>(unit)};
}

Place Units::new_scratch(std::uint32_t count) {
  const Place place{Space::scratch, static_cast<std::int32_t>(scratch())};
  more_scratch_ += count;
  return place;
}

UnitRange Units::own_input(std::uint32_t rank) const {
  const std::uint32_t part = chunks_ / schedule_.ranks;
  return {{Space::input, static_cast<std::int32_t>(rank * part)}, part};
}

Place Units::own_output(std::uint32_t rank) const {
  return {Space::output, own_input(rank).first.chunk};
}

}  // namespace syncsim::msccl
