#include "sim/report/nccl_tests_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/report/nccl_tests_remarks.h"
#include "sim/report/nccl_tests_words.h"

namespace syncsim {
namespace {

using Words = std::vector<std::string_view>;

using Renaming = std::pair<std::string_view, std::string_view>;

constexpr std::array<Renaming, 3> kRenamed = {
    {{"float16", "half"}, {"float32", "float"}, {"float64", "double"}}};
// Types that schedules do not have, and one of the same size.
constexpr std::array<Renaming, 6> kOfTheSameSize = {{{"int8", "uint8"},
                                                     {"int32", "uint32"},
                                                     {"int64", "uint64"},
                                                     {"int8", "f8e4m3"},
                                                     {"int8", "f8e5m2"},
                                                     {"int8", "fp8"}}};

// "12:00:03.25", "2024-05-01", "2024-05-01T12:00:03Z".
bool is_clock(std::string_view word) {
  std::size_t marks = 0;
  for (const char c : word) {
    if (c == ':' || c == '-') ++marks;
    if (!is_digit(c) && std::string_view(":-.,+TZ").find(c) == std::string_view::npos) return false;
  }
  return !word.empty() && is_digit(word.front()) && marks >= 2;
}

// "0:", "worker-1:", "[2024-05-01", "12:00:03]".
bool is_tag(std::string_view word) {
  if (word.empty() || word.starts_with('#')) return false;
  if (word.ends_with(':') || (word.starts_with('[') && word.ends_with(']'))) return true;
  const std::size_t first = word.starts_with('[') ? 1 : 0;
  return is_clock(word.substr(first, word.size() - first - (word.ends_with(']') ? 1 : 0)));
}

// What mpirun and srun write before each line of a rank's, and logs before any.
std::string_view without_tags(std::string_view line) {
  constexpr std::string_view kTag = "<stdout>:";
  if (const auto at = line.find(kTag); at != line.npos) line = line.substr(at + kTag.size());
  line = trimmed(line);
  while (is_tag(split_word(line).first)) line = trimmed(split_word(line).second);
  return line;
}

// "time:avg(us)" -> "time".
std::string_view column_name(std::string_view head) {
  return head.substr(0, head.find_first_of("(:"));
}

// The names of columns, where a line is a head.
std::optional<Words> columns_in(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with('#')) line.remove_prefix(1);
  Words columns = words_of(line);
  for (std::string_view& column : columns) column = column_name(column);
  const auto has = [&](std::string_view name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  };
  const bool is_head = !columns.empty() && columns.front() == "size" && has("count") &&
                       has("type") && has("time") && has("busbw");
  return is_head ? std::optional(std::move(columns)) : std::nullopt;
}

bool is_type(std::string_view word) {
  constexpr std::array<std::string_view, 13> kTypes = {
      "int8",  "uint8",  "int32",    "uint32", "int64",  "uint64", "half",
      "float", "double", "bfloat16", "f8e4m3", "f8e5m2", "fp8"};
  return std::any_of(kTypes.begin(), kTypes.end(),
                     [&](std::string_view type) { return word.starts_with(type); });
}

bool looks_like_row(const Words& words) {
  return words.size() > 3 && is_type(words[2]) && number_in<std::int64_t>(words[0]) &&
         number_in<std::int64_t>(words[1]);
}

// Of a row that stands below no head.
Words columns_by_shape(const Words& row) {
  Words columns = {"size", "count", "type"};
  const bool has_operation = !number_in<double>(row[3]).has_value();
  const std::size_t others = columns.size() + (has_operation ? 1 : 0);
  if (has_operation) columns.push_back("redop");
  if ((row.size() - others) % 4 == 1) columns.push_back("root");
  for (int half = 0; half < 2; ++half)
    columns.insert(columns.end(), {"time", "algbw", "busbw", "#wrong"});
  return columns;
}

// A row's words by the names of their columns.
class Cells {
 public:
  Cells(const Words& columns, const Words& words) : columns_(columns), words_(words) {}

  // The word in the column of that name, of the second such one in place; empty for none.
  std::string_view at(std::string_view name, bool in_place = false) const {
    for (std::size_t i = 0, seen = 0; i < std::min(columns_.size(), words_.size()); ++i)
      if (columns_[i] == name && seen++ == (in_place ? 1u : 0u)) return words_[i];
    return {};
  }

  std::optional<NcclTestsHalf> half(bool in_place) const {
    const auto time = figure_in(at("time", in_place));
    const auto algbw = figure_in(at("algbw", in_place));
    const auto busbw = figure_in(at("busbw", in_place));
    if (!time || !algbw || !busbw) return std::nullopt;
    const std::string_view old = at("error", in_place);
    return NcclTestsHalf{*time, *algbw, *busbw,
                         figure_in(old.empty() ? at("#wrong", in_place) : old)};
  }

 private:
  const Words& columns_;
  const Words& words_;
};

class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {}

  void take(std::string_view line) {
    ++line_;
    line = without_tags(line);
    name_collective(line);
    take_version(line, table_);
    if (auto columns = columns_in(line)) {
      columns_ = std::move(*columns);
    } else if (line.starts_with('#')) {
      take_remark(line, table_);
    } else if (const Words words = words_of(line); looks_like_row(words)) {
      take_row(words);
    }
  }

  NcclTestsTable table() && {
    if (table_.rows.empty())
      throw InputError(
          table_.broken.empty()
              ? "holds no row of nccl-tests"
              : fmt::format("gives no time: no row is whole, nor is that of line {}",
                            table_.broken.front().line),
          R"(paste rows such as "1048576  262144  float  sum  -1  61.50  17.05  25.57  0")", name_);
    return std::move(table_);
  }

 private:
  void take_row(const Words& words) {
    const Cells cells(columns_.empty() ? columns_by_shape(words) : columns_, words);
    NcclTestsRow row{line_,
                     collective_,
                     {*number_in<std::int64_t>(words[0])},
                     *number_in<std::int64_t>(words[1]),
                     std::string(words[2]),
                     std::string(cells.at("redop")),
                     number_in<int>(cells.at("root")),
                     cells.half(false),
                     cells.half(true)};
    if (row.bytes.count < 0)
      throw InputError(fmt::format("a size of {} bytes", row.bytes.count), "write 0 or more",
                       fmt::format("{}:{}", name_, line_));
    (row.out_of_place || row.in_place ? table_.rows : table_.broken).push_back(std::move(row));
  }

  void name_collective(std::string_view line) {
    for (const std::string_view word : words_of(line))
      if (const std::string_view tested = tested_collective(word); !tested.empty())
        collective_ = tested;
  }

  const std::string& name_;
  std::size_t line_ = 0;
  Words columns_;
  std::string collective_;
  NcclTestsTable table_;
};

}  // namespace

NcclTestsTable read_nccl_tests(std::string_view text, const std::string& name) {
  Reader reader(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    reader.take(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(reader).table();
}

std::string nccl_test(CollectiveKind kind) {
  if (kind == CollectiveKind::allreduce) return "all_reduce_perf";
  if (kind == CollectiveKind::all_to_all) return "alltoall_perf";
  if (kind == CollectiveKind::send_recv) return "sendrecv_perf";
  std::string name(to_string(kind));
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "_perf";
}

std::string_view nccl_type(std::string_view datatype) {
  for (const auto& [ours, theirs] : kRenamed)
    if (ours == datatype) return theirs;
  return datatype;
}

std::string_view datatype_of(std::string_view nccl_type) {
  for (const auto& [ours, theirs] : kRenamed)
    if (theirs == nccl_type) return ours;
  for (const auto& [ours, theirs] : kOfTheSameSize)
    if (nccl_type.starts_with(theirs)) return ours;
  return is_type(nccl_type) ? nccl_type : std::string_view();
}

}  // namespace syncsim
