#pragma once
// What one should get of a machine: times and bandwidths of collectives as its library would run
// them, beside what no algorithm can beat, and thresholds of health checks made of them. JSON keys
// are stable.

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/report/library_setup.h"
#include "sim/schedule/collective.h"

namespace syncsim {

struct LibraryFigure {
  Bytes bytes;
  double microseconds = 0;  // a call, as nccl-tests times it
  double bound = 0;         // us, at line rates, with what the switches can add up
  std::string bound_kind = {};
  std::string algorithm = {};
  std::string protocol = {};
  int channels = 0;  // 0: not said
  std::string binds = {};
};

struct CollectiveFigures {
  CollectiveKind kind = CollectiveKind::allreduce;
  std::vector<LibraryFigure> sizes = {};
};

// What is taken off the expected bandwidth, as shares of it: 0 < warn < fail < 1.
struct Margins {
  double warn = 0.1;
  double fail = 0.25;
};

struct LibraryFigures {
  std::string topology;
  std::vector<std::string> edits = {};
  std::string datatype = {};
  int ranks = 0;
  LibrarySetup library = {};
  std::vector<CollectiveFigures> collectives = {};
  std::vector<std::string> notes = {};  // what was left out, and why
  Margins margins = {};

  double algbw(const LibraryFigure& figure) const;  // bytes/s
  double busbw(CollectiveKind kind, const LibraryFigure& figure) const;
};

struct FiguresFormat {
  std::string_view name;
  std::string_view description;
  std::string (*write)(const LibraryFigures& figures);
};
const NamedTable<FiguresFormat>& figures_formats();

std::string figures_text(const LibraryFigures& figures);
std::string figures_json(const LibraryFigures& figures);        // one object
std::string figures_csv(const LibraryFigures& figures);         // a line a size
std::string figures_thresholds(const LibraryFigures& figures);  // one object, for health checks

}  // namespace syncsim
