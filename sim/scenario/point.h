#pragma once
// A point: one run, fully said. Read from scenario fields or from the command line; both give each
// value's place, so that an error found late (a rank that the machine lacks, a parameter that the
// strategy refuses) still names where it was written.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/base/rank_list.h"
#include "sim/exec/cost_model/library_terms.h"
#include "sim/scenario/store_script.h"
#include "sim/scenario/training.h"
#include "sim/schedule/collective.h"
#include "sim/schedule/reduction.h"
#include "sim/topology/edits.h"
#include "sim/topology/link_events.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct Point {
  std::string name;
  std::string scenario;                       // the name of the file's, for reports
  std::string topology;                       // a path or a shelf name
  std::optional<JsonReader> inline_topology;  // a machine written in the scenario itself
  std::vector<Edit> edits;
  std::string edits_name;  // what people call them, may be empty
  std::vector<LinkEvent> events;
  CollectiveKind collective = CollectiveKind::allreduce;
  Bytes bytes;
  std::string datatype = "float32";
  int root = 0;
  std::vector<int> ranks;  // of the machine's ranks, in this order; empty: all
  std::string strategy;
  std::map<std::string, std::string> parameters;
  std::string executor = "simulated";
  Rates rates = Rates::line;
  Time overhead;
  Reduction reduction = Reduction::on_arrival;
  std::uint32_t seed = 0;
  std::map<int, Time> start;  // when ranks of the run come that are late (schedule/late_start.h)
  std::string background;     // path of a file of flows (traffic.h); empty: none
  std::optional<LibraryTerms> library;  // whose costs the run has; none: the bare machine's
  std::string rings;                    // path of a file of rings (rings_file.h); empty: none

  std::optional<Training> training;   // a training step in place of one collective
  std::optional<StoreScript> script;  // calls of a key-value store in place of one collective

  std::map<std::string, std::string> places;  // field -> "file.json:/bytes" or "--bytes"

  std::map<std::string, std::string> parameter_places;

  // "" for a field that nobody wrote.
  std::string place(std::string_view field) const;
};

// For a strategy without parameters and rings of its own: "auto", "a plan".
void refuse_parameters(const Point& point, const std::string& who);

// Of ranks as people write them. Throws InputError without a place for what is no list of ranks and
// for a rank that has a start.
void add_start(std::map<int, Time>& starts, std::string_view ranks, Time at);

constexpr int kMostRoot = kMostRanks - 1;

// Every field that a point can have, by name; readers of their values. A sweep adds single
// parameters, "parameters.NAME", which come on top.
using Fields = std::map<std::string, JsonReader>;
const std::vector<std::string>& point_fields();
Point read_point(const Fields& fields);
// A relative path is taken from the directory of the file that names it.
std::string path_beside(const JsonReader& json);
// A machine's name on the shelf, or its path.
std::string topology_reference(const JsonReader& json);
// The path of a file of flows, or of rings; "" for null, which says that there is none.
std::string optional_path(const JsonReader& json);

}  // namespace syncsim
