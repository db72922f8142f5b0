// `topology import`: from file, standard input and this host; names, warnings; what it refuses.

#include "tests/cli/child.h"
#include "tests/cli/refusals.h"

namespace syncsim::testing::topology_import_test {
namespace {

Outcome import(const Arguments& more) {
  const TemporaryFolder folder;
  folder.write("text", "no machine at all");
  return syncsim(with({"topology", "import"}, more), folder.path());
}

constexpr const char* kHost = R"(<?xml version="1.0"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0"><object type="Machine"><object type="Package">
<object type="Bridge" bridge_type="0-1">
<object type="PCIDev" pci_busid="0000:03:00.0" pci_type="0302 [10de:1db1] [0:0] a1" pci_link_speed="0"/>
</object></object></object></topology>
)";

constexpr const char* kWarnings =
    "syncsim: warning: host.xml:3:48: hwloc does not say how fast memory is; cpus add up without "
    "limit\n"
    "syncsim: warning: host.xml:5:1: the link's speed is unknown; took 16 lanes of pcie3_x1, 15.75 "
    "GB/s (profile volta)\n"
    "syncsim: warning: host.xml: says no latencies, so all are 0\n";

}  // namespace

TEST_CASE("an imported machine is named after its file, and says where it comes from") {
  const TemporaryFolder folder;
  folder.write("host.xml", kHost);
  const Outcome outcome = syncsim(
      {"topology", "import", "host.xml", "--profile", "volta", "-o", "mine.json"}, folder.path());
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "");
  CHECK(outcome.err == kWarnings);
  CHECK("\n" + read_text(folder.path() + "/mine.json") == R"(
{
  "name": "mine",
  "description": "imported from hwloc",
  "source": "host.xml, rates of profile volta",
  "link_types": {
    "pcie": {"kind": "pcie", "bandwidth": "15.75 GB/s", "usable": "12 GB/s", "lanes": 16, "generation": 3}
  },
  "nodes": [
    {"id": "gpu0", "kind": "gpu"},
    {"id": "cpu0", "kind": "cpu"}
  ],
  "links": [
    {"between": ["gpu0", "cpu0"], "type": "pcie"}
  ]
}
)");
  const Outcome named =
      syncsim({"topology", "import", "host.xml", "--name", "other"}, folder.path());
  CHECK(named.out.starts_with("{\n  \"name\": \"other\",\n"));
}

TEST_CASE("gpus that reach each other through a cpu of unknown capacity are warned of") {
  const TemporaryFolder folder;
  folder.write("topo.txt", "\tGPU0\tGPU1\nGPU0\tX\tPHB\nGPU1\tPHB\tX\n");
  const Outcome outcome =
      syncsim({"topology", "import", "topo.txt", "--profile", "volta"}, folder.path());
  CHECK(outcome.err.ends_with(
      "syncsim: warning: topo.txt: gpu0 and gpu1 reach each other through cpu0, and nothing says "
      "what it can pass on: took no limit; set one with --edit \"node:cpu0 "
      "transit_bandwidth=...\" or \"node:cpu* ...\"\n"));
}

TEST_CASE("standard input and this host are imported too") {
  const TemporaryFolder folder;
  const std::string input = folder.write("host.xml", kHost);
  Child child(folder, {"topology", "import", "-"}, {}, input);
  CHECK(child.exit_code() == 0);
  CHECK(child.out().starts_with("{\n  \"name\": \"imported\",\n"));

  const Outcome here = syncsim({"topology", "import", "hwloc", "-o", "here.json"}, folder.path());
  CHECK(here.exit_code == 0);
  CHECK(syncsim({"topology", "validate", "here.json"}, folder.path()).exit_code == 0);
}

TEST_CASE("import refuses what is no text to import") {
  check_refused(import({"nothing"}), "nothing: there is no such file; name a text to import");
  check_refused(import({"."}), ".: is a directory; name a text to import");
  check_refused(import({""}), "the path is empty; name a text to import");
  const Outcome unlike = import({"text"});
  CHECK(unlike.exit_code == 2);
  CHECK(unlike.err.starts_with(
      "syncsim: text: is in no format that can be imported; say which with --format: "));
  check_refused(import({"-"}),
                "standard input: is empty; give it what another tool says of the machine");
}

TEST_CASE("import refuses unknown formats, profiles, machines and empty names") {
  CHECK(import({"text", "--format", "xyz"})
            .err.starts_with(R"(syncsim: --format: unknown import format "xyz"; )"));
  check_refused(import({"text", "--profile", "amper"}),
                R"(--profile: unknown profile "amper"; did you mean "ampere"?)");
  check_refused(import({"text", "--onto", "pcie_4gp"}),
                R"(--onto: unknown topology "pcie_4gp"; did you mean "pcie_4gpu"?)");
  check_refused(import({"text", "--name", ""}), "--name: the name is empty; name the machine");
  check_refused(import({"text", "-o", "."}), R"(-o: "." is no file; name a file to write)");
}

TEST_CASE("--onto goes with figures to be fitted, not with machines") {
  const TemporaryFolder folder;
  folder.write("host.xml", kHost);
  check_refused(syncsim({"topology", "import", "host.xml", "--onto", "pcie_4gpu"}, folder.path()),
                "--onto: hwloc describes a machine of its own; leave --onto away");
}

TEST_CASE("every format is held to the memory that is allowed") {
  const TemporaryFolder folder;
  folder.write("host.xml", kHost);
  folder.write("topo.txt", "\tGPU0\tGPU1\nGPU0\tX\tPHB\nGPU1\tPHB\tX\n");
  folder.write("topo.xml", R"(<system version="1"><cpu numaid="0"><pci busid="01:00.0"
    class="0x030200" link_speed="8 GT/s" link_width="16"><gpu dev="0"/></pci></cpu></system>)");
  for (const std::string file : {"host.xml", "topo.txt", "topo.xml"}) {
    const Outcome outcome =
        syncsim({"topology", "import", file, "--memory", "100 B"}, folder.path());
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out == "");
    CHECK(outcome.err.starts_with("syncsim: " + file + ": the machine needs about "));
    CHECK(outcome.err.ends_with(
        "--memory allows 100 B; build a smaller one, or allow more with --memory\n"));
  }
}

TEST_CASE("a text that is too long is refused, as soon as it is") {
  check_refused(import({"/dev/zero"}), "/dev/zero: is longer than 64 MB; give a shorter one");
}

TEST_CASE("peers that a machine without a cpu cannot stage are refused, not written") {
  const TemporaryFolder folder;
  folder.write("m.json", R"({"name": "m",
    "link_types": {"x": {"kind": "pcie", "bandwidth": "16 GB/s"}},
    "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "plx0", "kind": "switch"}],
    "links": [{"between": ["gpu[0-1]", "plx0"], "type": "x"}]})");
  folder.write("p2p.txt", "P2P Connectivity Matrix\n D\\D 0 1\n 0 1 0\n 1 0 1\n");
  check_refused(syncsim({"topology", "import", "p2p.txt", "--onto", "m.json"}, folder.path()),
                "p2p.txt: the routing policy leads the traffic of gpu0 through a cpu, and it "
                "reaches none; join it to one, or allow its devices to reach each other");
}

}  // namespace syncsim::testing::topology_import_test
