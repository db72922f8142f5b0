#include "sim/scenario/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "sim/base/quote.h"
#include "sim/base/text.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostValues = 1'000'000;
constexpr std::int64_t kMostOfRange = std::numeric_limits<std::int64_t>::max();
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
  return parse_integer(trimmed(text), 0, kMostOfRange);
}

std::int64_t read_value(const JsonReader& json, RangeOf what) {
  if (what == RangeOf::bytes) return json.bytes().count;
  if (what == RangeOf::time) return json.time().ps;
  return json.integer(0, kMostOfRange);
}

InputError no_range(std::string_view text, std::string_view why, const std::string& right) {
  return {fmt::format("{} is no range: {}", in_quotes(text), why), right};
}

std::string such_as(RangeOf what, std::string_view steps = "") {
  const std::string_view plain = range_sample(what);
  return fmt::format(R"(write such as "{}{}")", plain, steps);
}

std::string step_sample(RangeOf what) {
  if (what == RangeOf::bytes) return " +1 MB";
  return what == RangeOf::time ? " +1 us" : " +1";
}

// What is wrong with a range whose figures are sound; "" where nothing is.
std::string_view defect(const Range& range) {
  if (range.first >= range.last) return "it does not end above its beginning";
  return range.first == 0 && range.step == 0 ? "multiples of 0 stay there" : "";
}

std::string cure(const Range& range, RangeOf what) {
  return range.first >= range.last
             ? "write the smaller one first, such as \"" + std::string(range_sample(what)) + "\""
             : "begin above 0, or add steps, such as \"" + step_sample(what).substr(1) + "\"";
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

// "x2" or "+1 MB" behind the range's end, or what people write in place of them.
void parse_steps(std::string_view range_text, std::string_view text, RangeOf what, Range& range) {
  const std::string_view figure = trimmed(text.substr(1));
  try {
    if (text.front() == 'x')
      range.factor = parse_integer(figure, 2, kMostOfRange);
    else if (text.front() == '+')
      range.step = parse_value(figure, what);
  } catch (const InputError&) {
    range.factor = 1;
  }
  if (range.factor == 1 && range.step == 0)
    throw no_range(range_text,
                   fmt::format("{} is neither a factor of 2 or more nor a step", in_quotes(text)),
                   such_as(what, " x2") +
                       fmt::format(R"(, or "{}{}")", range_sample(what), step_sample(what)));
}

// Where the end of the range ends: before an x, a plus or what else follows its figure and unit.
std::size_t end_of_figure(std::string_view text, RangeOf what) {
  const std::size_t steps = std::min(text.find_first_of("x+"), text.size());
  std::size_t words = what == RangeOf::number ? 1 : 2;
  std::string_view rest = text.substr(0, steps);
  for (; words > 0 && !rest.empty(); --words) rest = split_word(rest).second;
  return rest.empty() ? steps : static_cast<std::size_t>(rest.data() - text.data());
}

}  // namespace

bool is_range(std::string_view text) { return text.find(kDots) != text.npos; }

std::string_view range_sample(RangeOf what) {
  if (what == RangeOf::bytes) return "1 kB..1 GB";
  return what == RangeOf::time ? "1 us..64 us" : "1..64";
}

std::vector<std::int64_t> parse_range(std::string_view text, RangeOf what) {
  const std::size_t dots = text.find(kDots);
  const std::string_view first = trimmed(text.substr(0, dots));
  const std::string_view rest = trimmed(text.substr(dots + kDots.size()));
  const std::size_t steps = end_of_figure(rest, what);
  const std::string_view last = trimmed(rest.substr(0, steps));
  if (first.empty()) throw no_range(text, "its beginning is missing", such_as(what));
  if (last.empty()) throw no_range(text, "its end is missing", such_as(what));
  if (last.starts_with('.')) throw no_range(text, "it has more than two dots", such_as(what));
  Range range;
  range.first = parse_value(first, what);
  range.last = parse_value(last, what);
  if (steps == rest.size())
    take_usual_steps(range);
  else
    parse_steps(text, rest.substr(steps), what, range);
  if (const std::string_view why = defect(range); !why.empty())
    throw no_range(text, why, cure(range, what));
  return values_of(range);
}

std::vector<std::int64_t> read_range(const JsonReader& json, RangeOf what) {
  if (json.is_string()) return json.located([&] { return parse_range(json.string(), what); });
  json.allow({"from", "to", "factor", "step"});
  if (json.has("factor") && json.has("step"))
    throw json.error("has both \"factor\" and \"step\"", "leave one out");
  Range range;
  const std::string example =
      what == RangeOf::number
          ? "64"
          : fmt::format(R"("{}")",
                        trimmed(range_sample(what).substr(range_sample(what).find(kDots) + 2)));
  range.first = read_value(json.required("from"), what);
  range.last = read_value(json.required("to", example), what);
  if (const auto factor = json.optional("factor"))
    range.factor = factor->integer(2, kMostOfRange);
  else if (const auto step = json.optional("step"))
    range.step = read_value(*step, what);
  else
    take_usual_steps(range);
  if (range.factor == 1 && range.step == 0)
    throw json.required("step").error("is 0", "write a step above 0");
  if (range.first >= range.last)
    throw json.error("is no range: \"from\" is not below \"to\"", "write the smaller one first");
  if (!defect(range).empty())
    throw json.error("is no range: multiples of 0 stay there",
                     R"(write a "from" above 0, or a "step")");
  return json.located([&] { return values_of(range); });
}

std::vector<Bytes> parse_sizes(std::string_view text) {
  if (!is_range(text)) return {parse_bytes(text)};
  std::vector<Bytes> sizes;
  for (const std::int64_t count : parse_range(text, RangeOf::bytes)) sizes.push_back({count});
  return sizes;
}

}  // namespace syncsim
