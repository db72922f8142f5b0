#include "sim/topology/import/nvidia_smi_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"

namespace syncsim {
namespace {

constexpr std::array<std::pair<std::string_view, PathClass>, 7> kPathClasses = {{
    {"X", PathClass::self},
    {"PIX", PathClass::pix},
    {"PXB", PathClass::pxb},
    {"PHB", PathClass::phb},
    {"NODE", PathClass::node},
    {"SYS", PathClass::sys},
    {"SOC", PathClass::sys},  // its name up to driver 390
}};
// What a pair can do by `nvidia-smi topo -p2p`.
constexpr std::array<std::string_view, 7> kAbilities = {"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};
constexpr std::array<std::string_view, 3> kRocmCells = {"XGMI", "PCIE", "PCIe"};
constexpr int kMostNvlinks = 1000;
constexpr std::size_t kLongestHead = 60;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Names that no prose begins with.
bool is_usual_device(const PastedWord& word) {
  return is_device(word) && (word.text.starts_with("GPU") || word.text.starts_with("NIC") ||
                             word.text.starts_with("mlx"));
}

}  // namespace

std::string to_string(const PathCell& cell) {
  if (cell.path == PathClass::nvlink) return fmt::format("NV{}", cell.nvlinks);
  for (const auto& [name, path] : kPathClasses)
    if (path == cell.path) return std::string(name);
  return "unknown";
}

bool is_numbered_gpu(std::string_view word) {
  return word.size() > 3 && word.starts_with("GPU") &&
         std::all_of(word.begin() + 3, word.end(), is_digit);
}

bool is_gpu(std::string_view word) { return word.size() < 12 && is_numbered_gpu(word); }

bool is_device(const PastedWord& word) {
  const std::string_view text = word.text;
  const auto allowed = [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("_.:-/").find(c) != std::string_view::npos;
  };
  return !text.empty() && text.size() <= kLongestHead && is_letter(text.front()) &&
         text.back() != ':' && std::any_of(text.begin(), text.end(), is_digit) &&
         std::all_of(text.begin(), text.end(), allowed) && !parse_cell(word);
}

std::optional<PathCell> parse_cell(const PastedWord& word) {
  for (const auto& [name, path] : kPathClasses)
    if (word.text == name) return PathCell{path, 0, word.line, word.column};
  if (!word.text.starts_with("NV")) return std::nullopt;
  PathCell cell{PathClass::nvlink, 0, word.line, word.column};
  const char* end = word.text.data() + word.text.size();
  const auto [stop, error] = std::from_chars(word.text.data() + 2, end, cell.nvlinks);
  if (error != std::errc() || stop != end || cell.nvlinks < 1 || cell.nvlinks > kMostNvlinks)
    return std::nullopt;
  return cell;
}

bool is_numa_list(std::string_view text) {
  constexpr int kMostNuma = 1'000'000;  // as in NCCL's XML
  while (true) {
    int node = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node);
    if (error != std::errc() || !is_digit(text.front()) || node > kMostNuma) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return true;
    if (text.front() != '-' && text.front() != ',') return false;
    text.remove_prefix(1);
  }
}

InputError no_class(std::string_view word) {
  if (std::find(kAbilities.begin(), kAbilities.end(), word) != kAbilities.end())
    return {
        "this is a matrix of `nvidia-smi topo -p2p`: which pairs have P2P, not how they are "
        "joined",
        "paste that of `nvidia-smi topo -m`"};
  if (word.starts_with("NV"))
    return {"unknown class " + in_quotes(word), "write a number of links, as in NV4"};
  return unknown_name("class", word, {"X", "NV#", "PIX", "PXB", "PHB", "NODE", "SYS"});
}

bool is_rocm_heading(std::string_view line) {
  return line.size() <= 200 && line.find("between two GPUs") != line.npos;
}

bool is_rocm_cell(std::string_view word) {
  return std::find(kRocmCells.begin(), kRocmCells.end(), word) != kRocmCells.end();
}

InputError rocm_matrix() {
  return {"this is what `rocm-smi --showtopo` writes, which is not read",
          "paste the matrix of `nvidia-smi topo -m`, or import the XML that RCCL dumps"};
}

bool goes_on_with_header(const PastedWord& first, const PastedWord& second, std::string_view rest) {
  const std::string_view last = second.text.empty() ? first.text : second.text;
  if (first.text == "Affinity" || last == "Affinity" || rest.find(" Affinity") != rest.npos ||
      rest.starts_with("Affinity"))
    return true;
  if (!is_device(first) || !(is_usual_device(first) || is_usual_device(second))) return false;
  return second.text.empty() || is_device(second) || second.text == "CPU" || second.text == "NUMA";
}

bool goes_on_with_row(const PastedWord& first, const PastedWord& second) {
  if (!parse_cell(first)) return false;
  return second.text.empty() || second.text == "N/A" || is_digit(second.text.front()) ||
         parse_cell(second).has_value();
}

}  // namespace syncsim
