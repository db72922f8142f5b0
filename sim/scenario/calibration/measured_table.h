#pragma once
// Tables of measured times, in any of these forms:
//   - what nccl-tests or rccl-tests print, as pasted (nccl_tests_table.h), or write with -J
//     (nccl_tests_json.h);
//   - CSV with a line of names: size or bytes (in bytes, or with a unit), time (in microseconds;
//     time_us, time_ms, time_s say so), in_place_time; collective, datatype and root where they
//     are there; other columns are passed over;
//   - JSON: {"machine": ..., "collective": "all_reduce", "gpus": 8, "rows": [{"bytes": 8,
//     "time_us": 10.98, "in_place_us": 11.02}, ...]}, with remarks (nodes, links, software, source,
//     notes) and the bandwidths of nccl-tests beside.
// Rows without a time, and of 0 bytes, are left out and counted in the notes.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/exec/cost_model/library_terms.h"
#include "sim/schedule/collective.h"

namespace syncsim {

struct MeasuredRow {
  std::string place = {};  // "log.txt:17", "table.json:/rows/3"
  Bytes bytes = {};
  std::optional<double> out_of_place = {};  // seconds, above 0
  std::optional<double> in_place = {};
  std::optional<CollectiveKind> collective = {};  // these where the table says them
  std::optional<std::string> datatype = {};
  std::optional<int> root = {};
};

struct MeasuredTable {
  std::string machine;  // as the table calls it; may be empty
  int ranks = 0;        // 0: it does not say
  Launch launch = Launch::unknown;
  std::string version = {};  // of the library; empty: it does not say
  // What rows that do not say theirs look like; none where several look so.
  std::optional<CollectiveKind> by_columns = {};
  std::vector<MeasuredRow> rows;
  std::vector<std::string> notes;
};

// The form is told by what the text looks like. Throws InputError with its place, of a file `name`,
// also for a table without a row that can be used.
MeasuredTable read_measured_table(std::string_view text, const std::string& name);

// Names the collective that the columns tell, with a note, for rows that do not say theirs and of
// which nobody else said it.
void name_by_columns(MeasuredTable& table);

// Whether a text begins as JSON does.
bool begins_json(std::string_view text);

// The same of JSON that is read already.
MeasuredTable read_measured_table(const JsonReader& json);

// Its parts, for tables that are more than that (published_table.h): every key but these is
// refused; the rows as they stand, of 0 bytes too, each with its own place.
void allow_measured_keys(const JsonReader& json);
std::vector<MeasuredRow> read_measured_rows(const JsonReader& list);

}  // namespace syncsim
