#pragma once
// A queue of at most one event an entity (a lane), ordered by (time, order of setting). Setting an
// event again moves it, and counts as set anew.
//
// Events set one after the other to the same time form a batch, a list; the batches stand in an
// indexed 4-ary heap. So a symmetric step, whose thousand events fall on one instant, costs one
// place in the heap. Only the batch of the last event set grows, hence batches of equal time leave
// in the order they were opened.
//
// Cost: next and scheduled O(1); set, pop and cancel O(1) inside a batch, O(log batches) where one
// is opened, moved or closed. Memory: 48 bytes an entity, all reserved at construction; no
// operation allocates.

#include <cstdint>
#include <vector>

#include "sim/base/large_vector.h"

namespace syncsim::engine {

class EventQueue {
 public:
  using Entity = std::uint32_t;
  struct Event {
    std::int64_t time = 0;  // picoseconds
    Entity entity = 0;
  };

  explicit EventQueue(std::size_t entities);

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  Event next() const { return {heap_.front().time, batches_[heap_.front().batch].first}; }
  Event pop();                                 // as next: not when empty
  void set(Entity entity, std::int64_t time);  // schedules or moves
  void cancel(Entity entity);                  // nothing when the entity has no event
  bool scheduled(Entity entity) const { return links_[entity].batch != kNone; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Link {  // of an entity in its batch
    std::uint32_t batch = kNone;
    Entity previous = kNone;
    Entity next = kNone;
  };
  struct Batch {
    Entity first = kNone;
    Entity last = kNone;
    std::uint32_t position = 0;  // in heap_; while the batch is free, the next free one
  };
  struct Key {
    std::int64_t time;
    std::uint64_t sequence;
    std::uint32_t batch;
  };

  struct Before {
    bool operator()(const Key& a, const Key& b) const {
      return a.time != b.time ? a.time < b.time : a.sequence < b.sequence;
    }
  };
  bool alone(Entity entity) const;
  bool grows(std::int64_t time) const { return open_ != kNone && open_time_ == time; }
  void open_batch(std::int64_t time);
  void move_batch(std::uint32_t batch, std::int64_t time);
  void close_batch(std::uint32_t batch);
  void place(std::size_t position, const Key& key);
  auto placer() {
    return [this](std::size_t position, const Key& key) { place(position, key); };
  }
  void sift(std::size_t position, const Key& key);

  std::vector<Key> heap_;
  std::vector<Batch> batches_;
  LargeVector<Link> links_;
  std::size_t size_ = 0;
  std::uint32_t free_ = kNone;
  std::uint32_t open_ = kNone;  // the batch of the last event set
  std::int64_t open_time_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace syncsim::engine
