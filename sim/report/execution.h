#pragma once
// A run for real beside the same run simulated. deviation = measured / simulated - 1.

#include <optional>
#include <string>

#include "sim/exec/real/real_executor.h"
#include "sim/report/report.h"

namespace syncsim {

struct Execution {
  // Times and phases as measured; links carry the bytes of the model, at their average rates over
  // the measured time.
  Report measured;
  Report simulated;
  Measurement measurement;
  int warmup = 0;
  std::optional<double> tolerance = {};  // of the deviation, where something is expected

  bool data_correct() const { return !measurement.wrong; }
  // Nothing where the simulated time is 0.
  std::optional<double> deviation() const;
  // True where nothing is expected.
  bool as_expected() const;
};

std::optional<double> deviation(Time measured, Time simulated);

struct ExecutionOutput {
  bool compare = false;  // text: with the simulated times
  bool links = false;
};

// JSON: what a run says, with what is known of the measurement added; one object with all points.
std::string execution_json(std::span<const Execution> executions, const ExecutionOutput& output);
std::string execution_text(std::span<const Execution> executions, const ExecutionOutput& output);

}  // namespace syncsim
