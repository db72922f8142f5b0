#pragma once
// The words of `nvidia-smi topo -m`, and what gives away other texts that look like it: matrices of
// `nvidia-smi topo -p2p`, of `rocm-smi --showtopo`, and lines that a narrow terminal has wrapped.

#include <optional>
#include <string_view>

#include "sim/base/error.h"
#include "sim/topology/import/nvidia_smi_matrix.h"
#include "sim/topology/import/pasted_text.h"

namespace syncsim {

// "GPU0", with at most 8 digits; and with any number of them.
bool is_gpu(std::string_view word);
bool is_numbered_gpu(std::string_view word);
// "GPU0", "NIC3", "mlx5_bond_0"
bool is_device(const PastedWord& word);
// "X", "PIX", "NV12"
std::optional<PathCell> parse_cell(const PastedWord& word);

// "0", "0-1,3": a NUMA node or several, of numbers that machines have.
bool is_numa_list(std::string_view text);

// The error, without its place, for a word that should be a cell.
InputError no_class(std::string_view word);

// "== Weight between two GPUs ==", "XGMI"
bool is_rocm_heading(std::string_view line);
bool is_rocm_cell(std::string_view word);
InputError rocm_matrix();

// Whether a line that begins with these words has none of its own and goes on with the one before:
// a header (`rest` follows the words), or a row.
bool goes_on_with_header(const PastedWord& first, const PastedWord& second, std::string_view rest);
bool goes_on_with_row(const PastedWord& first, const PastedWord& second);

}  // namespace syncsim
