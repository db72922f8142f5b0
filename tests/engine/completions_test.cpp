#include "sim/engine/completions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/engine/random_numbers.h"

namespace syncsim::engine::completions_test {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000'000;  // in ps

// Flows on one link, lane by lane. Entities: the lanes, then the link's clock.
class OneLink {
 public:
  explicit OneLink(double capacity, std::uint32_t lanes)
      : network_(std::vector<double>{capacity}),
        route_(network_.add_route(std::vector<Use>{{0, 1}})),
        share_(network_, std::vector<std::uint32_t>(lanes, 1), std::vector<std::uint32_t>{lanes}),
        completions_(lanes, std::vector<std::uint32_t>{lanes}, lanes),
        clock_(lanes),
        events_(lanes + 1) {}

  void begin(std::uint32_t lane, double bytes, std::int64_t now, double weight = 1,
             double maximum = 0) {
    completions_.begin(lane, bytes, now);
    share_.add(lane, route_, weight, maximum);
  }
  void solve(std::int64_t now) {
    share_.solve();
    completions_.update(share_, now, events_);
  }
  // Ends the flow that is through next, and gives its time and lane.
  EventQueue::Event next() {
    EventQueue::Event event = events_.pop();
    if (event.entity == clock_) event.entity = completions_.due(clock_, event.time);
    const double left = completions_.end(event.entity, event.time);
    CHECK(std::abs(left) <= share_.rate(event.entity) * 1e-12 + 1e-6);
    share_.remove(event.entity);
    return event;
  }
  double left(std::uint32_t lane, std::int64_t now) const { return completions_.left(lane, now); }
  std::size_t events() const { return events_.size(); }

 private:
  Network network_;
  RouteIndex route_;
  FairShare share_;
  Completions completions_;
  EventQueue::Entity clock_;
  EventQueue events_;
};

void check_next(OneLink& link, std::int64_t time, std::uint32_t lane) {
  const EventQueue::Event event = link.next();
  CHECK(event.time == time);
  CHECK(event.entity == lane);
}

}  // namespace

TEST_CASE("flows that share a link have one event, and are through in order of what they want") {
  // 10 B/s: 5 each until the first has its 20 bytes, at 4 s; the other's 30 then go at 10.
  OneLink link(10, 3);
  link.begin(0, 50, 0);
  link.begin(1, 20, 0);
  link.solve(0);
  CHECK(link.events() == 1);
  CHECK(link.left(0, 2 * kSecond) == 40);
  check_next(link, 4 * kSecond, 1);
  link.solve(4 * kSecond);
  CHECK(link.left(0, 5 * kSecond) == 20);
  check_next(link, 7 * kSecond, 0);
  link.solve(7 * kSecond);
  CHECK(link.events() == 0);
}

TEST_CASE("a weight of 3 takes three times the service") {
  // 12 B/s: 9 and 3. 90 bytes at 10 s, then 30 more at 12 B/s: 2.5 s.
  OneLink link(12, 2);
  link.begin(0, 90, 0, 3);
  link.begin(1, 60, 0, 1);
  link.solve(0);
  check_next(link, 10 * kSecond, 0);
  link.solve(10 * kSecond);
  check_next(link, 12 * kSecond + kSecond / 2, 1);
}

TEST_CASE("a flow at its maximum has an event of its own until the link stops it") {
  // 10 B/s: flow 0 at its maximum of 2, flow 1 at 8. Three more from 1 s on: all at 2, or less.
  OneLink link(10, 6);
  link.begin(0, 20, 0, 1, 2);
  link.begin(1, 80, 0);
  link.solve(0);
  CHECK(link.events() == 2);
  for (std::uint32_t lane = 2; lane < 6; ++lane) link.begin(lane, 1'000, kSecond);
  link.solve(kSecond);
  CHECK(link.events() == 1);
  CHECK(link.left(0, kSecond) == 18);
  CHECK(link.left(1, kSecond) == 72);
  CHECK(link.left(0, 4 * kSecond) == doctest::Approx(18 - 5).epsilon(1e-15));
}

TEST_CASE("a clock far past what a new flow wants is set back: the flow ends to the picosecond") {
  // 1e15 bytes on the clock: the third of a byte that the flow wants of it would round to 1/16.
  OneLink link(2e9, 3);
  link.begin(0, 8e15, 0);
  link.begin(1, 8e15, 0);
  link.solve(0);
  std::int64_t now = 1'000'000 * kSecond;
  for (int flow = 0; flow < 50; ++flow) {
    link.begin(2, 1, now, 3);
    link.solve(now);
    check_next(link, now + 834, 2);  // 1 byte at 3/5 of 2 GB/s: 833.3 ps
    now += 834;
    link.solve(now);
  }
  CHECK(link.left(0, now) == doctest::Approx(8e15 - 1e15).epsilon(1e-12));
}

// Processor sharing by hand: all flows that are left advance together.
TEST_CASE("random flows on one link end as processor sharing says") {
  struct Flow {
    long double wanted;  // service
    double weight;
    std::uint32_t lane;
  };
  constexpr std::uint32_t kLanes = 12;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    OneLink link(1e9, kLanes);
    std::vector<Flow> flows;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const double weight = 1.0 + draw.below(4);
      const double bytes = std::floor(draw.log_uniform(1e2, 1e7));
      flows.push_back({static_cast<long double>(bytes) / weight, weight, lane});
      link.begin(lane, bytes, 0, weight);
    }
    std::sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) {
      return a.wanted != b.wanted ? a.wanted < b.wanted : a.lane < b.lane;
    });
    long double exact = 0;
    std::int64_t now = 0;
    for (auto flow = flows.begin(); flow != flows.end(); ++flow) {
      link.solve(now);
      long double weight = 0;
      for (auto left = flow; left != flows.end(); ++left) weight += left->weight;
      const long double service = flow->wanted - (flow == flows.begin() ? 0 : (flow - 1)->wanted);
      exact += service * weight / 1e9L * 1e12L;
      now = link.next().time;
      REQUIRE(std::abs(static_cast<long double>(now) - exact) <= flow - flows.begin() + 1);
    }
  }
}

}  // namespace syncsim::engine::completions_test
