// Judges claims.

#include "sim/scenario/claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/base/quote.h"
#include "sim/scenario/crossing.h"
#include "sim/scenario/selection.h"

namespace syncsim {
namespace {

// Room for the rounding of doubles. Times are whole picoseconds: theirs stays below one up to
// 10^15.
constexpr double kRounding = 1e-12;
constexpr double kTimeRounding = 1e-15;

std::string or_else(const std::string& own, const std::string& shared) {
  return own.empty() ? shared : own;
}

double deviation(double actual, double expected) {
  if (expected == 0) return actual == 0 ? 0 : HUGE_VAL;
  return actual / expected - 1;
}

class Judge {
 public:
  Judge(const ClaimContext& context, const Expectation& expectation, std::span<const Point> points,
        std::span<const Report> reports)
      : context_(context), expectation_(expectation), points_(points), reports_(reports) {}

  std::vector<Claim> verdicts() const {
    switch (expectation_.kind) {
      case Expectation::Kind::order:
        return {order()};
      case Expectation::Kind::less_than:
        return {comparison()};
      case Expectation::Kind::chosen:
        return choices();
      case Expectation::Kind::crossover:
        return {crossover()};
      default:
        return expectation_.is_ratio ? std::vector<Claim>{ratio()} : bounds();
    }
  }

  Claim undecided() const {
    Claim claim = begin("");
    claim.expected = expected();
    claim.actual = "-";
    claim.deviation = NAN;
    claim.decided = false;
    return claim;
  }

 private:
  // As far as it is known without a run.
  std::string expected() const {
    switch (expectation_.kind) {
      case Expectation::Kind::order:
        return expectation_.increasing ? "increasing" : "decreasing";
      case Expectation::Kind::less_than:
        if (!expectation_.by_factor) return "<";
        return fmt::format("{}factor {:.4g}",
                           expectation_.has_tolerance ? "" : ">= ", *expectation_.by_factor);
      case Expectation::Kind::chosen:
        return fmt::format("{}", fmt::join(expectation_.chosen, " or "));
      case Expectation::Kind::crossover:
        return expectation_.written;
      default:
        return expected_prefix() + (expectation_.is_ratio ? "factor " : "") + expectation_.written;
    }
  }

  Claim begin(const std::string& label) const {
    Claim claim;
    claim.file = context_.file;
    claim.name = or_else(expectation_.name, context_.name);
    if (!label.empty()) claim.name += ": " + label;
    claim.source = or_else(expectation_.source, context_.source);
    claim.note = or_else(expectation_.note, context_.note);
    claim.metric = expectation_.metric.name;
    claim.tolerance = expectation_.tolerance_written;
    const std::string place = expectation_.json.place();
    claim.pointer = place.substr(place.rfind(':') + 1);
    return claim;
  }

  std::vector<std::size_t> chosen(const Selector& selector) const {
    return select(selector, points_, reports_);
  }

  // Of what a selector selects, at its place.
  InputError selects(const Selector& selector, std::string wrong, std::string right) const {
    return {std::move(wrong), std::move(right),
            selector.place.empty() ? expectation_.json.place() : selector.place};
  }

  double actual(std::size_t point) const {
    return expectation_.json.required("metric").located(
        [&] { return measure(expectation_.metric, reports_[point]); });
  }

  std::vector<Claim> choices() const {
    std::vector<Claim> claims;
    for (const std::size_t point : chosen(expectation_.first)) {
      const std::optional<Choice>& choice = reports_[point].facts.choice;
      if (!choice)
        throw selects(expectation_.first, "speaks of a point that chooses nothing",
                      R"(select points whose strategy is "auto")");
      Claim claim = begin(label(point));
      claim.expected = expected();
      claim.actual = strategy_text(choice->strategy, choice->changed);
      claim.deviation = NAN;
      claim.passed =
          std::count(expectation_.chosen.begin(), expectation_.chosen.end(), choice->strategy) > 0;
      claims.push_back(claim);
    }
    return claims;
  }

  std::string label(std::size_t point) const { return point_label(point, points_, reports_); }
  std::string text(double value) const { return value_text(value, expectation_.metric.unit); }

  std::vector<Claim> bounds() const {
    std::vector<Claim> claims;
    for (const std::size_t point : chosen(expectation_.first)) {
      const double value = actual(point);
      Claim claim = begin(label(point));
      claim.expected = expected();
      claim.actual = text(value);
      claim.deviation = deviation(value, expectation_.bound);
      claim.passed = within(value);
      claims.push_back(claim);
    }
    return claims;
  }

  std::string expected_prefix() const {
    if (expectation_.kind == Expectation::Kind::at_least) return ">= ";
    return expectation_.kind == Expectation::Kind::at_most ? "<= " : "";
  }

  bool within(double value) const {
    const bool is_time = expectation_.metric.unit == MetricUnit::time && !expectation_.is_ratio;
    const double room = (is_time ? kTimeRounding : kRounding) * std::abs(expectation_.bound);
    switch (expectation_.kind) {
      case Expectation::Kind::at_least:
        return value >= expectation_.bound - room;
      case Expectation::Kind::at_most:
        return value <= expectation_.bound + room;
      default:
        return std::abs(value - expectation_.bound) <= expectation_.tolerance + room;
    }
  }

  Claim order() const {
    const std::vector<std::size_t> points = chosen(expectation_.first);
    if (points.size() == 1)  // it could not fail
      throw selects(expectation_.first, "orders one point", "select two or more, or claim a value");
    Claim claim = begin("");
    claim.expected = expected();
    claim.actual = claim.expected;
    claim.passed = true;
    claim.deviation = NAN;  // an order has none
    for (std::size_t i = 1; i < points.size() && claim.passed; ++i) {
      const double before = actual(points[i - 1]);
      const double after = actual(points[i]);
      claim.passed = expectation_.increasing ? after > before : after < before;
      if (!claim.passed) claim.actual = text(before) + ", " + text(after);
    }
    return claim;
  }

  // Least and largest of the metric over the selected points.
  std::pair<double, double> extremes(const Selector& selector) const {
    std::pair<double, double> result = {HUGE_VAL, -HUGE_VAL};
    for (const std::size_t point : chosen(selector)) {
      const double value = actual(point);
      result = {std::min(result.first, value), std::max(result.second, value)};
    }
    return result;
  }

  // Of all pairs' ratios the one that is furthest off.
  double worst_ratio() const {
    const auto [least, largest] = extremes(expectation_.first);
    const auto [below_least, below_largest] = extremes(expectation_.second);
    if (below_least <= 0)
      throw selects(expectation_.second, fmt::format("has a ratio over {}", text(below_least)),
                    fmt::format("select points of which {} is above 0", expectation_.metric.name));
    const double low = least / below_largest;
    const double high = largest / below_least;
    if (expectation_.kind == Expectation::Kind::at_least) return low;
    if (expectation_.kind == Expectation::Kind::at_most) return high;
    return expectation_.bound - low > high - expectation_.bound ? low : high;
  }

  Claim ratio() const {
    const double factor = worst_ratio();
    Claim claim = begin("");
    claim.expected = expected();
    claim.actual = fmt::format("factor {:.4f}", factor);
    claim.deviation = deviation(factor, expectation_.bound);
    claim.passed = within(factor);
    return claim;
  }

  // The selected point of each size.
  std::map<Bytes, std::size_t> by_size(const Selector& selector) const {
    std::map<Bytes, std::size_t> result;
    for (const std::size_t point : chosen(selector)) {
      const Bytes bytes = reports_[point].facts.collective.bytes;
      const auto [earlier, is_new] = result.emplace(bytes, point);
      if (is_new) continue;
      throw selects(
          selector,
          fmt::format("selects two points of {} for one side: {} and {}", to_string(bytes),
                      in_quotes(label(earlier->second)), in_quotes(label(point))),
          "narrow it, or both sides with \"where\"");
    }
    return result;
  }

  Claim crossover() const {
    const std::map<Bytes, std::size_t> first = by_size(expectation_.first);
    const std::map<Bytes, std::size_t> second = by_size(expectation_.second);
    std::vector<Contest> contests;
    for (const auto& [bytes, point] : first)
      if (const auto other = second.find(bytes); other != second.end())
        contests.push_back({bytes, reports_[point].time, reports_[other->second].time});
    if (contests.size() < 2)
      throw expectation_.json.error("compares at fewer than two sizes",
                                    "sweep over sizes below and above the crossover");
    const Crossing crossing = crossing_of(contests);
    Claim claim = begin("");
    claim.expected = expected();
    claim.deviation = NAN;
    claim.passed = crossing.at && *crossing.at >= static_cast<double>(expectation_.from.count) &&
                   *crossing.at <= static_cast<double>(expectation_.to.count);
    claim.actual = crossing.text + (claim.passed ? "" : crossing.between);
    return claim;
  }

  // The worst pair decides: the largest of the first selection, the smallest of the second.
  Claim comparison() const {
    const double smaller = extremes(expectation_.first).second;
    const double larger = extremes(expectation_.second).first;
    Claim claim = begin("");
    if (!expectation_.by_factor) {
      claim.expected = "< " + text(larger);
      claim.actual = text(smaller);
      claim.deviation = deviation(smaller, larger);
      claim.passed = smaller < larger;
      return claim;
    }
    const double factor = larger / smaller;
    claim.expected = expected();
    claim.actual = fmt::format("factor {:.4f}", factor);
    claim.deviation = deviation(factor, *expectation_.by_factor);
    claim.passed = expectation_.has_tolerance
                       ? std::abs(claim.deviation) <= expectation_.tolerance + kRounding
                       : smaller < larger && claim.deviation >= -kRounding;
    return claim;
  }

  const ClaimContext& context_;
  const Expectation& expectation_;
  std::span<const Point> points_;
  std::span<const Report> reports_;
};

}  // namespace

std::vector<Claim> judge(const ClaimContext& context, std::span<const Expectation> expectations,
                         std::span<const Point> points, std::span<const Report> reports) {
  std::vector<Claim> claims;
  for (const Expectation& expectation : expectations) {
    const std::vector<Claim> verdicts = Judge(context, expectation, points, reports).verdicts();
    claims.insert(claims.end(), verdicts.begin(), verdicts.end());
  }
  return claims;
}

std::vector<Claim> not_run(const ClaimContext& context, std::span<const Expectation> expectations) {
  std::vector<Claim> claims;
  for (const Expectation& expectation : expectations)
    claims.push_back(Judge(context, expectation, {}, {}).undecided());
  return claims;
}

}  // namespace syncsim
