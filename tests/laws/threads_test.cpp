// From the machine's file to the last op's time, nothing is shared between runs at the same time.

#include <doctest/doctest.h>

#include <cstdint>
#include <future>
#include <latch>
#include <string>
#include <vector>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::threads_test {
namespace {

struct Point {
  std::string machine;
  std::string strategy;
};

std::vector<Point> points() {
  std::vector<Point> result;
  for (const char* machine : {"pcie_4gpu", "dgx1v", "pcie_8gpu", "dgx2"})
    for (const char* strategy : {"ring", "distributed", "central_gpu"})
      result.push_back({machine, strategy});
  return result;
}

using Times = std::vector<std::int64_t>;

Times times_of(const Point& point) {
  const Topology machine = testing::shelf_machine(point.machine);
  const int ranks = static_cast<int>(machine.ranks().size());
  const Collective collective = testing::collective_of(CollectiveKind::allreduce, ranks, 9'999'991);
  const Schedule schedule = testing::emitted(machine, {point.strategy, collective});
  const Timeline timeline = testing::simulated(schedule, machine, {.overhead = {1'000}});
  Times times;
  for (const OpTimes& op : timeline.ops)
    times.insert(times.end(), {op.ready.ps, op.start.ps, op.finish.ps});
  for (const ResourceTotals& resource : timeline.resources)
    times.insert(times.end(), {resource.busy.ps, resource.saturated.ps});
  return times;
}

// All points, the `first` first, so that threads run different ones at a time.
std::vector<Times> run_all(const std::vector<Point>& all, std::size_t first) {
  std::vector<Times> results(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    results[(first + i) % all.size()] = times_of(all[(first + i) % all.size()]);
  return results;
}

TEST_CASE("whole simulations in 1, 2, 4 and 8 threads give the times of those one by one") {
  const std::vector<Point> all = points();
  const std::vector<Times> alone = run_all(all, 0);
  REQUIRE(alone.back().size() > 50);
  for (const std::size_t threads : {1, 2, 4, 8}) {
    CAPTURE(threads);
    std::latch all_here(static_cast<std::ptrdiff_t>(threads));
    std::vector<std::future<std::vector<Times>>> running;
    for (std::size_t thread = 0; thread < threads; ++thread)
      running.push_back(std::async(std::launch::async, [&, thread] {
        all_here.arrive_and_wait();
        return run_all(all, thread);
      }));
    for (auto& thread : running) CHECK(thread.get() == alone);
  }
}

}  // namespace
}  // namespace syncsim::threads_test
