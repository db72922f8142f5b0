#pragma once
// The points that a command line says: a grid of strategies and sizes on one machine.

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/library_options.h"
#include "sim/scenario/point.h"

namespace CLI {
class App;
}

namespace syncsim::cli {

struct PointOptions {
  std::string topology;
  std::vector<std::string> strategies;
  std::vector<std::string> bytes;
  std::string collective = "allreduce";
  std::string datatype = "float32";
  std::optional<std::string> ranks;
  std::string root = "0";
  std::vector<std::string> parameters;
  std::vector<std::string> edits;
  std::vector<std::string> events;
  std::vector<std::string> starts;
  std::string rates = "line";
  std::string overhead = "0 us";
  std::string reduction = "on-arrival";
  std::string executor = "simulated";
  std::string seed = "0";
  std::optional<std::string> background;
  std::optional<std::string> rings;
  LibraryOptions library;
};

// In the option group that is the default of `app`.
void declare_machine_options(CLI::App& app, PointOptions& options);  // --topology, --edit, --rates
void declare_collective_options(CLI::App& app, PointOptions& options);  // what to compute, of what
void declare_schedule_options(CLI::App& app, PointOptions& options);    // and by which strategy
void declare_conditions(CLI::App& app, PointOptions& options);  // events, delays, other traffic
// The same, and at which library's costs.
void declare_run_conditions(CLI::App& app, PointOptions& options);
void declare_real_conditions(CLI::App& app, PointOptions& options);  // those not of models alone
void declare_work_options(CLI::App& app, PointOptions& options);     // all but the machine's
// Of what was measured elsewhere: the machine, and what a table of sizes and times does not say.
void declare_measured_options(CLI::App& app, PointOptions& options);
// Of what a collective library does by itself: machine, collective and ranks.
void declare_subject_options(CLI::App& app, PointOptions& options);
// Of training steps, whose sizes their models say: strategy, ranks and conditions.
void declare_step_options(CLI::App& app, PointOptions& options);

// How far to trust a run: --no-check, --audit.
void declare_proof_options(CLI::App& app, bool& no_check, bool& audit);

// A barrier needs none.
bool needs_bytes(const PointOptions& options);
// Throws InputError, with the command's example, without a machine and a size.
void demand_subject(const PointOptions& options, std::string_view command);
// A point each size, without a strategy.
std::vector<Point> sizes(const PointOptions& options);
// In the order said, sizes fastest.
std::vector<Point> grid(const PointOptions& options);
// With a key-value store in place of a strategy, without a size. Throws InputError where a strategy
// is said too.
Point store_point(const PointOptions& options);
// The machine's, with neither a strategy nor a size.
Point machine_point(const PointOptions& options);
// A point each strategy, without a size.
std::vector<Point> strategy_points(const PointOptions& options);

}  // namespace syncsim::cli
