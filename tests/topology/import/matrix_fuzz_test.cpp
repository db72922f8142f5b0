// Whatever is cut off a matrix or changed in it: a machine, or one line that says what is wrong.

#include <doctest/doctest.h>

#include <cstdint>

#include "tests/topology/import/matrix_support.h"

namespace syncsim::matrix_fuzz_test {
namespace {

const char* const kClasses =
    "$ nvidia-smi topo -m\n\t\x1b[4mGPU0\tGPU1\tGPU2\tNIC0\tCPU Affinity\tNUMA Affinity\x1b[0m\n"
    "GPU0\t X \tNV12\tPXB\tPIX\t0-7\t0\nGPU1\tNV12\t X \tNV12\tSYS\t8-15\t1\n"
    "GPU2\tPXB\tNV12\t X \tPXB\t0-7\t0\nNIC0\tPIX\tSYS\tPXB\t X \n\nNIC Legend:\n  NIC0: mlx5_0\n";

const char* const kFigures =
    "P2P Connectivity Matrix\n     D\\D     0     1\n     0\t     1     0\n     1\t     0     1\n"
    "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n"
    "   D\\D     0      1\n     0 541.84   5.71\n     1   5.70 543.05\n"
    "P2P=Enabled Latency (P2P Writes) Matrix (us)\n   GPU     0      1\n"
    "     0   1.32  14.99\n     1  13.63   1.25\n\n   CPU     0      1\n"
    "     0   3.36  10.34\n     1  10.47   3.27\n";

const char* const kMachine = R"({
  "name": "pair", "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s"}},
  "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "cpu0", "kind": "cpu"}],
  "links": [{"between": ["gpu[0-1]", "cpu0"], "type": "pcie"}]})";

// Says whether a machine came out.
bool try_import(std::string_view format, const std::string& text) {
  std::string failure = testing::refusal_of(
      [&] { testing::import_matrix(format, text, "", testing::read_machine(kMachine)); });
  if (failure == "accepted") return true;
  INFO(text);
  CHECK(failure.starts_with("t.txt:"));
  CHECK(failure.find('\n') == std::string::npos);
  return false;
}

struct Counts {
  int accepted = 0;
  int refused = 0;
};

Counts mutate(std::string_view format, const std::string& text) {
  Counts counts;
  const auto count = [&](const std::string& changed) {
    ++(try_import(format, changed) ? counts.accepted : counts.refused);
  };
  const std::string bytes("\0\n\t X0159-.\x1b[\xff\xc2", 15);
  std::uint64_t state = 1;
  const auto next = [&](std::size_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    count(text.substr(0, at));
    count(text.substr(at));
    count(text.substr(0, at) + text.substr(at + 1));
    std::string changed = text;
    for (int byte = 0; byte < 3; ++byte) {
      changed[next(changed.size())] = bytes[next(bytes.size())];
      count(changed);
    }
  }
  return counts;
}

}  // namespace

TEST_CASE("a damaged matrix of classes is read or refused with its place") {
  const Counts counts = mutate("nvidia_smi", kClasses);
  CHECK(counts.accepted > 50);
  CHECK(counts.refused > 50);
}

TEST_CASE("a damaged matrix of figures is read or refused with its place") {
  const Counts counts = mutate("p2p", kFigures);
  CHECK(counts.accepted > 50);
  CHECK(counts.refused > 50);
}

}  // namespace syncsim::matrix_fuzz_test
