// The visible list of output formats: one row each.

#include "sim/report/formats.h"

namespace syncsim {

const NamedTable<ReportFormat>& report_formats() {
  static const NamedTable<ReportFormat> table(
      "format", {{"text", "tables to read", write_text},
                 {"json", "one JSON object with a list of points", write_json, true},
                 {"csv", "a row a point, with --links a row a link", write_csv},
                 {"nccl-tests", "the tables that nccl-tests prints", write_nccl_tests}});
  return table;
}

}  // namespace syncsim
