#include "sim/scenario/range.h"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "sim/base/quote.h"
#include "sim/base/text.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostValues = 1'000'000;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kDots = "..";

struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t factor = 1;
  std::int64_t step = 0;
  bool ends_at_last = false;
};

constexpr std::int64_t kUsualFactor = 4;

void take_usual_steps(Range& range) {
  range.factor = kUsualFactor;
  range.ends_at_last = true;
}

std::int64_t parse_value(std::string_view text, RangeOf what) {
  if (what == RangeOf::bytes) return parse_bytes(text).count;
  if (what == RangeOf::time) return parse_time(text).ps;
  return parse_integer(trimmed(text), 0, kMost);
}

std::int64_t read_value(const JsonReader& json, RangeOf what) {
  if (what == RangeOf::bytes) return json.bytes().count;
  if (what == RangeOf::time) return json.time().ps;
  return json.integer(0, kMost);
}

std::string sample(RangeOf what) {
  if (what == RangeOf::bytes) return R"("1 kB..1 GB")";
  return what == RangeOf::time ? R"("1 us..64 us")" : R"("1..64")";
}

InputError no_range(std::string_view text, RangeOf what) {
  return {in_quotes(text) + " is no range",
          fmt::format("write the smaller {} first, above 0, such as {}",
                      what == RangeOf::bytes ? "size" : "one", sample(what))};
}

// Multiples of 0 stay there.
bool is_good(const Range& range) {
  return range.first < range.last && (range.first > 0 || range.step > 0);
}

std::vector<std::int64_t> values_of(const Range& range) {
  std::vector<std::int64_t> values = {range.first};
  std::int64_t next = range.first;
  while (!__builtin_mul_overflow(next, range.factor, &next) &&
         !__builtin_add_overflow(next, range.step, &next) && next <= range.last) {
    if (values.size() == kMostValues)
      throw InputError(fmt::format("is a range of more than {} values", kMostValues),
                       "take larger steps");
    values.push_back(next);
  }
  if (range.ends_at_last && values.back() < range.last) values.push_back(range.last);
  return values;
}

// "x2" or "+1 MB" behind the range's end.
void parse_steps(std::string_view text, RangeOf what, Range& range) {
  const std::string_view figure = trimmed(text.substr(1));
  if (text.front() == 'x')
    range.factor = parse_integer(figure, 2, kMost);
  else
    range.step = parse_value(figure, what);
  if (range.factor == 1 && range.step == 0)
    throw InputError("a range in steps of 0 has no end", "write such as \"1 MB..8 MB +1 MB\"");
}

}  // namespace

bool is_range(std::string_view text) { return text.find(kDots) != text.npos; }

std::vector<std::int64_t> parse_range(std::string_view text, RangeOf what) {
  const std::size_t dots = text.find(kDots);
  const std::string_view rest = trimmed(text.substr(dots + kDots.size()));
  const std::size_t steps = rest.find_first_of("x+");
  if (rest.empty() || rest.starts_with('.')) throw no_range(text, what);
  Range range;
  range.first = parse_value(trimmed(text.substr(0, dots)), what);
  range.last = parse_value(trimmed(rest.substr(0, steps)), what);
  if (steps == rest.npos)
    take_usual_steps(range);
  else
    parse_steps(rest.substr(steps), what, range);
  if (!is_good(range)) throw no_range(text, what);
  return values_of(range);
}

std::vector<std::int64_t> read_range(const JsonReader& json, RangeOf what) {
  if (json.is_string()) return json.located([&] { return parse_range(json.string(), what); });
  json.allow({"from", "to", "factor", "step"});
  if (json.has("factor") && json.has("step"))
    throw json.error("has both \"factor\" and \"step\"", "leave one out");
  Range range;
  range.first = read_value(json.required("from"), what);
  range.last = read_value(json.required("to"), what);
  if (const auto factor = json.optional("factor"))
    range.factor = factor->integer(2, kMost);
  else if (const auto step = json.optional("step"))
    range.step = read_value(*step, what);
  else
    take_usual_steps(range);
  if (range.factor == 1 && range.step == 0)
    throw json.required("step").error("is 0", "write a step above 0");
  if (!is_good(range))
    throw json.error("is no range: \"from\" is not below \"to\", or 0 with a factor",
                     "write the smaller one first, above 0");
  return json.located([&] { return values_of(range); });
}

std::vector<Bytes> parse_sizes(std::string_view text) {
  if (!is_range(text)) return {parse_bytes(text)};
  std::vector<Bytes> sizes;
  for (const std::int64_t count : parse_range(text, RangeOf::bytes)) sizes.push_back({count});
  return sizes;
}

}  // namespace syncsim
