#include "sim/exec/mpi/courier.h"

#include <algorithm>
#include <functional>

#include "sim/base/memory.h"

namespace syncsim {

MpiCourier::MpiCourier(const Schedule& schedule, const OwnPart& part, HostMemory& memory,
                       HostMover& mover, const ElementType& type)
    : schedule_(schedule),
      part_(part),
      memory_(memory),
      mover_(mover),
      type_(type),
      times_(part.ops.size()),
      left_(part.ops.size()),
      lanes_(part.lanes.size()) {
  std::uint64_t staged = 0;
  for (const OwnLane& lane : part.lanes) staged += staging_of(lane);
  staging_.resize(staged);
  staged = 0;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    lanes_[lane].staging = staging_.data() + staged;
    staged += staging_of(part.lanes[lane]);
  }
}

std::uint64_t MpiCourier::staging_of(const OwnLane& lane) {
  return lane.adds ? kAtOnce * static_cast<std::uint64_t>(kPiece) : 0;
}

std::uint64_t MpiCourier::needed_bytes(const OwnPart& part) {
  std::uint64_t staged = 0;
  for (const OwnLane& lane : part.lanes) staged += staging_of(lane) + sizeof(Lane);
  return staged + capped_product(part.ops.size(), sizeof(OpTimes) + 2 * sizeof(std::uint32_t));
}

Time MpiCourier::now() const {
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began_).count() *
          1'000};
}

MpiCourier::Clock::time_point MpiCourier::next_due() const {
  if (timers_.empty()) return Clock::time_point::max();
  return began_ + std::chrono::nanoseconds(timers_.front().due.ps / 1'000);
}

void MpiCourier::greet(Patience& patience) {
  std::vector<MPI_Request> requests(part_.lanes.size(), MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const OwnLane& lane = part_.lanes[i];
    if (part_.ops[lane.first].role == Role::local) continue;
    const auto peer = static_cast<int>(lane.peer);
    if (lane.sends)
      MPI_Isend(nullptr, 0, MPI_BYTE, peer, lane.channel, MPI_COMM_WORLD, &requests[i]);
    else
      MPI_Irecv(nullptr, 0, MPI_BYTE, peer, lane.channel, MPI_COMM_WORLD, &requests[i]);
  }
  patience.wait([&] {
    int there = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &there, MPI_STATUSES_IGNORE);
    return there != 0;
  });
}

void MpiCourier::run(Patience& patience) {
  begin();
  while (done_ < part_.ops.size()) {
    bool moved = start_ready();
    moved |= fire_timers();
    moved |= collect();
    if (moved)
      patience.moved();
    else
      patience.rest(next_due());
  }
}

void MpiCourier::begin() {
  done_ = 0;
  ready_.clear();
  for (std::uint32_t own = 0; own < part_.ops.size(); ++own) {
    left_[own] = part_.ops[own].waits;
    if (left_[own] == 0) ready_.push_back(own);
  }
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    lanes_[lane].head = part_.lanes[lane].first;
    lanes_[lane].offset = 0;
  }
  std::fill(times_.begin(), times_.end(), OpTimes{});
  began_ = Clock::now();
}

bool MpiCourier::start_ready() {
  const bool any = !ready_.empty();
  for (std::size_t i = 0; i < ready_.size(); ++i) {  // what is started may make others ready
    const std::uint32_t own = ready_[i];
    if (part_.ops[own].role == Role::local)
      start_local(own);
    else
      send_or_receive(part_.ops[own].lane);
  }
  ready_.clear();
  return any;
}

void MpiCourier::start_local(std::uint32_t own) {
  times_[own].start = now();
  const Op& self = op(own);
  if (self.kind == OpKind::compute && schedule_.durations[self.source_chunk].ps > 0) {
    timers_.push_back({times_[own].start + schedule_.durations[self.source_chunk], own});
    std::push_heap(timers_.begin(), timers_.end(), std::greater<>());
    return;
  }
  mover_.perform(self);
  finish(own);
}

bool MpiCourier::fire_timers() {
  bool any = false;
  while (!timers_.empty() && timers_.front().due <= now()) {
    const std::uint32_t own = timers_.front().own;
    std::pop_heap(timers_.begin(), timers_.end(), std::greater<>());
    timers_.pop_back();
    mover_.perform(op(own));
    finish(own);
    any = true;
  }
  return any;
}

// As many pieces as may be under way.
void MpiCourier::send_or_receive(std::uint32_t lane) {
  Lane& state = lanes_[lane];
  while (state.count < kAtOnce && state.head != kNone && left_[state.head] == 0) post(lane);
}

void MpiCourier::post(std::uint32_t lane) {
  Lane& state = lanes_[lane];
  const OwnLane& self = part_.lanes[lane];
  const std::uint32_t own = state.head;
  if (state.offset == 0) times_[own].start = now();
  const std::int64_t all = schedule_.bytes(op(own)).count;
  const std::uint32_t slot = (state.front + state.count++) % kAtOnce;
  Piece& piece = state.pieces[slot];
  piece = {own, state.offset, std::min(kPiece, all - state.offset)};
  state.offset += piece.bytes;
  piece.last = state.offset == all;
  if (piece.last) {
    state.head = part_.ops[own].next_in_lane;
    state.offset = 0;
  }
  const bool staged = !self.sends && op(own).kind == OpKind::reduce;
  std::byte* const at = staged ? state.staging + slot * kPiece : place_of(piece);
  MPI_Request request = MPI_REQUEST_NULL;
  const auto bytes = static_cast<int>(piece.bytes);
  const auto peer = static_cast<int>(self.peer);
  if (self.sends)
    MPI_Isend(at, bytes, MPI_BYTE, peer, self.channel, MPI_COMM_WORLD, &request);
  else
    MPI_Irecv(at, bytes, MPI_BYTE, peer, self.channel, MPI_COMM_WORLD, &request);
  requests_.push_back(request);
  tickets_.push_back({lane, slot});
}

// nullptr for a signal, which has none.
std::byte* MpiCourier::place_of(const Piece& piece) {
  if (piece.bytes == 0) return nullptr;
  const Op& self = op(piece.own);
  const bool sent = part_.ops[piece.own].role == Role::sends;
  const CellPlace cell =
      sent ? CellPlace{self.source, self.source_buffer, self.source_chunk}
           : CellPlace{self.destination, self.destination_buffer, self.destination_chunk};
  return memory_.at(cell) + piece.offset;
}

// What is over of what was sent and received.
bool MpiCourier::collect() {
  if (requests_.empty()) return false;
  indices_.resize(requests_.size());
  int count = 0;
  MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, indices_.data(),
               MPI_STATUSES_IGNORE);
  if (count <= 0) return false;
  indices_.resize(static_cast<std::size_t>(count));
  std::sort(indices_.begin(), indices_.end(), std::greater<>());
  std::vector<Ticket> over;
  for (const int index : indices_) {  // from the last one on, so that those left stay in place
    const auto at = static_cast<std::size_t>(index);
    over.push_back(tickets_[at]);
    requests_[at] = requests_.back();
    tickets_[at] = tickets_.back();
    requests_.pop_back();
    tickets_.pop_back();
  }
  for (const Ticket ticket : over) take(ticket);
  return true;
}

// Pieces are dealt with in the order of the lane.
void MpiCourier::take(Ticket ticket) {
  Lane& lane = lanes_[ticket.lane];
  lane.pieces[ticket.slot].arrived = true;
  while (lane.count > 0 && lane.pieces[lane.front].arrived) {
    const Piece piece = lane.pieces[lane.front];
    put(lane, lane.front);
    lane.front = (lane.front + 1) % kAtOnce;
    --lane.count;
    if (piece.last) finish(piece.own);
  }
  send_or_receive(ticket.lane);
}

void MpiCourier::put(const Lane& lane, std::uint32_t slot) {
  const Piece& piece = lane.pieces[slot];
  if (part_.ops[piece.own].role != Role::receives || op(piece.own).kind != OpKind::reduce) return;
  if (piece.bytes > 0)
    type_.add(place_of(piece), lane.staging + slot * kPiece, static_cast<std::size_t>(piece.bytes));
}

void MpiCourier::finish(std::uint32_t own) {
  times_[own].finish = now();
  ++done_;
  const std::size_t end =
      own + 1 < part_.ops.size() ? part_.ops[own + 1].successors : part_.successors.size();
  for (std::size_t i = part_.ops[own].successors; i < end; ++i) {
    const std::uint32_t next = part_.successors[i];
    if (--left_[next] > 0) continue;
    times_[next].ready = times_[own].finish;
    ready_.push_back(next);
  }
}

}  // namespace syncsim
