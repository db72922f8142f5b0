#include "sim/schedule/msccl/layout.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/text.h"

namespace syncsim::msccl {
namespace {

bool is_split(CollectiveKind kind) {
  return kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter ||
         kind == CollectiveKind::all_to_all;
}

}  // namespace

std::string_view collective_name(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::allreduce:
      return "allreduce";
    case CollectiveKind::all_gather:
      return "allgather";
    case CollectiveKind::reduce_scatter:
      return "reduce_scatter";
    case CollectiveKind::all_to_all:
      return "alltoall";
    case CollectiveKind::broadcast:
      return "broadcast";
    case CollectiveKind::reduce:
      return "reduce";
    default:
      throw InputError(fmt::format("MSCCL has no {}", to_string(kind)),
                       "it has allreduce, allgather, reduce_scatter, alltoall, broadcast and "
                       "reduce; write .json");
  }
}

Layout::Layout(const Collective& collective, std::uint32_t chunks, bool in_place)
    : collective_(collective), chunks_(chunks), in_place_(in_place) {
  const std::string_view name = collective_name(collective.kind);
  if (is_split(collective.kind) && chunks % static_cast<std::uint32_t>(collective.ranks) != 0)
    throw InputError(fmt::format("{} of {} on {}", counted(chunks, "chunk"), name,
                                 counted(static_cast<std::uint64_t>(collective.ranks), "rank")),
                     fmt::format("give a multiple of {}", collective.ranks));
}

std::uint32_t Layout::size(Space space) const {
  const bool is_part =
      (space == Space::input && collective_.kind == CollectiveKind::all_gather) ||
      (space == Space::output && collective_.kind == CollectiveKind::reduce_scatter);
  return is_part ? part() : chunks_;
}

std::uint32_t Layout::data_chunks() const {
  return is_pairwise() ? chunks_ * static_cast<std::uint32_t>(collective_.ranks) : chunks_;
}

std::uint32_t Layout::chunks_beside() const {
  return in_place_ && !is_pairwise() ? 0 : size(Space::output);
}

std::uint32_t Layout::begin(int rank, Space space) const {
  if (is_pairwise()) return static_cast<std::uint32_t>(rank) * chunks_;
  return size(space) == chunks_ ? 0 : static_cast<std::uint32_t>(rank) * part();
}

Cell Layout::at(int rank, Space space, std::uint32_t chunk) const {
  if (space == Space::scratch) return {kScratch, chunk};
  const bool beside = in_place_ ? is_pairwise() : space == Space::output;
  if (beside) return {kBeside, chunk};
  return {kData, begin(rank, space) + chunk};
}

bool Layout::is_given(int rank, const Cell& cell) const {
  if (cell.buffer == kBeside) return in_place_;
  if (cell.buffer != kData) return false;
  switch (collective_.kind) {
    case CollectiveKind::broadcast:
      return rank == collective_.root;
    case CollectiveKind::all_gather:
      return cell.chunk / part() == static_cast<std::uint32_t>(rank);
    case CollectiveKind::all_to_all:
      return cell.chunk / chunks_ == static_cast<std::uint32_t>(rank);
    default:
      return true;
  }
}

std::uint32_t Layout::data_chunk(int rank, const Cell& cell) const {
  if (cell.buffer != kBeside) return cell.chunk;
  if (!is_pairwise()) return begin(rank, Space::output) + cell.chunk;
  return cell.chunk / part() * chunks_ + static_cast<std::uint32_t>(rank) * part() +
         cell.chunk % part();
}

std::vector<CellMove> Layout::before(int rank) const {
  if (!is_pairwise() || !in_place_) return {};
  return {{{kData, begin(rank, Space::input)}, {kBeside, 0}, chunks_}};
}

bool Layout::has_output(int rank) const {
  return collective_.kind != CollectiveKind::reduce || rank == collective_.root;
}

std::vector<CellMove> Layout::after(int rank) const {
  if (chunks_beside() == 0 || !has_output(rank)) return {};
  if (!is_pairwise())
    return {{{kBeside, 0}, {kData, data_chunk(rank, {kBeside, 0})}, size(Space::output)}};
  std::vector<CellMove> moves;
  for (std::uint32_t chunk = 0; chunk < chunks_; chunk += part())
    moves.push_back({{kBeside, chunk}, {kData, data_chunk(rank, {kBeside, chunk})}, part()});
  return moves;
}

}  // namespace syncsim::msccl
