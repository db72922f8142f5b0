// Trees, chains and direct sends in the one-port model: a star whose ports take b = 125 ps a byte
// and whose transfers cost a beside their bytes. A rank sends one message and gets one at a time,
// each a + n b; every figure is exact.

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::trees_test {
namespace {

using testing::collective_of;
using testing::gigabytes;
using testing::picoseconds;
using testing::Task;

using Kind = CollectiveKind;
using ParameterSet = std::map<std::string, std::string>;

constexpr std::int64_t kPerByte = 125;      // b in ps
constexpr std::int64_t kCost = 123'457;     // a in ps
constexpr std::int64_t kBytes = 1'441'440;  // n; halves divide by 1 to 16
constexpr std::int64_t kAll = kBytes * kPerByte;
constexpr std::int64_t kRankCounts[] = {2, 3, 4, 5, 7, 8, 13, 15, 16};

Topology one_port_star(std::int64_t ranks) {
  return testing::slow_star(static_cast<int>(ranks), gigabytes(8), {0}, {kCost});
}

// Every two ranks have a link of their own, in both directions.
Topology private_links(std::int64_t ranks) {
  Topology::Parts parts = testing::full_mesh(static_cast<int>(ranks));
  for (Link& link : parts.links) {
    link.bandwidth = link.usable = gigabytes(8);
    link.overhead = {kCost};
  }
  return Topology(parts);
}

std::int64_t time_on(const Topology& machine, const std::string& strategy, Kind kind,
                     ParameterSet parameters = {}, int root = 0) {
  const int ranks = static_cast<int>(machine.ranks().size());
  return picoseconds(machine, {strategy, collective_of(kind, ranks, kBytes, root), parameters});
}

// Checks that the strategy takes form(p) on a star of p ranks, from the first and the last root.
template <class Form>
void check_star(const std::string& strategy, Kind kind, const ParameterSet& parameters,
                Form&& form) {
  for (const std::int64_t p : kRankCounts) {
    CAPTURE(strategy);
    CAPTURE(to_string(kind));
    CAPTURE(p);
    for (const std::int64_t root : {std::int64_t{0}, p - 1})
      CHECK(time_on(one_port_star(p), strategy, kind, parameters, static_cast<int>(root)) ==
            form(p));
  }
}

std::int64_t ceil_log(std::int64_t p) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(p - 1)));
}

ParameterSet in_chunks(std::int64_t chunks) { return {{"chunks", std::to_string(chunks)}}; }

}  // namespace

TEST_CASE("a binomial tree takes ceil(lg p) (a + n b) each way") {
  const auto one_way = [](std::int64_t p) { return ceil_log(p) * (kCost + kAll); };
  check_star("binomial_tree", Kind::broadcast, {}, one_way);
  check_star("binomial_tree", Kind::reduce, {}, one_way);
  check_star("binomial_tree", Kind::allreduce, {}, [&](std::int64_t p) { return 2 * one_way(p); });
}

TEST_CASE("a binomial tree gathers and scatters in lg p a + (p-1)/p n b where p is a power of 2") {
  for (const std::int64_t p : {2, 4, 8, 16})
    for (const Kind kind : {Kind::gather, Kind::scatter}) {
      CAPTURE(p);
      CHECK(time_on(one_port_star(p), "binomial_tree", kind) ==
            ceil_log(p) * kCost + (p - 1) * kAll / p);
    }
}

TEST_CASE("all children at once: a binomial tree takes its depth where every two have a link") {
  for (const std::int64_t p : {2, 4, 8, 16})
    for (const std::int64_t k : {1, 4, 16}) {
      CAPTURE(p);
      CAPTURE(k);
      ParameterSet parameters = in_chunks(k);
      parameters["order"] = "together";
      CHECK(time_on(private_links(p), "binomial_tree", Kind::broadcast, parameters) ==
            (ceil_log(p) + k - 1) * (kCost + kAll / k));
    }
}

TEST_CASE("a chain of k chunks takes (p - 2 + k) (a + n b / k) each way") {
  for (const std::int64_t k : {1, 2, 5, 13, 16}) {
    const auto form = [&](std::int64_t p) { return (p - 2 + k) * (kCost + kAll / k); };
    check_star("chain", Kind::broadcast, in_chunks(k), form);
    check_star("chain", Kind::reduce, in_chunks(k), form);
  }
}

TEST_CASE("a chain's allreduce turns at the root: (2(p-1) + k - 1) (a + n b / k) on full duplex") {
  for (const std::int64_t p : kRankCounts)
    for (const std::int64_t k : {1, 4, 15}) {
      CAPTURE(p);
      CAPTURE(k);
      CHECK(time_on(private_links(p), "chain", Kind::allreduce, in_chunks(k)) ==
            (2 * (p - 1) + k - 1) * (kCost + kAll / k));
    }
}

TEST_CASE("a chain gathers and scatters in (p-1) (a + n b / p)") {
  const auto form = [](std::int64_t p) { return (p - 1) * (kCost + kAll / p); };
  for (const std::int64_t p : {2, 3, 4, 5, 7, 8, 13, 15, 16}) {
    CAPTURE(p);
    CHECK(time_on(one_port_star(p), "chain", Kind::gather) == form(p));
    CHECK(time_on(one_port_star(p), "chain", Kind::scatter) == form(p));
  }
}

TEST_CASE("the naive ring takes (p-1) (a + n b) a lap") {
  const auto lap = [](std::int64_t p) { return (p - 1) * (kCost + kAll); };
  check_star("naive_ring", Kind::reduce, {}, lap);
  check_star("naive_ring", Kind::broadcast, {}, lap);
  check_star("naive_ring", Kind::allreduce, {}, [&](std::int64_t p) { return 2 * lap(p); });
}

TEST_CASE("one_shot takes a + (p-1) n b over one port, a + n b over private links") {
  const auto form = [](std::int64_t p) { return kCost + (p - 1) * kAll; };
  for (const Kind kind : {Kind::allreduce, Kind::reduce, Kind::broadcast})
    check_star("one_shot", kind, {}, form);
  for (const std::int64_t p : kRankCounts)
    for (const Kind kind : {Kind::allreduce, Kind::reduce, Kind::broadcast})
      CHECK(time_on(private_links(p), "one_shot", kind) == kCost + kAll);
}

TEST_CASE(
    "one after the other, flat sends take (p-1) (a + n b), pairwise exchanges of parts "
    "(p-1) (a + n b / p)") {
  const ParameterSet sequential{{"order", "sequential"}};
  for (const Kind kind : {Kind::broadcast, Kind::reduce, Kind::allreduce})
    check_star("one_shot", kind, sequential,
               [](std::int64_t p) { return (p - 1) * (kCost + kAll); });
  for (const Kind kind : {Kind::reduce_scatter, Kind::all_gather, Kind::all_to_all})
    for (const std::int64_t p : {2, 3, 4, 5, 7, 8, 13, 15, 16}) {
      CAPTURE(p);
      CHECK(time_on(one_port_star(p), "one_shot", kind, sequential) ==
            (p - 1) * (kCost + kAll / p));
    }
}

TEST_CASE("a full binary tree of h levels takes (h + k - 1) (a + 2 n b / k): two share a port") {
  for (const std::int64_t h : {1, 2, 3, 4})
    for (const std::int64_t k : {1, 2, 5, 13, 16})
      for (const Kind kind : {Kind::broadcast, Kind::reduce}) {
        CAPTURE(h);
        CAPTURE(k);
        const std::int64_t p = (std::int64_t{2} << h) - 1;
        CHECK(time_on(one_port_star(p), "binary_tree", kind, in_chunks(k)) ==
              (h + k - 1) * (kCost + 2 * kAll / k));
      }
}

TEST_CASE("central_gpu, one after the other, takes 2(p-1)(a + n b), central_cpu 2p (a + n b)") {
  const ParameterSet sequential{{"order", "sequential"}};
  check_star("central_gpu", Kind::allreduce, sequential,
             [](std::int64_t p) { return 2 * (p - 1) * (kCost + kAll); });
  for (const std::int64_t p : kRankCounts) {
    Topology::Parts parts = testing::star_with_cpu(static_cast<int>(p), gigabytes(8)).parts();
    for (Link& link : parts.links) link.overhead = {kCost};
    CHECK(time_on(Topology(parts), "central_cpu", Kind::allreduce, sequential) ==
          2 * p * (kCost + kAll));
  }
}

// A rank hands on to two children what is half of the data, k chunks of n / 2k at half of its port:
// k steps of a + n b / k, and one for each further level. Of an odd number of ranks some inner
// nodes have one child, which may spare a part of the last steps.
TEST_CASE("a double binary tree of a power of two takes (h + k - 1) (a + n b / k)") {
  for (const std::int64_t p : {4, 8, 16, 32})
    for (const std::int64_t k : {1, 2, 5, 13, 16})
      for (const Kind kind : {Kind::broadcast, Kind::reduce}) {
        CAPTURE(p);
        CAPTURE(k);
        CAPTURE(to_string(kind));
        CHECK(time_on(one_port_star(p), "double_binary_tree", kind, in_chunks(k)) ==
              (ceil_log(p) + k - 1) * (kCost + kAll / k));
      }
}

TEST_CASE("a double binary tree of any number of ranks takes at most that") {
  for (const std::int64_t p : {3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 17, 31})
    for (const std::int64_t k : {1, 2, 5, 13, 16})
      for (const Kind kind : {Kind::broadcast, Kind::reduce}) {
        CAPTURE(p);
        CAPTURE(k);
        CAPTURE(to_string(kind));
        const std::int64_t time =
            time_on(one_port_star(p), "double_binary_tree", kind, in_chunks(k));
        CHECK(time <= (ceil_log(p) + k - 1) * (kCost + kAll / k));
        CHECK(time >= kCost + kAll);
      }
}

TEST_CASE("a double binary tree's allreduce tends to 2 n b, a single tree's to 3 n b") {
  constexpr std::int64_t k = 720;
  constexpr std::int64_t kBytesOfMany = k * 14'400;
  Topology free = testing::slow_star(15, gigabytes(8), {0}, {0});
  const auto share = [&](const std::string& strategy) {
    const Task task{strategy, collective_of(Kind::allreduce, 15, kBytesOfMany), in_chunks(k)};
    return static_cast<double>(picoseconds(free, task)) / (kBytesOfMany * kPerByte);
  };
  CHECK(share("double_binary_tree") > 2);
  CHECK(share("double_binary_tree") < 2.03);
  CHECK(share("binary_tree") > 3);
  CHECK(share("binary_tree") < 3.03);
}

}  // namespace syncsim::trees_test
