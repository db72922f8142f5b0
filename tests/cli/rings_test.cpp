// `run --rings`: the rings that ran, from a file.

#include "tests/cli/refusals.h"

namespace syncsim::testing::rings_test {
namespace {

constexpr const char* kLog =
    "n:1:2 [0] NCCL INFO Channel 00/02 :    0   2   1   3\n"
    "n:1:2 [0] NCCL INFO Channel 01/02 :    0   2   1   3\n";

const Arguments kRing = {"run",     "--topology", "pcie_4gpu", "--strategy", "ring",
                         "--bytes", "160 MB",     "--rings",   "nccl.log"};

}  // namespace

TEST_CASE("the rings of a log are run, and reported as the parameter that they are") {
  const TemporaryFolder folder;
  folder.write("nccl.log", kLog);
  const Outcome outcome = syncsim(kRing, folder.path());
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("rings: 0,2,1,3 x2") != std::string::npos);
  const Json point =
      json_of(syncsim(with(kRing, {"--format", "json"}), folder.path()))["points"][0];
  CHECK(point["parameters"]["rings"] == "0,2,1,3 x2");
}

TEST_CASE("files of rings that do not do are refused") {
  const TemporaryFolder folder;
  folder.write("nccl.log", kLog);
  const auto refused = [&](const Arguments& more, const std::string& message) {
    CAPTURE(message);
    check_refused(syncsim(with(kRing, more), folder.path()), message);
  };
  refused({"--param", "rings=0,1,2,3"},
          "--rings: a file of rings is given, and the parameter rings too; leave one of the two "
          "out");
  refused({"--ranks", "0-2"},
          "nccl.log: holds no ring of 3 ranks, but of 4 in line 1; choose as many ranks as ran");
  folder.write("nccl.log", "Channel 00/01 : 0 1 2 2\n");
  refused({},
          "nccl.log:1: channel 0 names rank 2 twice, and rank 3 not at all; give the line as NCCL "
          "printed it");
  const Arguments empty = {"run", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes",
                           "4 B", "--rings",    ""};
  check_refused(syncsim(empty), "--rings: the path is empty; name a log or graph file of NCCL");
}

TEST_CASE("the nics of a graph file are reported with its rings") {
  const TemporaryFolder folder;
  folder.write("g.xml",
               "<graphs><graph pattern=\"4\" nchannels=\"1\">\n<channel><net dev=\"2\"/>"
               "<gpu dev=\"0\"/><gpu dev=\"1\"/><net dev=\"9\"/></channel></graph></graphs>");
  const Arguments run = {"run",
                         "--topology",
                         "dgx_a100_x2",
                         "--strategy",
                         "ring",
                         "--bytes",
                         "16 MB",
                         "--rings",
                         "g.xml",
                         "--edit",
                         "ranks node[0-1]/gpu[0-1]"};
  check_refused(syncsim(run, folder.path()),
                "g.xml:2:52: NIC 9 is none of rank 1's box, which has 8; name one of 0 to 7");
  folder.write("g.xml",
               "<graphs><graph pattern=\"4\" nchannels=\"1\">\n<channel><net dev=\"2\"/>"
               "<gpu dev=\"0\"/><gpu dev=\"1\"/><net dev=\"3\"/></channel></graph></graphs>");
  const Outcome outcome = syncsim(run, folder.path());
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("rings: nic2>0,1>nic3,nic2>2,3>nic3") != std::string::npos);
}

}  // namespace syncsim::testing::rings_test
