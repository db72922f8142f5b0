// Logs that tell no rings, or contradict themselves: the whole message, with its line.

#include <doctest/doctest.h>

#include <string>

#include "tests/topology/import/ring_log_support.h"

namespace syncsim::nccl_ring_log_refusal_test {
namespace {

using testing::rings_refusal;

const std::string kOneRun = "; keep the lines of one communicator and one run";
const std::string kAllRanks =
    "; give the output of all ranks with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH, or what "
    "NCCL_GRAPH_DUMP_FILE wrote";
const std::string kAsPrinted = "; give the line as NCCL printed it";
const std::string kOneCommunicator =
    "; choose as many ranks as ran, or keep the lines of one communicator";

}  // namespace

TEST_CASE("a text without a ring says how to get one") {
  const std::string message =
      "nccl.log: holds no ring of 4 ranks; run the job with NCCL_DEBUG=INFO "
      "NCCL_DEBUG_SUBSYS=INIT,GRAPH";
  for (const char* text :
       {"", "\n\n", "Channel", "Channel 00/02 :", "Ring 1000 : 0 1 2 3", "Channel 00/02 0 1 2 3",
        "Ring 00 : 0 -> 1 -> 2 -> 3", "Ring 00 : x", "Channel 00/01 : 0 1 99999999 3",
        "Channel -1/01 : 0 1 2 3", "NCCL INFO\nChannel 00/01 : 0 1 2 3"}) {
    CAPTURE(text);
    CHECK(rings_refusal(text, 4) == message);
  }
}

TEST_CASE("a log with connections alone says why they do not do") {
  CHECK(rings_refusal("x\nChannel 00/0 : 0[0] -> 1[1] via P2P/IPC\n", 2) ==
        "nccl.log: holds no ring of 2 ranks: connections as in line 2 are of rings and trees "
        "alike" +
            kAllRanks);
}

TEST_CASE("a log of other communicators says how many ranks they have") {
  CHECK(rings_refusal("x\nChannel 00/01 : 0 1 2\n", 4) ==
        "nccl.log: holds no ring of 4 ranks, but of 3 in line 2; choose as many ranks as ran");
  CHECK(rings_refusal("comm 0x1 rank 0 nranks 8\nRing 00 : 7 -> 0 -> 1\n", 4) ==
        "nccl.log: holds no ring of 4 ranks, but of 8 in line 2; choose as many ranks as ran");
}

TEST_CASE("a list names every rank once") {
  CHECK(rings_refusal("\nChannel 00/01 : 0 1 1 3\n", 4) ==
        "nccl.log:2: channel 0 names rank 1 twice, and rank 2 not at all" + kAsPrinted);
  CHECK(rings_refusal("comm 0x1 rank 0 nranks 4\nChannel 00/01 : 0 1 2\n", 4) ==
        "nccl.log:2: channel 0 names 3 of 4 ranks" + kAsPrinted);
  CHECK(rings_refusal("Channel 00/01 : 0 1 2 4\n", 4) ==
        "nccl.log:1: channel 0 names rank 4, but the run's ranks are 0 to 3" + kOneCommunicator);
  CHECK(rings_refusal("Ring 00 : 3 -> 0 -> 4\n", 4) ==
        "nccl.log:1: channel 0 names rank 4, but the run's ranks are 0 to 3" + kOneCommunicator);
}

TEST_CASE("lines about one channel agree") {
  CHECK(rings_refusal("Channel 00/01 : 0 1 2\n\nChannel 00/01 : 0 2 1\n", 3) ==
        "nccl.log:3: channel 0 goes from rank 0 to rank 2 here, and to rank 1 in line 1" + kOneRun);
  CHECK(rings_refusal("Channel 00/01 : 0 2 1\nRing 00 : 2 -> 0 -> 1\n", 3) ==
        "nccl.log:2: channel 0 goes from rank 0 to rank 1 here, and to rank 2 in line 1" + kOneRun);
  CHECK(rings_refusal("Channel 00/01 : 0 1 2\nChannel 00/02 : 0 1 2\n", 3) ==
        "nccl.log:2: there are 2 channels here, and 1 in line 1" + kOneRun);
}

TEST_CASE("every channel is there") {
  CHECK(rings_refusal("Channel 00/02 : 0 1 2\n", 3) ==
        "nccl.log: channel 1 of 2 is missing; give the whole log");
  CHECK(rings_refusal("Ring 01 :   0   1   2\n", 3) ==
        "nccl.log: channel 0 is missing; give the whole log");
  CHECK(rings_refusal("Channel 00/03 : 0 1 2\nChannel 02/03 : 0 1 2\n", 3) ==
        "nccl.log: channel 1 of 3 is missing; give the whole log");
}

TEST_CASE("every rank's next one is known") {
  CHECK(rings_refusal("Ring 00 : 3 -> 0 -> 1\n", 4) ==
        "nccl.log: nothing says which rank follows rank 1 in channel 0" + kAllRanks);
  std::string cut = "Channel 00/01 :";
  for (int rank = 0; rank < 20; ++rank) cut += " " + std::to_string(rank);
  CHECK(rings_refusal(cut + "\n", 32) ==
        "nccl.log: nothing says which rank follows rank 18 in channel 0" + kAllRanks);
}

TEST_CASE("the steps of a channel close into one ring") {
  CHECK(rings_refusal("x\nRing 00 : 1 -> 0 -> 1\nRing 00 : 3 -> 2 -> 3\n", 4) ==
        "nccl.log:2: channel 0 comes back to rank 0 after 2 of 4 ranks" + kOneRun);
  CHECK(rings_refusal("Ring 00 : 2 -> 0 -> 1\nRing 00 : 0 -> 1 -> 2\nRing 00 : 1 -> 2 -> 0\n"
                      "Ring 00 : 2 -> 0 -> 1\nRing 01 : 1 -> 0 -> 1\nRing 01 : 2 -> 2 -> 2\n",
                      3) ==
        "nccl.log:5: channel 1 comes back to rank 0 after 2 of 3 ranks" + kOneRun);
  CHECK(rings_refusal("Ring 00 : 1 -> 2 -> 1\nRing 00 : 0 -> 2 -> 1\n", 3) ==
        "nccl.log:1: channel 0 goes to rank 2 from rank 1, and from rank 0 in line 2" + kOneRun);
}

}  // namespace syncsim::nccl_ring_log_refusal_test
