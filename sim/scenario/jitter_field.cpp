#include "sim/scenario/jitter_field.h"

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/scenario/point.h"
#include "sim/scenario/step_time.h"

namespace syncsim {
namespace {

double read_sigma(const JsonReader& json) {
  const double sigma = json.number();
  if (!(sigma >= 0 && sigma <= kMostSigma))
    throw json.error(fmt::format("is {}", sigma), fmt::format("write a number from 0 to {}, the "
                                                              "deviation of the logarithm",
                                                              kMostSigma));
  return sigma;
}

// A number as it would stand in a file.
JitterEntry read_entry(const JsonReader& json) {
  if (!json.is_number() && !json.is_string())
    throw json.found_instead(R"(write a factor such as 1.05, or a delay such as "3 ms")");
  return json.located([&] {
    return parse_jitter_entry(json.is_string() ? json.string() : fmt::format("{}", json.number()));
  });
}

std::vector<JitterEntry> read_step(const JsonReader& json) {
  if (!json.is_array())
    throw json.found_instead("write a list a step: a factor or a delay for each rank");
  std::vector<JitterEntry> ranks;
  for (const JsonReader& entry : json.elements()) ranks.push_back(read_entry(entry));
  if (ranks.empty()) throw json.error("is empty", "write a factor or a delay for each rank");
  return ranks;
}

JitterTrace read_trace(const JsonReader& json) {
  JitterTrace trace;
  for (const JsonReader& step : json.elements()) {
    trace.push_back(read_step(step));
    if (trace.back().size() != trace.front().size())
      throw step.error(fmt::format("has {}, the first step has {}",
                                   counted(trace.back().size(), "rank"), trace.front().size()),
                       "write a factor or a delay for each rank in every step");
  }
  if (trace.empty()) throw json.error("is empty", "write a list a step, or the path of a CSV file");
  return trace;
}

}  // namespace

JitterField read_jitter(const JsonReader& json) {
  if (!json.is_object())
    throw json.found_instead(
        R"(write such as {"lognormal": 0.1}, {"exponential": "2 ms"} or {"trace": "FILE.csv"})");
  json.allow({"lognormal", "exponential", "trace"});
  JitterField field;
  if (const auto sigma = json.optional("lognormal")) field.jitter.lognormal = read_sigma(*sigma);
  if (const auto mean = json.optional("exponential"))
    field.jitter.exponential = read_step_time(*mean);
  field.by_chance = json.has("lognormal") || json.has("exponential");
  if (const auto trace = json.optional("trace")) {
    if (trace->is_array())
      field.jitter.trace = read_trace(*trace);
    else
      field.trace_file = path_beside(*trace);
  }
  return field;
}

}  // namespace syncsim
