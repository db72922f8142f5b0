#include "strategies/shares.h"

#include <algorithm>

namespace syncsim::strategy {

Shares::Shares(ScheduleBuilder& builder, const Fold& fold,
               const std::vector<std::vector<int>>& orders)
    : builder_(builder), fold_(fold) {
  const auto shares = static_cast<int>(orders.size());
  if (!has_blocks(builder.collective().kind)) {
    for (const Slice& share : builder.split(builder.data(), shares))
      pieces_.push_back(builder.split(share, fold.members()));
    return;
  }
  if (shares == 1 && std::is_sorted(orders[0].begin(), orders[0].end())) {
    pieces_.push_back(fold.parts());
    return;
  }
  for (int rank = 0; rank < builder.ranks(); ++rank)
    home_.push_back(builder.split(builder.part(rank), shares));
  laid_out_ = home_;
  Slice next = builder.scratch("shares", {builder.data().size()});
  for (std::size_t share = 0; share < orders.size(); ++share) {
    std::vector<Slice>& pieces = pieces_.emplace_back();
    for (const int member : orders[share]) {
      const std::int64_t begin = next.begin;
      for (int rank = fold.first(member); rank < fold.first(member + 1); ++rank) {
        Slice& part = laid_out_[static_cast<std::size_t>(rank)][share];
        part = {next.buffer, next.begin, next.begin + part.size()};
        builder.split(part, 1);
        next.begin = part.end;
      }
      pieces.push_back({next.buffer, begin, next.begin});
    }
  }
}

// Calls act(rank of a member, part in the data, the same laid out).
template <class Act>
void Shares::each_part(Whose whose, Act&& act) const {
  for (int member = 0; member < fold_.members(); ++member)
    for (std::size_t rank = 0; rank < home_.size(); ++rank) {
      const bool own = fold_.member(static_cast<int>(rank)) == member;
      if (own != (whose == Whose::own)) continue;
      for (std::size_t share = 0; share < home_[rank].size(); ++share)
        if (home_[rank][share].size() > 0)
          act(fold_.rank(member), home_[rank][share], laid_out_[rank][share]);
    }
}

void Shares::copy_in(Whose whose) const {
  each_part(whose, [&](ParticipantId rank, const Slice& home, const Slice& laid_out) {
    builder_.copy(rank, home, rank, laid_out);
  });
}

void Shares::copy_out(Whose whose) const {
  each_part(whose, [&](ParticipantId rank, const Slice& home, const Slice& laid_out) {
    builder_.copy(rank, laid_out, rank, home);
  });
}

void Shares::lay_out() const {
  copy_in(Whose::own);
  if (builder_.collective().kind == CollectiveKind::reduce_scatter) copy_in(Whose::others);
}

void Shares::bring_back() const {
  const bool gathered = builder_.collective().kind == CollectiveKind::all_gather;
  copy_out(gathered ? Whose::others : Whose::own);
}

std::uint64_t Shares::copies() const {
  if (home_.empty()) return 0;
  const std::uint64_t parts = home_.size() * home_.front().size();
  const auto members = static_cast<std::uint64_t>(fold_.members());
  const bool gathered = builder_.collective().kind == CollectiveKind::all_gather;
  return parts * (members + (gathered ? 0 : 1));
}

}  // namespace syncsim::strategy
