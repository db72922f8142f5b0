#pragma once
// What a sweep writes of one point: all that it takes to run it again, and what came of it, or why
// it was refused. A row is one line; CSV begins with a line of column names. Both formats have the
// same names, those of the JSON report (formats.h): in CSV lists are joined by "; ", parameters by
// blanks, and the busiest link takes three columns.
//   point    the number in the scenario's order, from 0
//   digest   16 hexadecimal digits of what was asked (sweep_points.h): equal for equal points
//   error    why the point was refused, else empty; such a row has no figures
//   refused_by  who refused it (RefusedBy), else empty

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/named_table.h"
#include "sim/report/report.h"
#include "sim/scenario/point.h"

namespace syncsim {

// By the input it is refused again whenever it is asked; for memory, or by a fault of the program,
// it may run another time.
enum class RefusedBy : std::uint8_t { none, input, memory, program };

struct SweepRow {
  std::size_t number = 0;
  std::string digest = {};
  const Point* point = nullptr;
  const Report* report = nullptr;  // none: refused
  std::string error = {};
  RefusedBy refused_by = RefusedBy::none;
};

// All that the point itself says, a line a column.
std::string asked_text(const Point& point);

// What a line of a sweep's file says of its point.
struct WrittenRow {
  std::size_t number = 0;
  std::string digest;
  RefusedBy refused_by = RefusedBy::none;
};

struct SweepFormat {
  std::string_view name;
  std::string_view description;
  std::string (*head)();  // with its line end; "" where there is none
  std::string (*line)(const SweepRow& row);
  // Of a line without its end; nothing where it is no row.
  std::optional<WrittenRow> (*read)(std::string_view line);
};

const NamedTable<SweepFormat>& sweep_formats();

}  // namespace syncsim
