#pragma once
// A queue of at most one event an entity (a lane), ordered by (time, sequence): an indexed 4-ary
// heap over flat arrays. Setting an event again moves it and gives it a new sequence number.
// All storage is reserved at construction; no operation allocates.

#include <cstdint>
#include <vector>

namespace syncsim::engine {

class EventQueue {
 public:
  using Entity = std::uint32_t;
  struct Event {
    std::int64_t time = 0;  // picoseconds
    std::uint64_t sequence = 0;
    Entity entity = 0;
  };

  explicit EventQueue(std::size_t entities);

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  const Event& next() const { return heap_.front(); }  // not when empty
  Event pop();
  void set(Entity entity, std::int64_t time);  // schedules or moves
  void cancel(Entity entity);                  // nothing when the entity has no event
  bool scheduled(Entity entity) const { return position_[entity] != kAbsent; }

 private:
  static constexpr std::uint32_t kAbsent = 0xffffffffu;
  static bool before(const Event& a, const Event& b);
  void place(std::size_t position, const Event& event);
  void sift_up(std::size_t position);
  void sift_down(std::size_t position);
  void remove_at(std::size_t position);

  std::vector<Event> heap_;
  std::vector<std::uint32_t> position_;  // of each entity in heap_
  std::uint64_t sequence_ = 0;
};

}  // namespace syncsim::engine
