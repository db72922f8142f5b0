#include "sim/workload/jitter.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "sim/base/csv_reader.h"
#include "sim/base/quote.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "sim/topology/delay.h"
#include "sim/workload/step_layout.h"

namespace syncsim {
namespace {

// Streams of chance.
constexpr std::uint32_t kFactors = 1;
constexpr std::uint32_t kDelays = 2;

const JitterEntry& entry_of(const JitterTrace& trace, std::size_t step, std::size_t rank) {
  const std::vector<JitterEntry>& ranks = trace[step % trace.size()];
  return ranks[rank % ranks.size()];
}

std::vector<JitterEntry> read_step(const CsvReader& csv) {
  std::vector<JitterEntry> ranks;
  for (const std::string_view field : csv.fields())
    ranks.push_back(placed([&] { return fmt::format("{}:{}", csv.place(), ranks.size() + 1); },
                           [&] { return parse_jitter_entry(field); }));
  return ranks;
}

}  // namespace

void add_jitter(const Jitter& jitter, std::uint32_t seed, Paces& paces) {
  const Chance factors(seed, kFactors);
  const Chance delays(seed, kDelays);
  for (std::size_t step = 0; step < paces.size(); ++step) {
    for (std::size_t rank = 0; rank < paces[step].size(); ++rank) {
      RankPace& pace = paces[step][rank];
      if (jitter.lognormal > 0)
        pace.jitter *= mean_one_lognormal(factors.uniform(step, rank), jitter.lognormal);
      if (jitter.exponential > Time{})
        pace.pause += times(jitter.exponential, standard_exponential(delays.uniform(step, rank)));
      if (jitter.trace.empty()) continue;
      const JitterEntry& entry = entry_of(jitter.trace, step, rank);
      pace.jitter *= entry.factor;
      pace.pause += entry.delay;
    }
  }
}

JitterEntry parse_jitter_entry(std::string_view text) {
  if (text.empty() || (!is_digit(text.front()) && text.front() != '.'))
    throw InputError(in_quotes(text) + " is neither a factor nor a delay",
                     "write such as 1.05 or 3 ms");
  if (!is_digit(text.back()) && text.back() != '.') return {.delay = parse_delay(text)};
  double factor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (error != std::errc() || end != text.data() + text.size() ||
      !(factor >= kLeastSpeed && factor <= kMostSpeed))
    throw InputError(in_quotes(text) + " is no factor",
                     fmt::format("write a number from {} to {}, or a delay such as 3 ms",
                                 kLeastSpeed, kMostSpeed));
  return {.factor = factor};
}

JitterTrace read_jitter_trace(const std::string& text, const std::string& file) {
  std::istringstream input(text);
  CsvReader csv(input, file);
  JitterTrace trace;
  while (csv.next()) {
    trace.push_back(read_step(csv));
    if (trace.back().size() != trace.front().size())
      throw InputError(fmt::format("the line has {}, the first has {}",
                                   counted(trace.back().size(), "field"), trace.front().size()),
                       "write a factor or a delay for each rank in every line", csv.place());
  }
  if (trace.empty())
    throw InputError("holds no steps", "write one a line: a factor or a delay for each rank", file);
  return trace;
}

}  // namespace syncsim
