#include "sim/report/published.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/report/step_report.h"

namespace syncsim {

std::vector<PublishedFigure> published_figures(const StepReport& step) {
  std::vector<PublishedFigure> figures;
  if (!step.published) return figures;
  const Published& published = *step.published;
  if (published.step)
    figures.push_back(
        {"step", static_cast<double>(published.step->ps), static_cast<double>(step.step.ps)});
  if (published.samples_per_second)
    figures.push_back(
        {"samples_per_second", *published.samples_per_second, step.samples_per_second});
  if (published.scaling_efficiency)
    figures.push_back(
        {"scaling_efficiency", *published.scaling_efficiency, step.scaling_efficiency});
  return figures;
}

PublishedFigure published_figure(const StepReport& step, std::string_view name) {
  for (const PublishedFigure& figure : published_figures(step))
    if (figure.name == name) return figure;
  throw InputError(fmt::format("no \"{}\" was published of this point", name),
                   fmt::format("add \"published\": {{\"{}\": ...}}, or select others", name));
}

}  // namespace syncsim
