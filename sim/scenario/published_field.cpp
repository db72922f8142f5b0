#include "sim/scenario/published_field.h"

namespace syncsim {
namespace {

constexpr double kMostRate = 1e12;  // samples a second
constexpr double kMostScaling = 10;

// So that what is simulated has a share of it.
double measurable(const JsonReader& json, double number) {
  constexpr double kLeast = 1e-9;
  if (!(number >= kLeast))
    throw json.error("is too small to be measured", "write the figure that was published");
  return number;
}

double read_rate(const JsonReader& json) {
  const double rate = measurable(json, json.number());
  if (rate > kMostRate)
    throw json.error("is too large to be measured", "write at most 1e12 samples a second");
  return rate;
}

double read_scaling(const JsonReader& json) {
  const double share = measurable(json, json.is_string() ? json.percent() : json.number());
  if (share > kMostScaling)
    throw json.error("is above 1000 %", R"(write a share such as "95.7 %" or 0.957)");
  return share;
}

Time read_published_step(const JsonReader& json) {
  (void)measurable(json, static_cast<double>(json.time().ps));
  return json.time();
}

}  // namespace

Published read_published(const JsonReader& json) {
  json.allow({"step", "samples_per_second", "scaling_efficiency", "source"});
  Published published;
  if (const auto step = json.optional("step")) published.step = read_published_step(*step);
  if (const auto rate = json.optional("samples_per_second"))
    published.samples_per_second = read_rate(*rate);
  if (const auto share = json.optional("scaling_efficiency"))
    published.scaling_efficiency = read_scaling(*share);
  if (!published.step && !published.samples_per_second && !published.scaling_efficiency)
    throw json.error("has no figure",
                     R"(add "step", "samples_per_second" or "scaling_efficiency")");
  published.source = json.required("source", R"("where it was published")").string();
  return published;
}

}  // namespace syncsim
