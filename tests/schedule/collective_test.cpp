#include "sim/schedule/collective.h"

#include <doctest/doctest.h>

#include "tests/schedule/schedule_text.h"

namespace syncsim::collective_test {
namespace {

std::string refusal(const Collective& collective) {
  return failure([&] { validate(collective); });
}

}  // namespace

TEST_CASE("the collectives are listed by name") {
  CHECK(collectives().names() ==
        std::vector<std::string>{"all-gather", "all-to-all", "allreduce", "barrier", "broadcast",
                                 "gather", "reduce", "reduce-scatter", "scatter", "send-recv"});
}

TEST_CASE("who contributes and who holds the result define a collective") {
  const auto who = [](CollectiveKind kind) {
    return std::pair(row(kind).contributors, row(kind).holders);
  };
  CHECK(who(CollectiveKind::allreduce) == std::pair(Who::all, Who::all));
  CHECK(who(CollectiveKind::reduce) == std::pair(Who::all, Who::root));
  CHECK(who(CollectiveKind::broadcast) == std::pair(Who::root, Who::all));
  CHECK(who(CollectiveKind::reduce_scatter) == std::pair(Who::all, Who::owner));
  CHECK(who(CollectiveKind::all_gather) == std::pair(Who::owner, Who::all));
}

TEST_CASE("every name parses to its own kind") {
  for (const CollectiveRow& each : collectives().rows()) {
    CHECK(parse_collective(each.name) == each.kind);
    CHECK(to_string(each.kind) == each.name);
  }
}

TEST_CASE("words of a name may be joined by '_', '-' or nothing, in any case") {
  for (const char* text : {"all_reduce", "all-reduce", "allreduce", "AllReduce", "ALL_REDUCE"})
    CHECK(parse_collective(text) == CollectiveKind::allreduce);
  for (const char* text : {"all_gather", "all-gather", "allgather", "AllGather"})
    CHECK(parse_collective(text) == CollectiveKind::all_gather);
  for (const char* text : {"reduce_scatter", "reduce-scatter", "reducescatter", "ReduceScatter"})
    CHECK(parse_collective(text) == CollectiveKind::reduce_scatter);
  for (const char* text : {"broadcast", "Broadcast", "bcast"})
    CHECK(parse_collective(text) == CollectiveKind::broadcast);
  CHECK(parse_collective("Reduce") == CollectiveKind::reduce);
  for (const char* text : {"alltoall", "all_to_all", "all-to-all", "AllToAll"})
    CHECK(parse_collective(text) == CollectiveKind::all_to_all);
  for (const char* text : {"sendrecv", "send_recv", "send-recv", "SendRecv"})
    CHECK(parse_collective(text) == CollectiveKind::send_recv);
}

TEST_CASE("another spelling is refused with the closest name") {
  const auto refused = [](const char* text) { return failure([&] { parse_collective(text); }); };
  CHECK(refused("alreduce") == R"(unknown collective "alreduce"; did you mean "allreduce"?)");
  CHECK(refused("all__reduce") == R"(unknown collective "all__reduce"; did you mean "allreduce"?)");
  CHECK(refused("reduce-") == R"(unknown collective "reduce-"; did you mean "reduce"?)");
  CHECK(refused("scan") ==
        R"(unknown collective "scan"; choose one of all-gather, all-to-all, allreduce, barrier, )"
        "broadcast, gather, reduce, reduce-scatter, scatter, send-recv");
  CHECK(refused("") == R"(unknown collective ""; choose one of all-gather, all-to-all, allreduce, )"
                       "barrier, broadcast, gather, reduce, reduce-scatter, scatter, send-recv");
}

TEST_CASE("a datatype gives the size of an element") {
  CHECK(Collective{.bytes = {64}, .datatype = "int8"}.elements() == 64);
  CHECK(Collective{.bytes = {64}, .datatype = "float16"}.elements() == 32);
  CHECK(Collective{.bytes = {64}, .datatype = "bfloat16"}.elements() == 32);
  CHECK(Collective{.bytes = {64}, .datatype = "float32"}.elements() == 16);
  CHECK(Collective{.bytes = {64}, .datatype = "int32"}.elements() == 16);
  CHECK(Collective{.bytes = {64}, .datatype = "int64"}.elements() == 8);
  CHECK(Collective{.bytes = {64}, .datatype = "float64"}.elements() == 8);
}

TEST_CASE("part r begins at element floor(elements x r / n)") {
  const auto parts = [](int ranks, std::int64_t bytes, std::string_view datatype) {
    return Collective{.ranks = ranks, .bytes = {bytes}, .datatype = datatype}.block_boundaries();
  };
  CHECK(parts(4, 40, "float32") == Boundaries{0, 8, 20, 28, 40});
  CHECK(parts(4, 16, "int8") == Boundaries{0, 4, 8, 12, 16});
  CHECK(parts(4, 2, "int8") == Boundaries{0, 0, 1, 1, 2});
  CHECK(parts(1, 12, "float32") == Boundaries{0, 12});
  CHECK(parts(3, 0, "float32") == Boundaries{0, 0, 0, 0});
}

TEST_CASE("all-to-all has a row of parts for every rank, send-recv a block for every rank") {
  const Collective every{.kind = CollectiveKind::all_to_all, .ranks = 2, .bytes = {12}};
  CHECK(every.buffer_bytes() == 24);
  CHECK(every.block_boundaries() == Boundaries{0, 4, 12, 16, 24});
  CHECK(every.contributor(1) == 0);
  CHECK(every.holder(1) == 1);
  CHECK(every.contributor(2) == 1);
  CHECK(every.holder(2) == 0);
  const Collective next{.kind = CollectiveKind::send_recv, .ranks = 3, .bytes = {4}};
  CHECK(next.block_boundaries() == Boundaries{0, 4, 8, 12});
  CHECK(next.contributor(2) == 2);
  CHECK(next.holder(2) == 0);
}

TEST_CASE("what pairs exchange stays below 2^62 bytes") {
  CHECK(
      refusal(
          {.kind = CollectiveKind::all_to_all, .ranks = 4, .bytes = {2'000'000'000'000'000'000}}) ==
      "all-to-all of 2000000 TB on 4 ranks is beyond 2^62 bytes in all; take a smaller size");
}

TEST_CASE("part boundaries are exact where elements x rank exceeds 64 bits") {
  constexpr std::int64_t kHuge = 4'611'686'018'427'387'904;  // 2^62 = 3 x 1537228672809129301 + 1
  const Collective collective{.ranks = 3, .bytes = {kHuge}, .datatype = "int8"};
  CHECK(collective.block_boundaries() ==
        Boundaries{0, 1'537'228'672'809'129'301, 3'074'457'345'618'258'602, kHuge});
}

TEST_CASE("a sound collective is accepted, also one of no bytes or of one rank") {
  CHECK(refusal({.ranks = 4, .bytes = {160'000'000}}) == "");
  CHECK(refusal({.ranks = 1, .bytes = {0}}) == "");
  CHECK(refusal({.kind = CollectiveKind::reduce, .ranks = 4, .bytes = {4}, .root = 3}) == "");
}

TEST_CASE("a size that is no multiple of the element is refused with its neighbours") {
  CHECK(refusal({.ranks = 2, .bytes = {10}}) ==
        "10 B is no multiple of float32's 4 bytes; write 8 B or 12 B");
  CHECK(refusal({.ranks = 2, .bytes = {3}}) ==
        "3 B is no multiple of float32's 4 bytes; write 4 B");
  CHECK(refusal({.ranks = 2, .bytes = {9'223'372'036'854'775'807}, .datatype = "float16"}) ==
        "9223372036854775807 B is no multiple of float16's 2 bytes; write 9223372036854775806 B");
}

TEST_CASE("no ranks, negative sizes, roots out of range and unknown datatypes are refused") {
  CHECK(refusal({.ranks = 0, .bytes = {8}}) == "allreduce over 0 ranks; give it at least 1 rank");
  CHECK(refusal({.ranks = 2, .bytes = {-8}}) == "a size of -8 B is negative; write 0 B or more");
  CHECK(refusal({.ranks = 4, .bytes = {8}, .root = 4}) ==
        "root 4 is no rank; write a rank from 0 to 3");
  CHECK(refusal({.ranks = 4, .bytes = {8}, .root = -1}) ==
        "root -1 is no rank; write a rank from 0 to 3");
  CHECK(refusal({.ranks = 4, .bytes = {8}, .datatype = "float31"}) ==
        R"(unknown datatype "float31"; did you mean "float32"?)");
}

TEST_CASE("busbw is algbw x factor as nccl-tests defines it") {
  CHECK(busbw_factor(CollectiveKind::allreduce, 4) == 1.5);
  CHECK(busbw_factor(CollectiveKind::allreduce, 8) == 1.75);
  CHECK(busbw_factor(CollectiveKind::reduce_scatter, 4) == 0.75);
  CHECK(busbw_factor(CollectiveKind::all_gather, 8) == 0.875);
  CHECK(busbw_factor(CollectiveKind::broadcast, 8) == 1);
  CHECK(busbw_factor(CollectiveKind::reduce, 8) == 1);
  CHECK(busbw_factor(CollectiveKind::allreduce, 1) == 0);
  CHECK(busbw_factor(CollectiveKind::reduce_scatter, 1) == 0);
  CHECK(busbw_factor(CollectiveKind::all_gather, 1) == 0);
}

}  // namespace syncsim::collective_test
