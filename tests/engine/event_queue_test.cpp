#include "sim/engine/event_queue.h"

#include <doctest/doctest.h>

#include <set>
#include <tuple>
#include <vector>

#include "tests/engine/random_numbers.h"

namespace syncsim::engine::event_queue_test {
namespace {

std::vector<std::uint32_t> drain(EventQueue& queue) {
  std::vector<std::uint32_t> entities;
  while (!queue.empty()) entities.push_back(queue.pop().entity);
  return entities;
}

TEST_CASE("events leave in order of time") {
  EventQueue queue(4);
  queue.set(0, 30);
  queue.set(1, 10);
  queue.set(2, 40);
  queue.set(3, 20);
  CHECK(drain(queue) == std::vector<std::uint32_t>{1, 3, 0, 2});
}

TEST_CASE("equal times leave in the order they were set - setting again counts anew") {
  EventQueue queue(4);
  for (std::uint32_t entity : {2u, 0u, 3u, 1u}) queue.set(entity, 7);
  queue.set(0, 7);
  CHECK(drain(queue) == std::vector<std::uint32_t>{2, 3, 1, 0});
}

TEST_CASE("an event set again moves, earlier or later") {
  EventQueue queue(3);
  queue.set(0, 10);
  queue.set(1, 20);
  queue.set(2, 30);
  queue.set(2, 5);
  queue.set(0, 25);
  CHECK(queue.size() == 3);
  CHECK(queue.next().time == 5);
  CHECK(drain(queue) == std::vector<std::uint32_t>{2, 1, 0});
}

TEST_CASE("a cancelled event never fires - cancelling nothing changes nothing") {
  EventQueue queue(3);
  queue.set(0, 10);
  queue.set(1, 20);
  queue.cancel(0);
  queue.cancel(0);
  queue.cancel(2);
  CHECK_FALSE(queue.scheduled(0));
  CHECK(queue.scheduled(1));
  CHECK(drain(queue) == std::vector<std::uint32_t>{1});
}

// The model: a set of (time, number of the call that set it, entity).
class Model {
 public:
  void set(std::uint32_t entity, std::int64_t time) {
    cancel(entity);
    events_.insert({time, calls_++, entity});
  }
  void cancel(std::uint32_t entity) {
    for (auto event = events_.begin(); event != events_.end(); ++event)
      if (std::get<2>(*event) == entity) {
        events_.erase(event);
        return;
      }
  }
  std::pair<std::int64_t, std::uint32_t> pop() {
    const auto [time, call, entity] = *events_.begin();
    events_.erase(events_.begin());
    return {time, entity};
  }
  std::size_t size() const { return events_.size(); }

 private:
  std::set<std::tuple<std::int64_t, std::uint64_t, std::uint32_t>> events_;
  std::uint64_t calls_ = 0;
};

TEST_CASE("the queue agrees with a sorted set under random sets, moves, cancels and pops") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Draw draw(seed);
    const std::uint32_t entities = 1 + draw.below(60);
    const std::uint32_t times = seed % 2 == 0 ? 4 : 1000;  // many ties, or few
    EventQueue queue(entities);
    Model model;
    for (int step = 0; step < 2000; ++step) {
      const std::uint32_t entity = draw.below(entities);
      const std::uint32_t action = draw.below(10);
      if (action < 6) {
        const std::int64_t time = draw.below(times);
        queue.set(entity, time);
        model.set(entity, time);
      } else if (action < 7) {
        queue.cancel(entity);
        model.cancel(entity);
      } else if (model.size() > 0) {
        const auto [time, first] = model.pop();
        const EventQueue::Event event = queue.pop();
        REQUIRE(event.time == time);
        REQUIRE(event.entity == first);
        REQUIRE_FALSE(queue.scheduled(first));
      }
      REQUIRE(queue.size() == model.size());
    }
  }
}

}  // namespace
}  // namespace syncsim::engine::event_queue_test
