#include "sim/schedule/check_fingerprint.h"

#include <algorithm>

namespace syncsim::checking {
namespace {

bool is_reduce(const Column::Step& step) { return step.kind == OpKind::reduce; }

// splitmix64 (Steele, Lea, Flood 2014).
class KeyGenerator {
 public:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_ = 0x73796e6373696d21ull;
};

}  // namespace

FingerprintCheck::FingerprintCheck(const ChunkIds& ids) : ids_(ids) {
  KeyGenerator generator;
  for (std::uint32_t rank = 0; rank < ids.schedule().ranks; ++rank) {
    const std::uint64_t low = generator.next();
    keys_.push_back({kNone, 1, low, generator.next()});
    all_.low += keys_.back().low;
    all_.high += keys_.back().high;
  }
  all_.contributions = ids.schedule().ranks;
}

bool FingerprintCheck::proves(const Column& column) {
  if (!every_reduce_is_used(column)) return false;
  start(column);
  for (const Column::Step& step : column.steps()) {
    if (step.kind == OpKind::compute) continue;
    if (!is_reduce(step))
      sums_[step.destination] = sums_[step.source];
    else if (!add(sums_[step.destination], sums_[step.source]))
      return false;
  }
  for (const Column::Goal& goal : column.goals()) {
    const Sum right = expected(goal);
    for (std::uint32_t rank = 0; rank < ids_.schedule().ranks; ++rank)
      if (goal.role.holders.contains(rank) && sums_[goal.first_cell + rank] != right) return false;
  }
  return true;
}

// Backward from the holders' cells: whether what a step writes can reach one of them.
bool FingerprintCheck::every_reduce_is_used(const Column& column) {
  used_.assign(column.cells().size(), false);
  for (const Column::Goal& goal : column.goals())
    for (std::uint32_t rank = 0; rank < ids_.schedule().ranks; ++rank)
      if (goal.role.holders.contains(rank)) used_[goal.first_cell + rank] = true;
  for (std::size_t i = column.steps().size(); i-- > 0;) {
    const Column::Step& step = column.steps()[i];
    if (step.kind == OpKind::compute) continue;
    const bool used = used_[step.destination];
    if (is_reduce(step) && !used) return false;
    if (!is_reduce(step)) used_[step.destination] = false;
    if (used) used_[step.source] = true;
  }
  return true;
}

void FingerprintCheck::start(const Column& column) {
  sums_.assign(column.cells().size(), {});
  for (const Column::Goal& goal : column.goals())
    for (std::uint32_t rank = 0; rank < ids_.schedule().ranks; ++rank)
      if (goal.role.contributors.contains(rank)) {
        sums_[goal.first_cell + rank] = keys_[rank];
        sums_[goal.first_cell + rank].origin = goal.chunk;
      }
}

// False for another origin, and for more contributions than there are ranks: one is there twice.
bool FingerprintCheck::add(Sum& sum, const Sum& addend) const {
  if (addend.origin == kNone) return true;
  if (sum.origin == kNone) {
    sum = addend;
    return true;
  }
  if (sum.origin != addend.origin) return false;
  if (addend.contributions > keys_.size() - sum.contributions) return false;
  sum.contributions += addend.contributions;
  sum.low += addend.low;
  sum.high += addend.high;
  return true;
}

FingerprintCheck::Sum FingerprintCheck::expected(const Column::Goal& goal) const {
  const RankSet contributors = goal.role.contributors;
  Sum sum = contributors.only == kNone ? all_ : keys_[contributors.only];
  sum.origin = goal.chunk;
  return sum;
}

}  // namespace syncsim::checking
