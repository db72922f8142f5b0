// Judges claims.

#include "sim/scenario/claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

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
      default:
        return bounds();
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
        return order_name();
      case Expectation::Kind::less_than:
        return expectation_.by_factor ? factor_expected() : "<";
      case Expectation::Kind::chosen:
        return fmt::format("{}", fmt::join(expectation_.chosen, " or "));
      default:
        return expected_prefix() + expectation_.written;
    }
  }
  std::string order_name() const { return expectation_.increasing ? "increasing" : "decreasing"; }
  std::string factor_expected() const {
    return fmt::format("{}factor {:.4g}",
                       expectation_.has_tolerance ? "" : ">= ", *expectation_.by_factor);
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
    return select(selector, points_, reports_, expectation_.json);
  }

  double actual(std::size_t point) const {
    return expectation_.json.located([&] { return measure(expectation_.metric, reports_[point]); });
  }

  std::vector<Claim> choices() const {
    std::vector<Claim> claims;
    for (const std::size_t point : chosen(expectation_.first)) {
      const std::optional<Choice>& choice = reports_[point].facts.choice;
      if (!choice)
        throw expectation_.json.error("speaks of a point that chooses nothing",
                                      R"(select points whose strategy is "auto")");
      Claim claim = begin(point_label(point, points_, reports_));
      claim.expected = expected();
      claim.actual = strategy_text(choice->strategy, choice->changed);
      claim.deviation = NAN;
      claim.passed =
          std::count(expectation_.chosen.begin(), expectation_.chosen.end(), choice->strategy) > 0;
      claims.push_back(claim);
    }
    return claims;
  }

  std::string text(double value) const { return value_text(value, expectation_.metric.unit); }

  std::vector<Claim> bounds() const {
    std::vector<Claim> claims;
    for (const std::size_t point : chosen(expectation_.first)) {
      const double value = actual(point);
      Claim claim = begin(point_label(point, points_, reports_));
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
    const bool is_time = expectation_.metric.unit == MetricUnit::time;
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
      throw expectation_.json.error("orders one point", "select two or more, or claim a value");
    Claim claim = begin("");
    claim.expected = order_name();
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

  // The worst pair decides: the largest of the first selection, the smallest of the second.
  Claim comparison() const {
    double smaller = -HUGE_VAL;
    double larger = HUGE_VAL;
    for (const std::size_t point : chosen(expectation_.first))
      smaller = std::max(smaller, actual(point));
    for (const std::size_t point : chosen(expectation_.second))
      larger = std::min(larger, actual(point));
    Claim claim = begin("");
    if (!expectation_.by_factor) {
      claim.expected = "< " + text(larger);
      claim.actual = text(smaller);
      claim.deviation = deviation(smaller, larger);
      claim.passed = smaller < larger;
      return claim;
    }
    const double factor = larger / smaller;
    claim.expected = factor_expected();
    claim.actual = fmt::format("factor {:.4f}", factor);
    claim.deviation = deviation(factor, *expectation_.by_factor);
    claim.passed = smaller < larger &&
                   (expectation_.has_tolerance ? std::abs(claim.deviation) <= expectation_.tolerance
                                               : claim.deviation >= -kRounding);
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
