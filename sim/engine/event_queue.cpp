#include "sim/engine/event_queue.h"

#include "sim/engine/quaternary_heap.h"

namespace syncsim::engine {

EventQueue::EventQueue(std::size_t entities) : links_(entities) {
  heap_.reserve(entities);
  batches_.reserve(entities);  // touched only when they are needed: most runs need few
}

EventQueue::Event EventQueue::pop() {
  const Event event = next();
  cancel(event.entity);
  return event;
}

bool EventQueue::alone(Entity entity) const {
  const Link& link = links_[entity];
  return link.batch != kNone && link.previous == kNone && link.next == kNone;
}

void EventQueue::set(Entity entity, std::int64_t time) {
  if (alone(entity) && !grows(time)) return move_batch(links_[entity].batch, time);
  cancel(entity);
  if (!grows(time)) open_batch(time);
  Batch& batch = batches_[open_];
  links_[entity] = {open_, batch.last, kNone};
  (batch.last == kNone ? batch.first : links_[batch.last].next) = entity;
  batch.last = entity;
  ++size_;
}

void EventQueue::cancel(Entity entity) {
  const Link link = links_[entity];
  if (link.batch == kNone) return;
  Batch& batch = batches_[link.batch];
  (link.previous == kNone ? batch.first : links_[link.previous].next) = link.next;
  (link.next == kNone ? batch.last : links_[link.next].previous) = link.previous;
  links_[entity].batch = kNone;
  --size_;
  if (batch.first == kNone) close_batch(link.batch);
}

void EventQueue::open_batch(std::int64_t time) {
  if (free_ == kNone) {
    free_ = static_cast<std::uint32_t>(batches_.size());
    batches_.emplace_back().position = kNone;
  }
  open_ = free_;
  open_time_ = time;
  free_ = batches_[open_].position;
  const Key key{time, sequence_++, open_};
  heap_.push_back(key);
  sift_up(heap_, heap_.size() - 1, key, Before(), placer());
}

// A batch of one event that is set again.
void EventQueue::move_batch(std::uint32_t batch, std::int64_t time) {
  open_ = batch;
  open_time_ = time;
  sift(batches_[batch].position, {time, sequence_++, batch});
}

// The heap's last batch takes its place.
void EventQueue::close_batch(std::uint32_t batch) {
  const std::size_t position = batches_[batch].position;
  const Key last = heap_.back();
  heap_.pop_back();
  if (position < heap_.size()) sift(position, last);
  if (open_ == batch) open_ = kNone;
  batches_[batch].position = free_;
  free_ = batch;
}

void EventQueue::place(std::size_t position, const Key& key) {
  heap_[position] = key;
  batches_[key.batch].position = static_cast<std::uint32_t>(position);
}

void EventQueue::sift(std::size_t position, const Key& key) {
  engine::sift(heap_, position, key, Before(), placer());
}

}  // namespace syncsim::engine
