#include "strategies/grouped_data.h"

#include <algorithm>

#include "strategies/announce.h"

namespace syncsim::strategy {
namespace {

// Neighbouring pieces, `size` at a time, in one each.
std::vector<Shared> runs_of(const std::vector<Slice>& pieces,
                            const std::vector<std::size_t>& sizes) {
  std::vector<Shared> result;
  auto first = pieces.begin();
  for (const std::size_t size : sizes) {
    const auto end = first + static_cast<std::ptrdiff_t>(size);
    result.push_back({joined(*first, *(end - 1)), {first, end}});
    first = end;
  }
  return result;
}

std::vector<Slice> slices_of(const std::vector<Shared>& runs) {
  std::vector<Slice> result;
  for (const Shared& run : runs) result.push_back(run.data);
  return result;
}

}  // namespace

GroupedData::GroupedData(ScheduleBuilder& builder, const Groups& groups,
                         const std::vector<int>& leaders, Across across, int chunks)
    : builder_(builder),
      groups_(groups),
      leaders_(leaders),
      across_(across),
      all_(builder, builder.ranks()) {
  if (!has_blocks(builder.collective().kind)) {
    for (const Slice& slice : builder.split(builder.data(), chunks))
      chunks_.push_back(chunk_of(slice));
    return;
  }
  const auto count = static_cast<std::size_t>(chunks);
  blocks_.emplace(builder, all_, std::vector<std::vector<int>>(count, order()));
  for (std::size_t i = 0; i < count; ++i) chunks_.push_back(chunk_of(blocks_->pieces(i)));
}

void GroupedData::lay_out() const {
  if (!blocks_) return;
  announce_copies(blocks_->copies() - copies_back());
  builder_.phase("arrange");
  blocks_->lay_out();
}

void GroupedData::bring_back() const {
  if (!blocks_) return;
  announce_copies(copies_back());
  builder_.phase("bring back");
  blocks_->bring_back();
}

// A gathered part comes back at all ranks but its own, a sum at its own only.
std::uint64_t GroupedData::copies_back() const {
  const auto ranks = static_cast<std::uint64_t>(builder_.ranks());
  const std::uint64_t all = blocks_->copies();
  const bool gathers = builder_.collective().kind == CollectiveKind::all_gather;
  return gathers ? all / ranks * (ranks - 1) : all / (ranks + 1);
}

void GroupedData::announce_copies(std::uint64_t copies) const {
  announce(builder_, copies, static_cast<std::uint64_t>(builder_.ranks()), copies);
}

Chunk GroupedData::chunk_of(const Slice& slice) const {
  Chunk chunk{slice, {}, {}};
  for (const std::vector<int>& ranks : groups_.ranks)
    chunk.of_group.push_back({slice, builder_.split(slice, static_cast<int>(ranks.size()))});
  if (across_ == Across::rails)
    chunk.rails = common_rails(chunk.of_group);
  else
    chunk.rails.push_back({leaders_, {slice}});
  return chunk;
}

// From where one group's shard ends to where the next one of any group does.
std::vector<Rail> GroupedData::common_rails(const std::vector<Shared>& of_group) const {
  std::vector<std::size_t> member(of_group.size());
  std::vector<Rail> rails;
  for (std::int64_t begin = of_group.front().data.begin; begin < of_group.front().data.end;) {
    std::int64_t end = of_group.front().data.end;
    std::vector<int> ranks;
    for (std::size_t group = 0; group < of_group.size(); ++group) {
      while (of_group[group].parts[member[group]].end <= begin) ++member[group];
      end = std::min(end, of_group[group].parts[member[group]].end);
      ranks.push_back(groups_.ranks[group][member[group]]);
    }
    rails.push_back({std::move(ranks), {{of_group.front().data.buffer, begin, end}}});
    begin = end;
  }
  return rails;
}

// Of the laid out blocks, the ranks that they are of: rail by rail, or group by group.
std::vector<int> GroupedData::order() const {
  std::vector<int> result;
  if (across_ == Across::leader) {
    for (const std::vector<int>& ranks : groups_.ranks)
      result.insert(result.end(), ranks.begin(), ranks.end());
    return result;
  }
  for (std::size_t member = 0; member < groups_.ranks.front().size(); ++member)
    for (const std::vector<int>& ranks : groups_.ranks) result.push_back(ranks[member]);
  return result;
}

Chunk GroupedData::chunk_of(const std::vector<Slice>& pieces) const {
  const Slice data = joined(pieces.front(), pieces.back());
  if (across_ == Across::leader) {
    std::vector<std::size_t> sizes;
    for (const std::vector<int>& ranks : groups_.ranks) sizes.push_back(ranks.size());
    const std::vector<Shared> of_group = runs_of(pieces, sizes);
    return {data, of_group, {{leaders_, {data, slices_of(of_group)}}}};
  }
  const std::size_t members = groups_.ranks.front().size();
  const std::vector<Shared> of_rail =
      runs_of(pieces, std::vector<std::size_t>(members, groups_.ranks.size()));
  Chunk chunk{data, {groups_.ranks.size(), {data, slices_of(of_rail)}}, {}};
  for (std::size_t member = 0; member < members; ++member) {
    std::vector<int> ranks;
    for (const std::vector<int>& group : groups_.ranks) ranks.push_back(group[member]);
    chunk.rails.push_back({std::move(ranks), of_rail[member]});
  }
  return chunk;
}

}  // namespace syncsim::strategy
