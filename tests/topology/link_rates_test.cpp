// The shipped link rates, and what is wrong with others.

#include <doctest/doctest.h>

#include "sim/topology/import/link_rates.h"
#include "sim/topology/link_type.h"
#include "tests/support/temporary_folder.h"
#include "tests/topology/json_support.h"

namespace syncsim {

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
  const testing::TemporaryFolder folder;
  folder.write("links.json", "{}");
  const auto refusal = [&](const std::string& figures) {
    folder.write("profiles.json", R"({"p": {"description": "d", "links": {}, )" + figures + "}}");
    const std::string text = testing::refusal_of([&] { LinkRates::load(folder.path()); });
    return text.substr(std::min(text.size(), text.find("json:") + 5));
  };
  CHECK(refusal(R"("nvlinks": 0)").starts_with("/p/nvlinks: "));
  CHECK(refusal(R"("cpu": {"kind": "gpu"})") ==
        R"(/p/cpu: a gpu stands for a cpu; write "kind": "cpu")");
  CHECK(refusal(R"("cpu": {"kind": "cpu", "peer_cost": 0.5})").starts_with("/p/cpu/peer_cost: "));
  CHECK(refusal(R"("nvswitch": {"kind": "switch", "abilities": ["fly"]})")
            .starts_with("/p/nvswitch/abilities/0: "));
}

TEST_CASE("an unknown rate, profile or link of a profile is refused") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  CHECK(testing::refusal_of([&] { rates.link("nvlink33"); }) ==
        R"(unknown link rate "nvlink33"; did you mean "nvlink3"?)");
  CHECK(testing::refusal_of([&] { rates.profile("amper"); }) ==
        R"(unknown profile "amper"; did you mean "ampere"?)");
  const testing::TemporaryFolder folder;
  folder.write("links.json", "{}");
  const std::string profiles =
      folder.write("profiles.json", R"({"p": {"description": "d", "links": {"nvlink": "n"}}})");
  const std::string directory = folder.path();
  CHECK(testing::refusal_of([&] { LinkRates::load(directory); }) ==
        profiles + R"(:/p/links/nvlink: there is no link "n" in links.json; add it there)");
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

}  // namespace syncsim
