// Text for people fits 100 columns, whatever command writes it.

#include <doctest/doctest.h>

#include <sstream>

#include "sim/base/quote.h"
#include "tests/cli/program.h"

namespace syncsim::testing::width_test {
namespace {

void check_width(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("  > try "))
      CHECK_MESSAGE(characters(line) <= 100, line);  // to be pasted
}

}  // namespace

TEST_CASE("what commands print fits 100 columns") {
  const Arguments point = {"--topology", "hgx_h100_x2", "--bytes", "1 MB"};
  const std::string edit = "link:node0/gpu0-node0/nvs0 bandwidth=8 GB/s";
  const TemporaryFolder folder;
  folder.write("table.csv", "size,time,collective\n4096,500,allreduce\n4194304,900,allreduce\n");
  for (const Arguments& command : {
           Arguments{"list"},
           Arguments{"list", "strategies"},
           Arguments{"list", "topologies"},
           Arguments{"list", "models"},
           Arguments{"model", "show", "gpt2_xl"},
           Arguments{"train", "--topology", "hgx_h100_x2", "--model", "vgg16", "--strategy", "ring",
                     "--no-overlap", "--what-if-infinite-network", "--critical-path"},
           Arguments{"list", "collectives"},
           Arguments{"list", "kinds"},
           Arguments{"list", "executors"},
           Arguments{"list", "profiles"},
           Arguments{"list", "formats"},
           Arguments{"list", "suspects"},
           Arguments{"list", "datatypes"},
           with({"compare"}, point),
           Arguments{"compare", "--topology", "mi250", "--bytes", "1 MB"},
           Arguments{"compare", "--topology", "pcie_4gpu", "--bytes", "1 kB,1 GB"},
           with({"bound"}, point),
           with({"run", "--strategy", "ring", "--links", "--explain", "--edit", edit}, point),
           with({"run", "--strategy", "hierarchical,auto"}, point),
           Arguments{"run", "scenarios/what_if/nic_under_the_other_socket.json"},
           Arguments{"check", "scenarios/what_if/nic_under_the_other_socket.json",
                     "scenarios/what_if/bridge_pairs.json", "scenarios/what_if/acs_on.json"},
           Arguments{"verify", "scenarios/plans/allgather_direct_4gpu.xml"},
           Arguments{"topology", "show", "hgx_h100_x16"},
           Arguments{"topology", "show", "hgx_h100_x2", "--route", "node0/gpu0", "node1/gpu7"},
           Arguments{"topology", "validate", "hgx_h100_x2"},
           Arguments{"flows", "--topology", "pcie_4gpu", "--flows",
                     "scenarios/traffic/pcie_4gpu.csv"},
           with({"plan", "--strategy", "ring", "--out", folder.path() + "/plan.json"}, point),
           with({"execute", "--strategy", "ring", "--iterations", "1", "--compare", "--links"},
                point),
           Arguments{"predict", "--measured", "scenarios/measured/oci-mi300x-2n-all_reduce.json"},
           Arguments{"figures", "dgx_a100_x2"},
           Arguments{"calibrate", "--topology", "hgx_h100_x2", "--by", "link", "--strategy", "ring",
                     "--ranks", "6-9", "--from", folder.path() + "/table.csv"},
       }) {
    CAPTURE(command[0]);
    const Outcome outcome = syncsim(command);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out != "");
    check_width(outcome.out);
  }
}

TEST_CASE("names in lists stay whole on the left, what they mean goes on to the right") {
  const Outcome outcome = syncsim({"list", "topologies"});
  std::istringstream lines(outcome.out);
  const Json machines = json_of(syncsim({"list", "topologies", "--format", "json"}))["topologies"];
  std::size_t names = 0;
  std::size_t begin = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line[0] != ' ') {
      const std::string name = machines.at(names++)["name"];
      CHECK(line.starts_with(name + " "));
      begin = std::max(begin, name.size() + 1);
    } else {
      CHECK(line.find_first_not_of(' ') >= begin);
    }
  }
  CHECK(names == machines.size());
}

}  // namespace syncsim::testing::width_test
