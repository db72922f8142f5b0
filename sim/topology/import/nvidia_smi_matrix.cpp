#include "sim/topology/import/nvidia_smi_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/topology/import/nvidia_smi_lines.h"
#include "sim/topology/import/nvidia_smi_words.h"

namespace syncsim {
namespace {

constexpr std::size_t kLongestName = 60;

class SmiReader {
 public:
  SmiReader(std::string_view text, const std::string& file, std::vector<std::string>& warnings)
      : text_(smi_lines(text)), warnings_(warnings) {
    matrix_.file = file;
  }

  SmiMatrix read() {
    find_header();
    read_header();
    while (!ended_ && text_.next_line()) read_line();
    while (text_.next_line()) read_after();
    check_rows();
    check_cells();
    return std::move(matrix_);
  }

 private:
  InputError error(const PastedWord& word, std::string wrong, std::string right) const {
    return InputError(std::move(wrong), std::move(right), place_of(matrix_.file, word));
  }

  void find_header() {
    while (text_.next_line()) {
      if (is_rocm_heading(text_.rest()))
        throw rocm_matrix().at(place_of(matrix_.file, text_.next_word()));
      const PastedWord first = text_.next_word();
      if (!is_numbered_gpu(first.text)) continue;
      if (parse_cell(text_.next_word()))
        throw error(first, fmt::format("row {} comes before any header", first.text),
                    "begin with the line that names the columns: GPU0 GPU1 ...");
      text_.rewind();
      return;
    }
    throw InputError("holds no matrix of `nvidia-smi topo -m`",
                     "paste its lines, from the header (GPU0 GPU1 ...) on", matrix_.file);
  }

  void read_header() {
    PastedWord word = text_.next_word();
    matrix_.line = word.line;
    for (; is_device(word); word = text_.next_word()) add_device(word);
    std::string_view before;
    for (; !word.text.empty(); word = text_.next_word()) {
      if (word.text == "CPU") affinities_.push_back(&SmiDevice::cpus);
      if (word.text == "NUMA") affinities_.push_back(before == "GPU" ? nullptr : &SmiDevice::numa);
      if (parse_cell(word))
        throw error(word, fmt::format("the header holds the cell {}", word.text),
                    "let a line of names come before the rows");
      before = word.text;
    }
    matrix_.cells.resize(matrix_.devices.size() * matrix_.devices.size());
    seen_.resize(matrix_.devices.size());
  }

  void add_device(const PastedWord& word) {
    if (word.text.starts_with("GPU") && !is_gpu(word.text))
      throw error(word, fmt::format("column {} names no gpu", word.text),
                  "number the gpus, with at most 8 digits");
    if (matrix_.devices.size() == kMostSmiDevices)
      throw error(word, fmt::format("there are more than {} columns", kMostSmiDevices),
                  "import one machine at a time");
    if (!index_.emplace(word.text, matrix_.devices.size()).second)
      throw error(word, fmt::format("column {} appears twice", word.text),
                  "name every device once");
    SmiDevice device{std::string(word.text), "", "", is_gpu(word.text), "", ""};
    device.id =
        device.is_gpu ? fmt::format("gpu{}", word.text.substr(3)) : fmt::format("nic{}", nics_++);
    matrix_.devices.push_back(std::move(device));
  }

  void read_line() {
    const PastedWord label = text_.next_word();
    if (label.text.starts_with("Legend") || label.text == "NIC") {
      ended_ = true;
      return;
    }
    const auto found = index_.find(label.text);
    const PastedWord next = text_.next_word();
    const bool row = parse_cell(next).has_value();
    if (is_wrapped(label, next)) throw wrapped(label);
    if (is_gpu(label.text) && is_device(next)) return end_at(label);
    if (found != index_.end() && (row || !seen_[found->second])) {
      text_.rewind();
      return read_row(found->second);
    }
    if (row && is_device(label))
      throw error(label, fmt::format("row {} is no column of the header", label.text),
                  "give rows and columns the same devices");
    read_alias(label, next);
  }

  // Whether the line goes on with the header or with a row.
  bool is_wrapped(const PastedWord& label, const PastedWord& next) const {
    if (goes_on_with_row(label, next)) return true;
    return !any_row_ && !index_.contains(label.text) &&
           goes_on_with_header(label, next, text_.rest());
  }

  InputError wrapped(const PastedWord& word) const {
    return error(word, "lines are wrapped", "paste it from a wider terminal");
  }

  void end_at(const PastedWord& label) {
    ended_ = true;
    warnings_.push_back(place_of(matrix_.file, label) + ": a second matrix; took the first only");
  }

  void read_row(std::size_t row) {
    const PastedWord label = text_.next_word();
    if (seen_[row])
      throw error(label, fmt::format("row {} appears twice", label.text), "give every device one");
    seen_[row] = any_row_ = true;
    const std::size_t count = matrix_.devices.size();
    for (std::size_t column = 0; column < count; ++column) {
      const PastedWord word = text_.next_word();
      const auto cell = parse_cell(word);
      if (!cell) refuse_cell(row, column, word);
      matrix_.cells[row * count + column] = *cell;
    }
    PastedWord word = text_.next_word();
    if (parse_cell(word))
      throw error(
          word,
          fmt::format("row {} has more cells than the {} columns of the header", label.text, count),
          "give every row a cell for each column");
    for (std::string SmiDevice::*const affinity : affinities_) {
      if (affinity != nullptr && is_affinity(row, affinity, word))
        matrix_.devices[row].*affinity = word.text.substr(0, kLongestName);
      word = text_.next_word();
    }
    if (!word.text.empty() && !std::exchange(told_of_surplus_, true))
      warnings_.push_back(
          fmt::format("{}: row {} goes on with {}, which no column of the header "
                      "is for; passed it over",
                      place_of(matrix_.file, word), label.text, in_quotes(word.text)));
  }

  bool is_affinity(std::size_t row, std::string SmiDevice::*column, const PastedWord& word) {
    if (word.text.empty() || word.text == "N/A") return false;
    if (column != &SmiDevice::numa || is_numa_list(word.text)) return true;
    warnings_.push_back(
        fmt::format("{}: the NUMA affinity of {} is {}, no NUMA node; took it as "
                    "not known",
                    place_of(matrix_.file, word), matrix_.devices[row].name, in_quotes(word.text)));
    return false;
  }

  [[noreturn]] void refuse_cell(std::size_t row, std::size_t column, const PastedWord& word) {
    if (is_rocm_cell(word.text) || (row == 0 && column == 0 && word.text == "0"))
      throw rocm_matrix().at(place_of(matrix_.file, word));
    if (word.text.empty() && text_.next_line()) {
      const PastedWord label = text_.next_word();
      if (goes_on_with_row(label, text_.next_word())) throw wrapped(label);
    }
    if (!word.text.empty() && word.text.find_first_of("0123456789") != 0 && word.text != "N/A")
      throw no_class(word.text).at(place_of(matrix_.file, word));
    throw error(word,
                fmt::format("row {} has {} cells for {} columns", matrix_.devices[row].name, column,
                            matrix_.devices.size()),
                "give every row a cell for each column");
  }

  void read_after() {
    const PastedWord label = text_.next_word();
    read_alias(label, text_.next_word());
  }

  // "NIC0: mlx5_0"
  void read_alias(const PastedWord& label, const PastedWord& name) {
    if (!label.text.ends_with(':')) return;
    const auto found = index_.find(label.text.substr(0, label.text.size() - 1));
    if (found == index_.end() || !is_device(name)) return;
    matrix_.devices[found->second].alias = name.text;
  }

  void check_rows() {
    std::string missing;
    int count = 0;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i]) continue;
      const SmiDevice& device = matrix_.devices[i];
      if (device.is_gpu)
        throw InputError(fmt::format("there is no row {}", device.name), "paste the whole matrix",
                         place_of(matrix_.file, matrix_.line, 1));
      if (count++ == 0) missing = device.name;
    }
    if (count == 0) return;
    const std::string more = count > 1 ? fmt::format(" (and {} more)", count - 1) : "";
    warnings_.push_back(fmt::format("{}: there is no row {}{}; took the columns alone",
                                    place_of(matrix_.file, matrix_.line, 1), missing, more));
  }

  InputError pair_error(std::size_t a, std::size_t b, std::string_view wrong,
                        std::string right) const {
    const PathCell& cell = matrix_.at(a, b);
    return InputError(fmt::format("{}-{} is {}{}", matrix_.devices[a].name, matrix_.devices[b].name,
                                  to_string(cell), wrong),
                      std::move(right), place_of(matrix_.file, cell.line, cell.column));
  }

  void check_cells() const {
    for (std::size_t a = 0; a < matrix_.devices.size(); ++a)
      for (std::size_t b = 0; b < matrix_.devices.size(); ++b)
        if (matrix_.at(a, b).path != PathClass::unknown) check_cell(a, b);
  }

  void check_cell(std::size_t a, std::size_t b) const {
    const PathCell& cell = matrix_.at(a, b);
    if ((cell.path == PathClass::self) != (a == b))
      throw pair_error(a, b, "",
                       a == b ? "write X on the diagonal" : "write X on the diagonal only");
    if (cell.path == PathClass::nvlink && !(matrix_.devices[a].is_gpu && matrix_.devices[b].is_gpu))
      throw pair_error(a, b, "", "only gpus have NVLink");
    const PathCell& back = matrix_.at(b, a);
    if (b > a || back.path == PathClass::unknown) return;
    if (cell.path != back.path || cell.nvlinks != back.nvlinks)
      throw pair_error(a, b,
                       fmt::format(" and {}-{} is {}", matrix_.devices[b].name,
                                   matrix_.devices[a].name, to_string(back)),
                       "write the same both ways");
  }

  PastedText text_;
  std::vector<std::string>& warnings_;
  SmiMatrix matrix_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<bool> seen_;
  bool any_row_ = false;
  bool told_of_surplus_ = false;
  std::vector<std::string SmiDevice::*> affinities_;  // null: a column that tells nothing
  int nics_ = 0;
  bool ended_ = false;
};

}  // namespace

SmiMatrix read_smi_matrix(std::string_view text, const std::string& file,
                          std::vector<std::string>& warnings) {
  return SmiReader(text, file, warnings).read();
}

bool holds_smi_line(std::string_view text) {
  PastedText lines(text);
  while (lines.next_line()) {
    if (!is_gpu(lines.next_word().text)) continue;
    const PastedWord second = lines.next_word();
    if (second.text.empty() || is_device(second) || parse_cell(second) || second.text == "CPU")
      return true;
  }
  return has_smi_prefix(text);
}

}  // namespace syncsim
