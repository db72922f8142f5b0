#include "sim/exec/calibration/figures.h"

#include <doctest/doctest.h>

#include "tests/support/machines.h"

namespace syncsim::testing::figures_test {
namespace {

std::vector<std::string> names_of(const Topology& machine, Grouping grouping) {
  std::vector<std::string> names;
  for (const Figure& figure : figures_of(machine, grouping, LineRates::bound))
    names.push_back(figure.name() + " " + figure.value_text());
  return names;
}

Topology::Parts host() {
  Topology::Parts parts = star(2, gigabytes(14), LinkKind::host);
  parts.nodes[2].transit_bandwidth = gigabytes(14);
  for (NodeId gpu = 0; gpu < 2; ++gpu) {
    parts.nodes[gpu].reduce_bandwidth = gigabytes(7);
    parts.links[2 * gpu + 1].usable = parts.links[2 * gpu + 1].bandwidth = gigabytes(8);
  }
  return parts;
}

}  // namespace

TEST_CASE("links of one kind with the same figures a cable share them, however many cables") {
  Topology::Parts parts = direct_mesh(3, {{0, 1, 1}, {1, 2, 2}});
  CHECK(names_of(Topology(parts), Grouping::kind) ==
        std::vector<std::string>{"bandwidth of nvlink 25 GB/s", "latency of nvlink 0 ps",
                                 "overhead of nvlink 0 ps"});
  add_cable(parts, 0, 2, link_of(LinkKind::pcie, gigabytes(16)));
  CHECK(names_of(Topology(parts), Grouping::kind)[1] == "bandwidth of pcie 16 GB/s");
}

TEST_CASE("groups of one kind are told by their figures, or by numbers") {
  CHECK(names_of(Topology(host()), Grouping::kind) ==
        std::vector<std::string>{
            "bandwidth of host of 14 GB/s 14 GB/s", "bandwidth of host of 8 GB/s 8 GB/s",
            "latency of host of 14 GB/s 0 ps", "latency of host of 8 GB/s 0 ps",
            "overhead of host of 14 GB/s 0 ps", "overhead of host of 8 GB/s 0 ps",
            "reduce bandwidth of gpus 7 GB/s", "transit bandwidth of switch0 14 GB/s"});
  Topology::Parts parts = star(2);
  parts.links[2].latency = parts.links[3].latency = {1};
  CHECK(names_of(Topology(parts), Grouping::kind)[1] ==
        "bandwidth of pcie of 16 GB/s, no. 2 16 GB/s");
}

TEST_CASE("by link, a cable has figures of its own, and a direction where they differ") {
  const std::vector<std::string> names = names_of(Topology(host()), Grouping::link);
  CHECK(names[0] == "bandwidth of gpu0>switch0 14 GB/s");
  CHECK(names[1] == "bandwidth of switch0>gpu0 8 GB/s");
  CHECK(names[12] == "reduce bandwidth of gpu0 7 GB/s");
  CHECK(names_of(Topology(star(2)), Grouping::link)[1] == "bandwidth of gpu1-switch0 16 GB/s");
}

TEST_CASE("a machine takes other figures: those of its members, times their cables") {
  const Topology machine(direct_mesh(3, {{0, 1, 1}, {1, 2, 2}}));
  std::vector<Figure> figures = figures_of(machine, Grouping::kind, LineRates::bound);
  figures[0].value = 20e9;
  figures[1].value = 1.5e-6;
  figures[2].value = 0.25e-6;
  const Topology changed = with_figures(machine, figures);
  for (const Link& link : changed.links()) {
    CHECK(link.bandwidth == gigabytes(25 * link.count));
    CHECK(link.usable == gigabytes(20 * link.count));
    CHECK(link.latency == Time{1'500'000});
    CHECK(link.overhead == Time{250'000});
  }
}

TEST_CASE("usable bandwidths stop at line rates, unless those may rise") {
  const Topology machine(star(2));
  for (const LineRates lines : {LineRates::bound, LineRates::raised}) {
    std::vector<Figure> figures = figures_of(machine, Grouping::kind, lines);
    figures[0].value = 17e9;
    const bool raised = lines == LineRates::raised;
    CHECK((figures[0].most > 17e9) == raised);
    const Topology changed = with_figures(machine, figures);
    for (const Link& link : changed.links()) {
      CHECK(link.usable == gigabytes(raised ? 17 : 16));
      CHECK(link.bandwidth == link.usable);
    }
  }
}

TEST_CASE("nodes take reduce and transit bandwidths") {
  const Topology machine(host());
  std::vector<Figure> figures = figures_of(machine, Grouping::kind, LineRates::bound);
  figures[6].value = 5e9;
  figures[7].value = 12e9;
  const Topology changed = with_figures(machine, figures);
  CHECK(changed.nodes()[1].reduce_bandwidth == gigabytes(5));
  CHECK(changed.nodes()[2].transit_bandwidth == gigabytes(12));
}

}  // namespace syncsim::testing::figures_test
