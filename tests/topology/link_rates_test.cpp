// The shipped link rates, and what is wrong with others.

#include <doctest/doctest.h>

#include "sim/topology/import/link_rates.h"
#include "sim/topology/link_type.h"
#include "tests/support/temporary_folder.h"
#include "tests/topology/json_support.h"

namespace syncsim::link_rates_test {
namespace {

constexpr const char* kLinks = R"({"pcie": "lane", "socket": "qpi", "network": "net"})";

// Rates of its own.
class Folder {
 public:
  Folder() {
    folder_.write("links.json", R"({
      "lane": {"type": {"kind": "pcie", "bandwidth": "1 GB/s", "lanes": 1, "generation": 3},
               "source": "s"},
      "old": {"type": {"kind": "pcie", "bandwidth": "1 GB/s"}, "source": "s"},
      "qpi": {"type": {"kind": "socket", "bandwidth": "10 GB/s"}, "source": "s"},
      "net": {"type": {"kind": "network", "bandwidth": "10 GB/s"}, "source": "s"}})");
  }

  // Without the folder's name.
  std::string refusal(const std::string& profiles, const std::string& cpus = "{}") const {
    folder_.write("profiles.json", profiles);
    folder_.write("cpus.json", cpus);
    const std::string text = testing::refusal_of([&] { LinkRates::load(folder_.path()); });
    return text.substr(text.starts_with(folder_.path()) ? folder_.path().size() + 1 : 0);
  }

 private:
  testing::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("the shipped rates are NCCL's usable figures and the line rates behind them") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  CHECK(rates.link("nvlink3").bandwidth == Bandwidth{25e9});
  CHECK(rates.link("nvlink4").usable == Bandwidth{20.6e9});
  CHECK(16 * rates.link("pcie3_x1").bandwidth.bytes_per_second == 15.75e9);
  CHECK(16 * rates.link("pcie5_x1").usable.bytes_per_second == 48e9);
  CHECK(rates.link("socket_amd").kind == LinkKind::socket);
  CHECK(rates.link("network_100g").bandwidth == Bandwidth{12.5e9});
}

TEST_CASE("every profile names a link for NVLink, PCIe, sockets and networks") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  CHECK(rates.profiles().size() >= 7);
  for (const RateProfile& profile : rates.profiles()) {
    CAPTURE(profile.name);
    CHECK(!profile.description.empty());
    for (const auto& [kind, name] : profile.links) CHECK(to_string(rates.link(name).kind) == kind);
    for (const char* kind : {"nvlink", "pcie", "socket", "network"})
      CHECK(profile.links.contains(kind));
  }
}

TEST_CASE("every profile says how many NVLinks its gpus have, and of two what its nodes can do") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  for (const RateProfile& profile : rates.profiles()) CHECK(profile.nvlinks >= 2);
  CHECK(rates.profile("volta").nvlinks == 6);
  CHECK(rates.profile("hopper").nvlinks == 18);
  CHECK(rates.profile("turing").nvlink_peers == 1);
  CHECK(rates.profile("ampere").nvlink_peers == RateProfile::kNoLimit);
  CHECK(rates.profile("hopper").cpu.peer_cost == 1.2);
  CHECK(rates.profile("ampere").cpu.peer_cost == 1);
  CHECK(rates.profile("hopper").nvswitch.abilities == Abilities{true, true});
  CHECK(rates.profile("ampere").nvswitch.abilities == Abilities{});
}

TEST_CASE("links of a profile are added up") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  const Link x16 = rates.link(rates.profile("ampere"), "pcie", 16);
  CHECK(x16.bandwidth == Bandwidth{31.5e9});
  CHECK(x16.usable == Bandwidth{24e9});
  CHECK(x16.kind == LinkKind::pcie);
  CHECK(testing::refusal_of([&] { rates.link(rates.profile("ampere"), "host", 1); }) ==
        "profile ampere has no host link; choose another with --profile");
}

TEST_CASE("figures of a profile that cannot be are refused") {
  const Folder folder;
  const auto refusal = [&](const std::string& figures) {
    return folder.refusal(R"({"p": {"description": "d", "links": )" + std::string(kLinks) + ", " +
                          figures + "}}");
  };
  CHECK(refusal(R"("nvlinks": 1)") == "accepted");
  CHECK(refusal(R"("nvlinks": 0)").starts_with("profiles.json:/p/nvlinks: "));
  CHECK(refusal(R"("cpu": {"kind": "gpu"})") ==
        R"(profiles.json:/p/cpu: a gpu stands for a cpu; write "kind": "cpu")");
  CHECK(refusal(R"("cpu": {"kind": "cpu", "peer_cost": 0.5})")
            .starts_with("profiles.json:/p/cpu/peer_cost: "));
  CHECK(refusal(R"("nvswitch": {"kind": "switch", "abilities": ["fly"]})")
            .starts_with("profiles.json:/p/nvswitch/abilities/0: "));
}

TEST_CASE("a profile lacks no link that importers take, and each is of its kind") {
  const Folder folder;
  const auto refusal = [&](const std::string& links) {
    return folder.refusal(R"({"p": {"description": "d", "links": )" + links + "}}");
  };
  const std::string place = "profiles.json:/p/links";
  CHECK(refusal(R"({"socket": "qpi", "network": "net"})") ==
        place + R"(: "pcie" is missing; add "pcie": ...)");
  CHECK(refusal(R"({"pcie": "lane", "network": "net"})") ==
        place + R"(: "socket" is missing; add "socket": ...)");
  CHECK(refusal(R"({"pcie": "lane", "socket": "qpi"})") ==
        place + R"(: "network" is missing; add "network": ...)");
  CHECK(refusal(R"({"pcie": "n", "socket": "qpi", "network": "net"})") ==
        place + R"(/pcie: there is no link "n" in links.json; add it there)");
  CHECK(refusal(R"({"pcie": "lane", "socket": "net", "network": "net"})") ==
        place + "/socket: net is of kind network; name one of kind socket");
  CHECK(refusal(R"({"pcie": "old", "socket": "qpi", "network": "net"})") ==
        place + R"(/pcie: old is no lane of a PCIe generation; name one, as in "pcie4_x1")");
}

TEST_CASE("what peer traffic costs is known by the vendor of the cpu, 1 where it is not") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  CHECK(rates.peer_cost("GenuineIntel") == 1.2);
  CHECK(rates.peer_cost("AuthenticAMD") == 1);
  const Folder folder;
  const auto refusal = [&](const std::string& cpus) {
    return folder.refusal(R"({"p": {"description": "d", "links": )" + std::string(kLinks) + "}}",
                          cpus);
  };
  CHECK(refusal(R"({"A": {"peer_cost": 2, "source": "s"}})") == "accepted");
  CHECK(refusal(R"({"A": {"peer_cost": 0.5, "source": "s"}})") ==
        "cpus.json:/A/peer_cost: peer traffic costs no less than its bytes; write 1 or more");
  CHECK(refusal(R"({"A": {"peer_cost": 2}})") ==
        R"(cpus.json:/A: "source" is missing; add "source": "where the figure comes from")");
}

TEST_CASE("PCIe links are lanes of a generation, which a profile knows") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  CHECK(rates.pcie(4, 8).bandwidth == Bandwidth{15.75e9});
  CHECK(rates.pcie(4, 8).generation == 4);
  CHECK(rates.pcie(4, 8).lanes == 8);
  CHECK(rates.pcie(3, 3).lanes == 0);
  CHECK(rates.pcie_generation(rates.profile("volta")) == 3);
  CHECK(rates.pcie_generation(rates.profile("hopper")) == 5);
}

TEST_CASE("an unknown rate, profile or link of a profile is refused") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  CHECK(testing::refusal_of([&] { rates.link("nvlink33"); }) ==
        R"(unknown link rate "nvlink33"; did you mean "nvlink3"?)");
  CHECK(testing::refusal_of([&] { rates.profile("amper"); }) ==
        R"(unknown profile "amper"; did you mean "ampere"?)");
}

TEST_CASE("lanes add up to a PCIe link of their generation, and to an unknown width otherwise") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  for (int generation = 1; generation <= 6; ++generation) {
    const Link lane = rates.link("pcie" + std::to_string(generation) + "_x1");
    CHECK(lane.lanes == 1);
    CHECK(lane.generation == generation);
    CHECK(lanes_of(lane, 8).lanes == 8);
    CHECK(lanes_of(lane, 8).generation == generation);
    CHECK(lanes_of(lane, 8).bandwidth.bytes_per_second == 8 * lane.bandwidth.bytes_per_second);
    CHECK(lanes_of(lane, 3).lanes == 0);
    CHECK(lanes_of(lane, 257).lanes == 0);
  }
  CHECK(lanes_of(rates.link("nvlink3"), 16).lanes == 0);
}

}  // namespace syncsim::link_rates_test
