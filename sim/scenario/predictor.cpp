#include "sim/scenario/predictor.h"

#include <cmath>
#include <limits>

#include "sim/exec/nccl/nccl_formula.h"
#include "sim/scenario/library/library_model.h"

namespace syncsim {
namespace {

double error_of(const Line& line, const std::vector<PublishedRow>& rows) {
  double sum = 0;
  for (const PublishedRow& row : rows) sum += std::abs(line.at(row.bytes) / row.microseconds - 1);
  return sum;
}

std::vector<double> by_formula(const PublishedTable& table, const Setting& setting,
                               const RunSettings& settings) {
  const NcclFormula formula(setting.machine, setting.ranks, setting.collective.kind,
                            settings.shelf + "/rates", table.terms.pins);
  std::vector<double> times;
  for (const PublishedRow& row : table.rows) times.push_back(formula.best(row.bytes).microseconds);
  return times;
}

std::vector<double> by_model(const PublishedTable& table, const Setting& setting,
                             const RunSettings& settings) {
  const LibraryModel model(setting.machine, setting.ranks, setting.collective, table.terms,
                           settings);
  std::vector<double> times;
  for (const PublishedRow& row : table.rows) times.push_back(model.at(row.bytes).microseconds);
  return times;
}

std::vector<double> by_line(const PublishedTable& table, const Setting&, const RunSettings&) {
  const Line line = best_line(table.rows);
  std::vector<double> times;
  for (const PublishedRow& row : table.rows) times.push_back(line.at(row.bytes));
  return times;
}

}  // namespace

const NamedTable<Predictor>& predictors() {
  static const NamedTable<Predictor> table(
      "predictor",
      {{"model", "the library's choice, run by the event engine at the library's costs", by_model},
       {"nccl_formula", "NCCL's own model, as the executor of that name", by_formula},
       {"line", "the best straight line through the table itself", by_line}});
  return table;
}

Line best_line(const std::vector<PublishedRow>& rows) {
  Line best;
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](double alpha, double beta) {
    if (!(alpha >= 0) || !(beta >= 0)) return;
    const Line line{alpha, beta};
    const double error = error_of(line, rows);
    if (error >= least) return;
    least = error;
    best = line;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto bytes = static_cast<double>(rows[i].bytes.count);
    offer(rows[i].microseconds, 0);
    offer(0, rows[i].microseconds / bytes);
    for (std::size_t j = 0; j < i; ++j) {
      const double beta = (rows[i].microseconds - rows[j].microseconds) /
                          static_cast<double>((rows[i].bytes - rows[j].bytes).count);
      offer(rows[i].microseconds - beta * bytes, beta);
    }
  }
  return best;
}

}  // namespace syncsim
