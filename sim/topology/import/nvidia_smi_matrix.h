#pragma once
// The matrix of `nvidia-smi topo -m`, read and checked, before anything is made of it. Rules:
// 1. The header is the first line that begins with GPU<number> and holds names only; the affinity
//    columns come after the devices. A row begins with a device of the header.
// 2. At most kMostSmiDevices; every gpu has one row of as many cells; X on the diagonal and nowhere
//    else; both ways read the same. NICs may lack their rows.
// 3. Lines that a narrow terminal has wrapped, or that have a prefix, are as nvidia_smi_lines.h says;
//    what still goes on with the line before is refused there.
// 4. Lines before, between and after (comments, prompts, fences) are passed over; "Legend" ends
//    the matrix. "NIC0: mlx5_0" after it says how the host calls a nic.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncsim {

inline constexpr std::size_t kMostSmiDevices = 1024;

// From near to far; each includes those before it, but for NVLink, which hides what lies below.
enum class PathClass : std::uint8_t { unknown, self, nvlink, pix, pxb, phb, node, sys };

struct PathCell {
  PathClass path = PathClass::unknown;  // unknown: no such row
  int nvlinks = 0;
  int line = 0;
  int column = 0;
};

struct SmiDevice {
  std::string name;   // "GPU0", "NIC0", "mlx5_0"
  std::string id;     // of its node: "gpu0"; nics are numbered from nic0 in their order
  std::string alias;  // of a nic, from the legend
  bool is_gpu = false;
  std::string cpus;  // affinities; empty when not known
  std::string numa;
};

struct SmiMatrix {
  std::string file;
  int line = 0;                    // of the header
  std::vector<SmiDevice> devices;  // gpus and nics, in column order
  std::vector<PathCell> cells;     // row by row

  const PathCell& at(std::size_t a, std::size_t b) const { return cells[a * devices.size() + b]; }
  // From the row of either.
  const PathCell& between(std::size_t a, std::size_t b) const {
    return at(a, b).path == PathClass::unknown ? at(b, a) : at(a, b);
  }
};

// "PXB", "NV12"
std::string to_string(const PathCell& cell);
// Appends to `warnings`. Throws InputError with its place.
SmiMatrix read_smi_matrix(std::string_view text, const std::string& file,
                          std::vector<std::string>& warnings);
// Whether the text holds a line of such a matrix.
bool holds_smi_line(std::string_view text);

}  // namespace syncsim
