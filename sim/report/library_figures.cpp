#include "sim/report/library_figures.h"

namespace syncsim {

double LibraryFigures::algbw(const LibraryFigure& figure) const {
  return static_cast<double>(figure.bytes.count) / (figure.microseconds * 1e-6);
}

double LibraryFigures::busbw(CollectiveKind kind, const LibraryFigure& figure) const {
  return algbw(figure) * busbw_factor(kind, ranks);
}

const NamedTable<FiguresFormat>& figures_formats() {
  static const NamedTable<FiguresFormat> table(
      "format", {{"text", "tables for people", figures_text},
                 {"json", "every figure, one object", figures_json},
                 {"csv", "a line a collective and size", figures_csv},
                 {"thresholds", "JSON for health checks: what to expect, when to warn and to fail",
                  figures_thresholds}});
  return table;
}

}  // namespace syncsim
