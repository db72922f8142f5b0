#pragma once
// Where the devices of a matrix sit: which share a PCIe switch, which an upper one, which a cpu.

#include <cstddef>
#include <string>
#include <vector>

#include "sim/topology/import/nvidia_smi_matrix.h"

namespace syncsim {

inline constexpr std::size_t kMostSmiCpus = 64;

// Of each device the number of its group, counted in the order of their first devices. Groups of
// `pix` lie within those of `pxb`, and these within those of `cpu`.
struct PcieTree {
  std::vector<std::size_t> pix;
  std::vector<std::size_t> pxb;
  std::vector<std::size_t> cpu;
};

// Throws InputError with the place of a cell that contradicts others. Where cells and affinities
// leave it open, takes what nvidia_smi.h says and appends to `warnings`.
PcieTree pcie_tree(const SmiMatrix& matrix, std::vector<std::string>& warnings);

}  // namespace syncsim
