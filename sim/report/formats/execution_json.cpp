#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/execution.h"
#include "sim/report/formats.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

Json digits_or_null(const std::optional<double>& figure) {
  return figure ? Json(twelve_digits(*figure)) : Json(nullptr);
}

Json wrong_json(const std::optional<WrongElement>& wrong) {
  if (!wrong) return nullptr;
  return {{"rank", wrong->rank},
          {"buffer", wrong->buffer},
          {"element", wrong->element},
          {"expected", wrong->expected},
          {"found", wrong->found}};
}

Json times_json(const std::vector<Time>& times) {
  Json list = Json::array();
  for (const Time time : times) list.push_back(microseconds(time));
  return list;
}

Json library_json(const std::optional<LibraryRun>& library) {
  if (!library) return nullptr;
  return {{"name", library->name},
          {"us", microseconds(library->times[median_of(library->times)])},
          {"iterations_us", times_json(library->times)}};
}

// The phases of both runs are those of one schedule.
void add_simulated_phases(Json& phases, const Report& simulated) {
  for (Json& phase : phases)
    for (const PhaseReport& own : simulated.phases) {
      if (phase["name"] != own.name) continue;
      const double measured = phase["time_us"];
      phase["simulated_us"] = microseconds(own.time());
      phase["deviation"] = own.time().ps > 0
                               ? Json(twelve_digits(measured / microseconds(own.time()) - 1))
                               : Json(nullptr);
    }
}

Json point_json(const Execution& execution, const ExecutionOutput& output) {
  const Measurement& measurement = execution.measurement;
  Json point = report_json(execution.measured, {.links = output.links});
  add_simulated_phases(point["phases"], execution.simulated);
  point["measured_us"] = microseconds(execution.measured.time);
  point["measured_least_us"] = microseconds(measurement.least());
  point["measured_most_us"] = microseconds(measurement.most());
  point["measured_deviation_us"] = microseconds(measurement.deviation());
  point["iterations_us"] = times_json(measurement.times);
  point["warmup"] = execution.warmup;
  point["workers"] = measurement.workers;
  point["library"] = library_json(measurement.library);
  point["measurement_notes"] = measurement.notes;
  point["simulated_us"] = microseconds(execution.simulated.time);
  point["deviation"] = digits_or_null(execution.deviation());
  point["data_correct"] = execution.data_correct();
  point["wrong"] = wrong_json(measurement.wrong);
  point["expected_within"] = digits_or_null(execution.tolerance);
  point["as_expected"] = execution.as_expected();
  return point;
}

}  // namespace

std::string execution_json(std::span<const Execution> executions, const ExecutionOutput& output) {
  Json points = Json::array();
  for (const Execution& execution : executions) points.push_back(point_json(execution, output));
  return Json{{"points", std::move(points)}}.dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace syncsim
