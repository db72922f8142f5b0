#pragma once
// Matrices of `nvidia-smi topo -m`, and what became of them.

#include <doctest/doctest.h>
#include "sim/topology/routing.h"
#include "sim/topology/topology_json.h"
#include "tests/topology/edits/edits_support.h"
#include "tests/topology/import/matrix_support.h"

namespace syncsim::testing::smi {

using testing::edited;
using testing::import_matrix;
using testing::typed_cables;
using Lines = std::vector<std::string>;

inline const std::string kAmpere =
    "t.txt: took profile ampere (A100 and its time: NVLink 3, PCIe 4.0, EPYC, 200 Gbit/s); choose "
    "with --profile";

inline const char* const kDgx1v =
    "\tGPU0\tGPU1\tGPU2\tGPU3\tGPU4\tGPU5\tGPU6\tGPU7\tmlx5_0\tmlx5_1\tmlx5_2\tmlx5_3\tCPU "
    "Affinity\n"
    "GPU0\t X \tNV1\tNV1\tNV2\tNV2\tSYS\tSYS\tSYS\tPIX\tPHB\tSYS\tSYS\t0-19,40-59\n"
    "GPU1\tNV1\t X \tNV2\tNV1\tSYS\tNV2\tSYS\tSYS\tPIX\tPHB\tSYS\tSYS\t0-19,40-59\n"
    "GPU2\tNV1\tNV2\t X \tNV2\tSYS\tSYS\tNV1\tSYS\tPHB\tPIX\tSYS\tSYS\t0-19,40-59\n"
    "GPU3\tNV2\tNV1\tNV2\t X \tSYS\tSYS\tSYS\tNV1\tPHB\tPIX\tSYS\tSYS\t0-19,40-59\n"
    "GPU4\tNV2\tSYS\tSYS\tSYS\t X \tNV1\tNV1\tNV2\tSYS\tSYS\tPIX\tPHB\t20-39,60-79\n"
    "GPU5\tSYS\tNV2\tSYS\tSYS\tNV1\t X \tNV2\tNV1\tSYS\tSYS\tPIX\tPHB\t20-39,60-79\n"
    "GPU6\tSYS\tSYS\tNV1\tSYS\tNV1\tNV2\t X \tNV2\tSYS\tSYS\tPHB\tPIX\t20-39,60-79\n"
    "GPU7\tSYS\tSYS\tSYS\tNV1\tNV2\tNV1\tNV2\t X \tSYS\tSYS\tPHB\tPIX\t20-39,60-79\n"
    "mlx5_0\tPIX\tPIX\tPHB\tPHB\tSYS\tSYS\tSYS\tSYS\t X \tPHB\tSYS\tSYS\t\n"
    "mlx5_1\tPHB\tPHB\tPIX\tPIX\tSYS\tSYS\tSYS\tSYS\tPHB\t X \tSYS\tSYS\t\n"
    "mlx5_2\tSYS\tSYS\tSYS\tSYS\tPIX\tPIX\tPHB\tPHB\tSYS\tSYS\t X \tPHB\t\n"
    "mlx5_3\tSYS\tSYS\tSYS\tSYS\tPHB\tPHB\tPIX\tPIX\tSYS\tSYS\tPHB\t X \t\n";

// The cables of a machine by ends and kind, sorted.
inline Lines sorted_cables(const Topology& machine, bool with_network) {
  Lines result;
  for (const std::string& cable : typed_cables(machine))
    if (with_network || cable.find("network") == std::string::npos) result.push_back(cable);
  std::sort(result.begin(), result.end());
  return result;
}

// "GPU0 GPU1 ...", rows of X and one cell for all other pairs of gpus, each row ending with a tail.
inline std::string uniform(int gpus, const std::string& cell, const Lines& tails = {}) {
  std::string text;
  for (int i = 0; i < gpus; ++i) text += " GPU" + std::to_string(i);
  text += tails.empty() ? "\n" : " CPU Affinity NUMA Affinity GPU NUMA ID\n";
  for (int i = 0; i < gpus; ++i) {
    text += "GPU" + std::to_string(i);
    for (int j = 0; j < gpus; ++j) text += i == j ? " X" : " " + cell;
    if (!tails.empty()) text += " " + tails[static_cast<std::size_t>(i)];
    text += "\n";
  }
  return text;
}

inline std::string profile_taken(const std::string& text) {
  for (const std::string& warning : import_matrix("nvidia_smi", text).warnings)
    if (const auto at = warning.find("took profile "); at != warning.npos)
      return warning.substr(at + 13, warning.find(' ', at + 13) - at - 13);
  return "none";
}

}  // namespace syncsim::testing::smi
