#include "sim/schedule/overseer.h"

#include <algorithm>
#include <utility>

#include "sim/base/memory.h"

namespace syncsim {

Overseer::Overseer(Oversight oversight, Buffers& buffers, std::uint64_t ranks)
    : oversight_(std::move(oversight)), buffers_(buffers), next_look_(Pace::kSteps) {
  expected_.ranks = ranks;
}

void Overseer::announce(std::uint64_t ops, const Expected& following) {
  if (ops + following.ops <= expected_.ops) return;  // part of what was announced
  const std::uint64_t pairs = capped_product(expected_.ranks, expected_.ranks);
  expected_.lanes += following.lanes > 0 ? following.lanes : std::min(following.ops, pairs);
  expected_.moves += capped_product(following.ops, following.chunks_an_op);
  need_room(ops + following.ops);
}

void Overseer::at(std::uint64_t ops) {
  ops_ = ops;
  need_room_beyond(ops);
  ask_watch();
}

void Overseer::look() {
  next_look_ = steps_ + Pace::kSteps;
  need_room_beyond(ops_ + dropped_);
  if (many_more_chunks()) need_room(expected_.ops);
  ask_watch();
}

bool Overseer::many_more_chunks() const {
  constexpr std::uint64_t kGrown = 2;
  return buffers_.boundaries() > kGrown * expected_.chunks + Pace::kSteps;
}

// Where a strategy emits more than it announced (joins are few), a quarter more than so far.
void Overseer::need_room_beyond(std::uint64_t ops) {
  constexpr std::uint64_t kFew = 8;
  if (ops <= expected_.ops + expected_.ops / kFew) return;
  const std::uint64_t pairs = capped_product(expected_.ranks, expected_.ranks);
  expected_.lanes = std::max(expected_.lanes, std::min(ops, pairs));
  expected_.moves = std::max(expected_.moves, ops) + ops / 4;
  need_room(ops + ops / 4);
}

void Overseer::need_room(std::uint64_t ops) {
  expected_.ops = ops;
  // Each op waits for one that wrote what it sends, and half of the chunks moved (all of a copy's,
  // few of a reduce's) for one that used what they overwrite.
  expected_.edges = ops + expected_.moves / 2;
  // In a stale pass, counting them takes as long as asking for them took.
  if (!buffers_.stale() || many_more_chunks()) expected_.chunks = buffers_.chunks();
  if (oversight_.require_room) oversight_.require_room(expected_);
}

void Overseer::ask_watch() const {
  const Progress progress{Stage::emitting, ops_, std::max(ops_, expected_.ops), {}};
  if (oversight_.watch != nullptr && !oversight_.watch->goes_on(progress))
    throw Interrupted(progress);
}

}  // namespace syncsim
