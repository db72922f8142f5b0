#pragma once
// Claims: what a scenario expects of its reports.
//   {"metric": M, "value": V, "tolerance": T}   |actual - V| <= T; T is "0.1 %" of V, or absolute
//   {"metric": M, "at_least": V}, {"metric": M, "at_most": V}
//   {"metric": M, "order": "increasing"}        strictly, over the selected points as listed, of
//                                               which there are two or more
//   {"chosen": STRATEGY or [STRATEGY, ...]}     what a choice such as auto ran: one of these
//   {"metric": M, "of": S, "less_than": S, "by_factor": F, "tolerance": T}
//       every point of the first selection lies below every one of the second; with by_factor, at
//       least F times; with a tolerance in % too, F times to within it (worst pair)
//   {"metric": M, "of": S, "over": S, "value": R, "tolerance": T}, or "at_least", "at_most"
//       the ratio of every point of the first selection to every one of the second (worst pair)
//   {"crossover": {"between": [A, B]}, "from": SIZE, "to": SIZE}
//       over the sizes of the points, A is faster at first and B from a size on that lies in
//       from..to (crossing.h); A and B are strategies by name, or selectors
// "where": S narrows all kinds; of a value or a bound each selected point gives one verdict. A
// selector S names fields of points (selector.h). A selection without points is an error, never a
// pass. Every claim may carry "name", "source" and "note" of its own.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/report/report.h"
#include "sim/scenario/metrics.h"
#include "sim/scenario/point.h"
#include "sim/scenario/selector.h"

namespace syncsim {

struct Expectation {
  enum class Kind : std::uint8_t { value, at_least, at_most, order, less_than, chosen, crossover };
  Kind kind = Kind::value;
  Metric metric = {};
  JsonReader json;                     // for places
  double bound = 0;                    // value, at_least, at_most
  std::string written = {};            // the bound as the user wrote it
  std::string tolerance_written = {};  // the tolerance
  double tolerance = 0;                // absolute, in the metric's unit; for by_factor relative
  bool has_tolerance = false;
  bool increasing = true;  // order
  std::optional<double> by_factor = {};
  Selector first = {};    // where, of, the one that is faster below
  Selector second = {};   // less_than, over, the one that is faster above
  bool is_ratio = false;  // of the first over the second: value, at_least, at_most
  Bytes from = {};        // crossover
  Bytes to = {};
  std::vector<std::string> chosen = {};
  std::string name = {};
  std::string source = {};
  std::string note = {};
};

Expectation read_expectation(const JsonReader& json);

struct Claim {
  std::string file;
  std::string name;
  std::string source;
  std::string note;
  std::string metric;
  std::string expected;
  std::string actual;
  std::string tolerance = {};  // as written; empty: none
  double deviation = 0;        // actual / expected - 1; NaN: there is none, as for orders
  bool passed = false;
  bool decided = true;       // false: it was not run
  std::string pointer = {};  // to the claim in its file: "/expect/3"
};

struct ClaimContext {
  std::string file;
  std::string name;
  std::string source;
  std::string note;
};

// points[i] made reports[i]. Throws InputError, at a place in the claim, for a selection without
// points and for what they do not have.
std::vector<Claim> judge(const ClaimContext& context, std::span<const Expectation> expectations,
                         std::span<const Point> points, std::span<const Report> reports);

// What was not run, one a claim, whatever its points.
std::vector<Claim> not_run(const ClaimContext& context, std::span<const Expectation> expectations);

}  // namespace syncsim
