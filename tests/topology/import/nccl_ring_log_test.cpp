// Rings in logs: the forms that are read, and how they are put together.

#include <doctest/doctest.h>

#include <string>

#include "tests/topology/import/ring_log_support.h"

namespace syncsim::nccl_ring_log_test {
namespace {

using testing::rings_in;

const std::string kInfo = "node1:101:201 [0] NCCL INFO ";

// The lines of rank `rank`'s own hop, as its process prints them.
std::string hop(int rank, const std::string& text) {
  const std::string id = std::to_string(rank);
  return "node1:10" + id + ":20" + id + " [" + id + "] NCCL INFO " + text + "\n";
}

}  // namespace

TEST_CASE("rank 0 lists each channel's ring") {
  CHECK(rings_in(kInfo + "Channel 00/02 :    0   1   2   3\n" + kInfo +
                     "Channel 01/02 :    0   3   2   1\n",
                 4) == "0,1,2,3; 0,3,2,1");
}

TEST_CASE("older versions list rings without the number of channels, or call them Ring") {
  CHECK(rings_in(kInfo + "Channel 00 :    0   1   2   3\n", 4) == "0,1,2,3");
  CHECK(rings_in(kInfo + "Ring 00 :    0   2   1   3\n", 4) == "0,2,1,3");
  CHECK(rings_in("[0] INFO Ring 00 :   0   1\n", 2) == "0,1");
}

TEST_CASE("every rank's hop, previous -> rank -> next, is part of a ring") {
  const std::string log = hop(2, "Ring 00 : 0 -> 2 -> 1") + hop(0, "Ring 00 : 3 -> 0 -> 2") +
                          hop(3, "Ring 00 : 1 -> 3 -> 0") + hop(1, "Ring 00 : 2 -> 1 -> 3");
  CHECK(rings_in(log, 4) == "0,2,1,3");
}

TEST_CASE("hops of every other rank tell a ring") {
  CHECK(rings_in(hop(0, "Ring 00 : 3 -> 0 -> 1") + hop(2, "Ring 00 : 1 -> 2 -> 3"), 4) ==
        "0,1,2,3");
}

TEST_CASE("RCCL's hops, with the communicator behind them") {
  CHECK(rings_in(hop(0, "Ring 0 : 1 -> 0 -> 1 comm 0x7f00 nRanks 02 busId c1000") +
                     hop(1, "Ring 0 : 0 -> 1 -> 0 comm 0x7f08 nRanks 02 busId c6000"),
                 2) == "0,1");
}

TEST_CASE("a rank may come with its bus id") {
  CHECK(rings_in(kInfo + "Ring 00 : 1[1b000] -> 0[1a000] -> 1[1b000]\n", 2) == "0,1");
  CHECK(rings_in(kInfo + "Channel 00/01 : 0[1a000] 1[1b000]\n", 2) == "0,1");
}

TEST_CASE("channels with one ring are a multiplicity, in the order of the first of them") {
  CHECK(rings_in("Channel 00/04 : 0 3 2 1\nChannel 01/04 : 0 1 2 3\n"
                 "Channel 02/04 : 0 3 2 1\nChannel 03/04 : 0 3 2 1\n",
                 4) == "0,3,2,1 x3; 0,1,2,3");
}

TEST_CASE("a ring begins at rank 0 wherever its list does") {
  CHECK(rings_in("Channel 00/01 : 2 3 0 1\n", 4) == "0,1,2,3");
}

TEST_CASE("what several processes say of a ring may be said many times") {
  const std::string list = kInfo + "Channel 00/01 :    0   1   2\n";
  CHECK(rings_in(list + hop(1, "Ring 00 : 0 -> 1 -> 2") + list + hop(1, "Ring 00 : 0 -> 1 -> 2"),
                 3) == "0,1,2");
}

TEST_CASE("prefixes, colours, CRLF, no-break spaces and other lines mean nothing") {
  const std::string prefixes[] = {
      "",
      "[1,0]<stdout>:5873af64cf59:10158:10560 [0] NCCL INFO ",
      "2025-11-12 20:41:43,851 - INFO - g340:4181:4857 [0] NCCL INFO ",
      "\x1b[32mnode1:101:201 [0]\x1b[0m NCCL INFO ",
      "(worker pid=7) node1:101:201 [0] NCCL INFO ",
      "progress 50%\rnode1:101:201 [0] NCCL INFO ",
      "> node1:101:201 [0] NCCL INFO\xc2\xa0",
  };
  for (const std::string& prefix : prefixes) {
    CAPTURE(prefix);
    CHECK(rings_in("warming up\r\n" + prefix + "Channel 00/01 :    0   2   1\r\nTrees [0] 1->0\r\n",
                   3) == "0,2,1");
  }
  CHECK(rings_in(R"({"log":"n:1:2 [0] NCCL INFO Channel 00/01 :    0   1   2\n","stream":"x"})",
                 3) == "0,1,2");
}

TEST_CASE("two statements may stand in one line") {
  CHECK(rings_in(kInfo + "Channel 00/02 :    0   1   2 " + kInfo + "Channel 01/02 :    0   2   1\n",
                 3) == "0,1,2; 0,2,1");
}

TEST_CASE("a statement that another process wrote into is passed over") {
  const std::string torn = "Channel 00/01 :    0   1node1:102:202 [1] NCCL INFO Using network IB\n";
  CHECK(rings_in(kInfo + torn + kInfo + "Channel 00/01 :    0   1   2\n", 3) == "0,1,2");
}

TEST_CASE("only what NCCL says counts in its log") {
  CHECK(rings_in("Channel 00 : 0 2 1\n" + kInfo + "Channel 00/01 :    0   1   2\n", 3) == "0,1,2");
}

TEST_CASE("a list that the terminal wrapped goes on in the next lines") {
  CHECK(rings_in(kInfo + "Channel 00/01 :    0   1   2\n   3   4\r\n   5\n", 6) == "0,1,2,3,4,5");
  CHECK(rings_in(kInfo + "Channel 00/01 :    0   1\n2   3\n", 4) == "0,1,2,3");
  CHECK(rings_in(kInfo + "Ring 00 : 2 -> 0\n -> 1\n" + kInfo + "Ring 00 : 0 -> 1 ->\n2\n", 3) ==
        "0,1,2");
}

TEST_CASE("a list may be wrapped inside of a number") {
  const std::string head = "Channel 00/01 :    0   2   1   3   4   5   6   7   8   9  11  1";
  CHECK(rings_in(kInfo + head + "\n0\n", 12) == "0,2,1,3,4,5,6,7,8,9,11,10");
}

TEST_CASE("connections are no rings: trees have them too") {
  const std::string log = "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n";
  CHECK(rings_in(kInfo + log + kInfo + "Channel 00/01 :    0   2   1\n" + kInfo +
                     "Channel 00/0 : 1[1] -> 0[0] [receive] via NET/IB/0\n",
                 3) == "0,2,1");
}

TEST_CASE("lists of another length are of other communicators") {
  CHECK(rings_in("Channel 00/01 : 0 1\nChannel 00/02 : 0 2 1 3\nChannel 01/02 : 0 1 2 3\n", 4) ==
        "0,2,1,3; 0,1,2,3");
}

TEST_CASE("a thread's line with nRanks says what its rings are about") {
  const std::string of_two =
      hop(0, "comm 0x1 rank 0 nRanks 2 nNodes 1 localRanks 2 localRank 0 MNNVL 0") +
      hop(0, "Ring 00 : 1 -> 0 -> 1") + hop(1, "comm 0x2 rank 1 nRanks 2 nNodes 1") +
      hop(1, "Ring 00 : 0 -> 1 -> 0");
  const std::string of_three =
      hop(0, "ncclCommInitRank comm 0x3 rank 0 nranks 3 cudaDev 0 - Init START") +
      hop(0, "Ring 00 : 1 -> 0 -> 2") + hop(1, "comm 0x4 rank 1 nRanks 3 nNodes 1") +
      hop(1, "Ring 00 : 2 -> 1 -> 0");
  CHECK(rings_in(of_two + of_three, 2) == "0,1");
  CHECK(rings_in(of_two + of_three, 3) == "0,2,1");
}

TEST_CASE("an older thread's COMPLETE says what its rings were about") {
  const auto comm = [](int rank, const std::string& ring, const std::string& ranks) {
    return hop(rank, ring) + hop(rank, "comm 0x1 rank 0 nranks " + ranks + " - Init COMPLETE");
  };
  const std::string log = comm(0, "Ring 00 : 1 -> 0 -> 1", "2") +
                          comm(0, "Ring 00 : 1 -> 0 -> 2", "3") +
                          comm(1, "Ring 00 : 2 -> 1 -> 0", "3");
  CHECK(rings_in(log, 2) == "0,1");
  CHECK(rings_in(log, 3) == "0,2,1");
}

TEST_CASE("a list that NCCL cut gives the steps that it holds, without the last number") {
  std::string list = "Channel 00/01 :";
  for (int rank = 0; rank < 19; ++rank) list += " " + std::to_string(rank);
  std::string hops;
  for (int rank = 17; rank < 24; ++rank)
    hops += hop(rank % 10, "Ring 00 : " + std::to_string(rank) + " -> " +
                               std::to_string((rank + 1) % 24) + " -> " +
                               std::to_string((rank + 2) % 24));
  const std::string ring = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23";
  CHECK(rings_in(kInfo + list + "  2\n" + hops, 24) == ring);
  CHECK(rings_in(kInfo + list + "\n" + hops, 24) == ring);
}

TEST_CASE("a single rank is a ring of itself") {
  CHECK(rings_in(kInfo + "Channel 00/02 :    0\n" + kInfo + "Channel 01/02 :    0\n", 1) == "0 x2");
}

namespace {

// Two nodes of two ranks, two channels.
const std::string kTwoNodes =
    kInfo + "Channel 00/02 :    0   1   2   3\n" + kInfo + "Channel 01/02 :    0   1   2   3\n";

std::string with_nics(const std::string& text, int nics) {
  return rings_text(read_nccl_rings(text, "nccl.log", 4, std::vector<int>(4, nics)));
}

}  // namespace

TEST_CASE("a step's connection over the network names the nics at both ends") {
  const std::string log = kTwoNodes + hop(1, "Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/1") +
                          hop(2, "Channel 00/0 : 1[1] -> 2[0] [receive] via NET/IB/0/GDRDMA") +
                          hop(3, "Channel 01 : 3[1b0] -> 0[1a0] [send] via NET/AWS Libfabric/1") +
                          hop(0, "Channel 00/0 : 0[0] -> 1[1] via P2P/IPC");
  CHECK(with_nics(log, 2) == "0,1>nic1,nic0>2,3; 0,1,2,3>nic1");
  CHECK(rings_in(log, 4) == "0,1,2,3 x2");
}

TEST_CASE("of a step's connections the first counts, and those of send and receive do not") {
  const std::string log =
      kTwoNodes + hop(1, "Channel 00/1 : 1[1] -> 2[0] [send] via NET/IB/3") +
      hop(1, "Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/1(0)/GDRDMA") +
      hop(1, "Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/2") +
      hop(1, "Channel 00/0 : 1[1] -> 3[1] [send] via NET/IB/3");  // no step of the ring
  CHECK(with_nics(log, 4) == "0,1>nic1,2,3; 0,1,2,3");
}

TEST_CASE("connections of communicators with other ranks are passed over") {
  const std::string log = hop(1, "comm 0x1 rank 1 nRanks 2") +
                          hop(1, "Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/1") + kTwoNodes;
  CHECK(with_nics(log, 2) == "0,1,2,3 x2");
}

TEST_CASE("a connection's nic that is none of the box is refused at its line") {
  const std::string log = kTwoNodes + hop(1, "Channel 00/0 : 1[1] -> 2[0] [receive] via NET/IB/7");
  CHECK(testing::refusal_of([&] { with_nics(log, 2); }) ==
        "nccl.log:3: NIC 7 is none of rank 2's box, which has 2; name one of 0 to 1");
}

}  // namespace syncsim::nccl_ring_log_test
