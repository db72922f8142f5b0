#pragma once
// How reports are written down: one file in formats/ and one row each. Every format writes all
// reports of a run at once and ends with a newline. JSON keys are stable: never renamed, only
// added.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/named_table.h"
#include "sim/report/report.h"
#include "sim/report/unfinished.h"

namespace syncsim {

struct FormatOptions {
  bool links = false;  // with every link: text tables those that carried something, JSON all
  const Unfinished* unfinished = nullptr;  // the point after the reports: JSON says what is known
};

struct ReportFormat {
  std::string_view name;
  std::string_view description;
  std::string (*write)(std::span<const Report> reports, const FormatOptions& options);
  bool critical_path = false;  // writes it
};

const NamedTable<ReportFormat>& report_formats();

// What JSON says of events: [] without them.
nlohmann::ordered_json events_json(std::span<const EventReport> events);

// What JSON says of the busiest link; null when there is none.
nlohmann::ordered_json busiest_json(const LinkReport* busiest);

// A report as `run --format json` says it.
nlohmann::ordered_json report_json(const Report& report, const FormatOptions& options);

std::string write_csv(std::span<const Report> reports, const FormatOptions& options);
std::string write_nccl_tests(std::span<const Report> reports, const FormatOptions& options);
std::string write_json(std::span<const Report> reports, const FormatOptions& options);
std::string write_text(std::span<const Report> reports, const FormatOptions& options);

}  // namespace syncsim
