#pragma once
// Published tables beside what predictors say of them: errors of time, by size and by family. JSON
// keys are stable.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/schedule/collective.h"

namespace syncsim {

// By the time that rows spend on: latency up to 64 KiB, bandwidth from 64 MiB on.
enum class SizeClass : std::uint8_t { small, middle, large, all };
inline constexpr std::size_t kSizeClasses = 4;
SizeClass size_class(Bytes bytes);  // never all
std::string_view to_string(SizeClass size);

// Absolute relative errors, |predicted / measured - 1|.
struct Errors {
  std::size_t rows = 0;
  double sum = 0;
  double worst = 0;

  void add(double error);
  void add(const Errors& others);
  double mean() const { return rows == 0 ? 0 : sum / static_cast<double>(rows); }
};
using ErrorsBySize = std::array<Errors, kSizeClasses>;

struct ValidatedRow {
  Bytes bytes;
  double measured = 0;            // us
  std::vector<double> predicted;  // by predictor
};

struct ValidatedTable {
  std::string name;
  std::string machine;
  std::string topology;
  CollectiveKind collective = CollectiveKind::allreduce;
  std::string_view family;
  std::string care;  // why it is to be treated with care; empty: it is not
  std::vector<ValidatedRow> rows;
};

struct ValidationReport {
  std::vector<std::string> predictors;
  std::vector<ValidatedTable> tables;
};

// Of one table, by predictor.
std::vector<ErrorsBySize> errors_of(const ValidatedTable& table);

// Tables together, every row counting once.
struct ValidationTotal {
  std::string_view family;  // "all" for all of them
  bool with_care = false;   // those to be treated with care, too
  std::size_t tables = 0;
  std::vector<ErrorsBySize> errors;  // by predictor
};
// Of every family, in the order of its first table, and of all; without and with those to be
// treated with care.
std::vector<ValidationTotal> totals_of(const ValidationReport& report);

struct ValidationFormat {
  std::string_view name;
  std::string_view description;
  std::string (*write)(const ValidationReport& report);
};
const NamedTable<ValidationFormat>& validation_formats();

std::string validation_text(const ValidationReport& report);
std::string validation_json(const ValidationReport& report);  // with every row
std::string validation_csv(const ValidationReport& report);   // a line a row and predictor

}  // namespace syncsim
