// NCCL's names for hardware, both ways.

#include <doctest/doctest.h>

#include "sim/topology/import/nccl_names.h"
#include "tests/topology/import/nccl_support.h"

namespace syncsim::testing::nccl_names_test {

TEST_CASE("every speed that is written is read back") {
  for (int generation = 1; generation <= 6; ++generation)
    CHECK(pcie_generation(link_speed(generation)) == generation);
  CHECK(pcie_generation("16 GT/s") == 4);
  CHECK(pcie_generation("2.5GT/s") == 1);
  for (const char* text : {"", "16", "GT/s", "16 GB/s", "128 GT/s", "1e1 GT/s", "Unknown speed"})
    CHECK(pcie_generation(text) == 0);
  CHECK(link_speed(1) == "2.5 GT/s PCIe");
  CHECK(link_speed(4) == "16.0 GT/s PCIe");
}

TEST_CASE("every row that is written is read back, and is among the rates") {
  for (const std::string_view row : nvlink_rows()) {
    CHECK(nvlink_row(sm_of_row(row).value()) == row);
    CHECK(shipped_rates().link(row).kind == LinkKind::nvlink);
  }
  for (const std::string_view row : xgmi_rows()) {
    CHECK(xgmi_row(gcn_of_row(row).value()) == row);
    CHECK(shipped_rates().link(row).kind == LinkKind::xgmi);
  }
  for (const bool intel : {true, false})
    for (const std::string_view row : socket_rows(intel)) {
      const CpuModel cpu = cpu_of_row(row).value();
      CHECK(socket_row(cpu) == row);
      CHECK((cpu.vendor == "GenuineIntel") == intel);
      CHECK(shipped_rates().link(row).kind == LinkKind::socket);
    }
  CHECK(nvlink_rows().size() == 6);
  CHECK(socket_rows(true).size() + socket_rows(false).size() == 9);
  CHECK_FALSE(sm_of_row("pcie4_x1").has_value());
  CHECK_FALSE(gcn_of_row("nvlink1").has_value());
  CHECK_FALSE(cpu_of_row("socket_tpu").has_value());
}

TEST_CASE("every GPU's generation has a profile") {
  for (const int sm : {60, 70, 75, 80, 86, 89, 90, 100, 103, 120})
    CHECK_NOTHROW(shipped_rates().profile(profile_of(sm).value()));
  CHECK(profile_of(75) == "turing");
  CHECK(profile_of(89) == "ampere_workstation");
  CHECK_FALSE(profile_of(59).has_value());
}

TEST_CASE("names that only begin like known ones are unknown") {
  for (const char* gcn : {"gfx1100", "9060", "", "gfx", "gfx950", "94", "9420"})
    CHECK_FALSE(xgmi_row(gcn).has_value());
  CHECK(xgmi_row("gfx941") == "xgmi_mi300");
  CHECK(xgmi_row("gfx90a:sramecc+:xnack-") == "xgmi_mi200");
}

TEST_CASE("bus ids have one form") {
  CHECK(canonical_bus_id("0000:0f:00.0") == "0000:0f:00.0");
  CHECK(canonical_bus_id("00000000:0F:00.0") == "0000:0f:00.0");
  CHECK(canonical_bus_id(" f:0.0 ") == "0000:0f:00.0");
  CHECK(canonical_bus_id("10001:0f:1c.7") == "10001:0f:1c.7");
  CHECK(canonical_bus_id("FFFFFFF:FFFF:FF") == "fffffff:ffff:ff");
  for (const char* text : {"", ".", ":", ":.", "x:00.0", "0000::00.0", "0:0:0:0.", "1:2:3"})
    CHECK(canonical_bus_id(text) == text);
}

}  // namespace syncsim::testing::nccl_names_test
