#include "sim/scenario/library/library_times.h"

#include <doctest/doctest.h>

namespace syncsim::library_times_test {
namespace {

LibraryTime time_of(double microseconds, double call, double busiest_use, bool host_bound = false) {
  LibraryTime time;
  time.microseconds = microseconds;
  time.call = call;
  time.device = microseconds - call;
  time.host_bound = host_bound;
  time.busiest = busiest_use > 0 ? "a>b" : "";
  time.busiest_use = busiest_use;
  return time;
}

}  // namespace

TEST_CASE("what binds is the host, then a full link, then latency where bytes take no time") {
  const LibraryTimes times = {
      {Bytes{1024}, time_of(20, 0, 0.9, true)}, {Bytes{4096}, time_of(21, 12, 0.1)},
      {Bytes{16384}, time_of(22, 5, 0.1)},      {Bytes{65536}, time_of(23, 5, 0.1)},
      {Bytes{262144}, time_of(70, 5, 0.3)},     {Bytes{1048576}, time_of(350, 5, 0.6)},
      {Bytes{4194304}, time_of(1400, 5, 0.9)}};
  const char* const expected[] = {"host launch", "host launch", "latency", "latency",
                                  "channels",    "a>b",         "a>b"};
  std::size_t at = 0;
  for (const auto& [bytes, time] : times) CHECK(what_binds(times, bytes) == expected[at++]);
}

TEST_CASE("of one size alone, small ones are bound by latency, others by channels or a link") {
  CHECK(what_binds({{Bytes{1024}, time_of(20, 5, 0.6)}}, Bytes{1024}) == "latency");
  CHECK(what_binds({{Bytes{1 << 20}, time_of(20, 5, 0)}}, Bytes{1 << 20}) == "channels");
  CHECK(what_binds({{Bytes{1 << 20}, time_of(20, 5, 0.6)}}, Bytes{1 << 20}) == "a>b");
}

}  // namespace syncsim::library_times_test
