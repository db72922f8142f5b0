// syncsim sweep: a scenario's points on all cores, or on the ranks of mpirun, a row each.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "sim/base/quote.h"
#include "sim/cli/command.h"
#include "sim/cli/crew/jobs.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/supervisor.h"
#include "sim/cli/sweep/desk.h"
#include "sim/cli/sweep/mpi_crew.h"
#include "sim/cli/sweep/point_runner.h"
#include "sim/exec/processes/launcher.h"

namespace syncsim::cli {
namespace {

struct SweepOptions {
  std::string file;
  std::optional<std::string> jobs;
  std::optional<std::string> out;
  std::optional<std::string> format;
  bool resume = false;
  bool no_check = false;
  LongRunOptions long_run;
};

// What a row is written as; the printed ones may also be elements of one JSON object.
struct Writing {
  const SweepFormat* format = nullptr;
  bool as_json = false;
};

Writing writing_of(const SweepOptions& options) {
  const NamedTable<SweepFormat>& formats = sweep_formats();
  if (options.format == "json") {
    if (options.out)
      throw InputError("a file that grows by rows is csv or jsonl", "write --format jsonl",
                       "--format");
    return {&formats.at("jsonl"), true};
  }
  if (options.format)
    return {&from_option("--format", [&]() -> const SweepFormat& {
      if (const SweepFormat* found = formats.find(*options.format)) return *found;
      throw unknown_name("format", *options.format, {"csv", "json", "jsonl"});
    })};
  if (!options.out) return {&formats.at("csv")};
  const std::string extension = std::filesystem::path(*options.out).extension().string();
  const SweepFormat* found = formats.find(extension.empty() ? "" : extension.substr(1));
  if (found == nullptr)
    throw InputError(in_quotes(*options.out) + " ends neither in .csv nor in .jsonl",
                     "name it so, or give --format", "--out");
  return {found};
}

std::unique_ptr<Rows> rows_of(const SweepOptions& options, const Writing& writing,
                              PointRunner& runner) {
  if (!options.out) return std::make_unique<PrintedRows>(*writing.format, writing.as_json);
  const auto digest_of = [&runner](std::size_t number) { return runner.digest_of(number); };
  return std::make_unique<RowFile>(*options.out, *writing.format, runner.points().size(), digest_of,
                                   options.resume);
}

// All that the rows lack.
int lead(Crew& crew, const SweepOptions& options, const Writing& writing, PointRunner& runner,
         const MemoryLimit& memory) {
  const std::vector<Point>& points = runner.points();
  const std::unique_ptr<Rows> rows = rows_of(options, writing, runner);
  SweepProgress progress{.points = points.size(), .refused = rows->refused()};
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!rows->has(i)) missing.push_back(i);
  progress.done_before = progress.done = points.size() - missing.size();
  SweepDesk desk(*rows, progress, !options.long_run.no_progress, options.out.value_or(""));
  run_all(crew, missing, runner.work(), memory, desk);
  return desk.finish();
}

int sweep(const SweepOptions& options) {
  const Writing writing = writing_of(options);
  if (options.resume && !options.out)
    throw InputError("there is no file to go on with", "name it with --out", "--resume");
  const MemoryLimit memory = memory_limit(options.long_run);
  PointRunner runner(options.file, *writing.format, !options.no_check);
  note_interrupts();
  if (is_one_of_several()) {
    if (options.jobs)
      throw InputError("mpirun says how many run at once", "leave it out", "--jobs");
    const std::unique_ptr<MpiCrew> crew = mpi_crew();
    if (crew->leads()) return lead(*crew, options, writing, runner, memory);
    crew->serve(shared_out(runner.work(), memory, crew->hands()));
    return kGood;
  }
  return lead(*thread_crew(jobs_of(options.jobs)), options, writing, runner, memory);
}

}  // namespace

std::function<int()> declare_sweep(CLI::App& app) {
  const auto options = std::make_shared<SweepOptions>();
  app.add_option("FILE", options->file, "a scenario; what it expects is passed over")->required();
  declare_jobs(app, options->jobs);
  app.add_option("--out", options->out, "a .csv or .jsonl file for the rows; must be new");
  app.add_flag("--resume", options->resume, "go on with a file that an earlier sweep began")
      ->disable_flag_override();
  app.add_option("--format", options->format, "csv or jsonl, and without --out also json");
  app.add_flag("--no-check", options->no_check, "do not prove the schedules first")
      ->disable_flag_override();
  declare_long_run(app, options->long_run);
  return [options] { return sweep(*options); };
}

}  // namespace syncsim::cli
