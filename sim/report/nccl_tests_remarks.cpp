#include "sim/report/nccl_tests_remarks.h"

#include <algorithm>

#include "sim/base/text.h"
#include "sim/report/nccl_tests_words.h"

namespace syncsim {
namespace {

constexpr int kMostDevices = 1 << 20;

using Words = std::vector<std::string_view>;

// "#  Rank  3 Group  0 Pid 4711 on host device  3 [0x1a] NAME"
void take_device(const Words& words, NcclTestsTable& table) {
  if (words.size() < 3 || words[0] != "Rank") return;
  if (const auto rank = number_in<int>(words[1]); rank && *rank >= 0 && *rank < kMostDevices)
    table.ranks = std::max(table.ranks, *rank + 1);
}

// "# nThread 1 nGpus 8 minBytes 8 ... validation: 1 graph: 0"
void take_options(const Words& words, NcclTestsTable& table) {
  const auto after = [&](std::string_view name) -> std::optional<int> {
    const auto at = std::find(words.begin(), words.end(), name);
    if (at == words.end() || at + 1 == words.end()) return std::nullopt;
    return number_in<int>(at[1]);
  };
  if (!after("nThread")) return;
  table.gpus_of_thread = after("nGpus");
  table.graphs = after("graph:").value_or(0) > 0;
}

}  // namespace

void take_version(std::string_view line, NcclTestsTable& table) {
  constexpr std::string_view kSaid = "CCL version ";  // NCCL's, RCCL's
  constexpr std::string_view kLinked = "nccl-library=";
  if (const auto at = line.find(kSaid); at != line.npos) {
    const std::string_view text = line.substr(at + kSaid.size());
    table.library_version = text.substr(0, text.find_first_not_of("0123456789."));
  } else if (const auto linked = line.find(kLinked); linked != line.npos) {
    const std::string_view text = split_word(line.substr(linked + kLinked.size())).first;
    table.library_version = library_version_of(number_in<std::int64_t>(text).value_or(0));
  }
}

void take_remark(std::string_view line, NcclTestsTable& table) {
  const Words words = words_of(line.substr(1));
  take_device(words, table);
  take_options(words, table);
  constexpr std::string_view kStart = "Collective test starting:";
  if (const auto at = line.find(kStart); at != line.npos)
    table.collective = trimmed(line.substr(at + kStart.size()));
  const auto colon = line.find(':');
  if (colon == line.npos) return;
  const std::string_view value = split_word(trimmed(line.substr(colon + 1))).first;
  if (line.find("Avg bus bandwidth") != line.npos) table.average_busbw = figure_in(value);
  if (line.find("Out of bounds values") != line.npos)
    table.out_of_bounds = number_in<std::int64_t>(value);
}

}  // namespace syncsim
