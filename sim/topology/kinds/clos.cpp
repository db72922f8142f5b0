#include "sim/topology/kinds/clos.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/topology/kinds/generators.h"
#include "sim/topology/link_type.h"
#include "sim/topology/machine_size.h"

namespace syncsim {
namespace {

// The divisors of `total`, times `factor`, around `wanted`: "4 or 8"; one where there are no two.
std::string nearest_divisors(std::uint64_t total, std::uint64_t wanted, std::uint64_t factor = 1) {
  std::uint64_t below = 0;
  std::uint64_t above = total * factor;
  for (std::uint64_t low = 1; low * low <= total; ++low) {
    if (total % low != 0) continue;
    for (const std::uint64_t fit : {low * factor, total / low * factor}) {
      if (fit <= wanted) below = std::max(below, fit);
      if (fit >= wanted) above = std::min(above, fit);
    }
  }
  if (below == 0) return std::to_string(above);
  return below >= above ? std::to_string(below) : fmt::format("{} or {}", below, above);
}

double read_ratio(const JsonReader& json) {
  const double ratio = json.number();
  if (ratio <= 0) throw json.error("a ratio is above 0", "write down : up, as in 2");
  return ratio;
}

}  // namespace

std::uint64_t divide(const JsonReader& at, std::uint64_t total, std::string_view things,
                     std::uint64_t divisor, const std::string& into) {
  if (total % divisor == 0) return total / divisor;
  throw at.error(fmt::format("{} {} do not fill {}", total, things, into),
                 fmt::format("write {}", nearest_divisors(total, divisor)));
}

std::uint64_t count_uplinks(const JsonReader& at, const Uplinks& uplinks) {
  constexpr double kExact = 1e-6;  // so that 1.333333 is 4/3
  const double cable = uplinks.link.bandwidth.bytes_per_second;
  const double exact = uplinks.down / (uplinks.oversubscription * cable);
  if (exact > static_cast<double>(kMostCables))
    throw at.error(
        fmt::format("each {} would have more than {} uplinks", uplinks.name, kMostCables),
        "take a faster uplink, or a larger oversubscription");
  const double whole = std::max(1.0, std::round(exact));
  if (std::abs(exact - whole) <= kExact * whole) return static_cast<std::uint64_t>(whole);
  throw at.error(fmt::format("each {} has {} below, which makes {:.6g} uplinks of {} at {:.9g} : 1",
                             uplinks.name, to_string(Bandwidth{uplinks.down}), exact,
                             to_string(uplinks.link.bandwidth), uplinks.oversubscription),
                 fmt::format("write an oversubscription of {:.9g}, for {}",
                             uplinks.down / (whole * cable), whole));
}

std::vector<double> read_oversubscription(const JsonReader& json, std::size_t levels) {
  std::vector<double> ratios(levels, 1);
  const auto written = json.optional("oversubscription");
  if (!written) return ratios;
  if (!written->is_array()) {
    ratios[0] = read_ratio(*written);
    return ratios;
  }
  const std::vector<JsonReader> list = written->elements();
  if (list.size() > levels)
    throw written->error(fmt::format("{} ratios", list.size()),
                         fmt::format("write at most {}, the leaves' first", levels));
  for (std::size_t i = 0; i < list.size(); ++i) ratios[i] = read_ratio(list[i]);
  return ratios;
}

Level read_level(const JsonReader& json, std::string_view key, std::uint64_t uplinks,
                 std::uint64_t groups) {
  const auto written = json.optional(key);
  if (!written) return {uplinks, uplinks};
  const std::uint64_t total = read_count(*written);
  const std::uint64_t each = total / groups;
  if (total % groups == 0 && uplinks % each == 0) return {uplinks, each};
  throw written->error(
      fmt::format("{} {} do not share {} uplinks evenly", total, key, groups * uplinks),
      fmt::format("write {}", nearest_divisors(uplinks, total, groups)));
}

void join_level(Topology::Parts& parts, NodeId below, std::uint64_t count, NodeId above,
                const Level& level, const Link& link) {
  const Link bundle = bundle_of(link, level.cables_each());
  for (NodeId lower = 0; lower < count; ++lower)
    for (NodeId upper = 0; upper < level.switches; ++upper)
      add_cable(parts, below + lower, above + upper, bundle);
}

}  // namespace syncsim
