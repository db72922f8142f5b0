#include "sim/scenario/calibration/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sim/base/text.h"
#include "sim/exec/calibration/hold_out.h"
#include "sim/exec/run_memory.h"
#include "sim/scenario/point_schedule.h"
#include "sim/scenario/select.h"
#include "sim/scenario/setting.h"

namespace syncsim {
namespace {

// --- Points to schedules

// What is simulated of a point, and what is shown.
struct Prepared {
  std::vector<MeasuredSchedule> schedules;
  std::vector<CalibratedPoint> shown;
};

Schedule transfer_of(const PairTransfer& pair, Bytes bytes, const Topology& machine) {
  const std::vector<NodeId> gpus = machine.nodes_of_kind(NodeKind::gpu);
  if (gpus.size() != pair.gpus)
    throw InputError(fmt::format("the matrices are of {} gpus and {} has {}", pair.gpus,
                                 machine.name(), gpus.size()),
                     "name the machine that was measured with --topology");
  Schedule schedule;
  schedule.ranks = 2;
  for (const std::size_t gpu : {pair.from, pair.to})
    schedule.participants.push_back(machine.nodes()[gpus[gpu]].id);
  schedule.buffers.push_back({"data", {0, bytes.count}});
  schedule.channels.emplace_back();
  schedule.phases.emplace_back("copy");
  for (ParticipantId source = 0; source < (pair.both_ways ? 2u : 1u); ++source) {
    Op op;
    op.source = source;
    op.destination = 1 - source;
    op.chunk_count = 1;
    schedule.ops.push_back(op);
  }
  return schedule;
}

std::string pair_name(const Schedule& schedule) {
  return fmt::format("{}{}{}", schedule.participants[0], schedule.ops.size() > 1 ? "-" : ">",
                     schedule.participants[1]);
}

std::string strategy_name(const PointSchedule& planned, const Point& point) {
  std::string name = point.strategy;
  for (const auto& [parameter, value] : planned.parameters.changed())
    name += fmt::format(" {}={}", parameter, value);
  return name;
}

void refuse_other_ranks(const MeasuredPoint& measured, int ranks) {
  if (measured.ranks == 0 || measured.ranks == ranks) return;
  throw InputError(fmt::format("{} were measured, and {} take part",
                               counted(static_cast<std::uint64_t>(measured.ranks), "rank"), ranks),
                   "name the machine that was measured, or its ranks with --ranks", measured.place);
}

class Preparing {
 public:
  Preparing(const Topology& machine, const CalibrationSettings& settings)
      : machine_(machine), settings_(settings) {}

  void add(const MeasuredPoint& measured, bool held_out) {
    CalibratedPoint shown{.place = measured.place,
                          .collective = measured.point.collective,
                          .bytes = measured.point.bytes,
                          .measured = measured.seconds,
                          .times = measured.times,
                          .held_out = held_out};
    Schedule schedule = measured.pair ? of_pair(measured, shown) : of_point(measured, shown);
    held_ += schedule_bytes(size_of(schedule));
    placed([&] { return measured.place; },
           [&] {
             require_room(settings_.run.memory, held_, "keeping the schedules of all points",
                          counted(prepared_.shown.size() + 1, "point"), "give fewer");
           });
    prepared_.schedules.push_back({std::move(schedule), measured.point.overhead,
                                   measured.point.seed, measured.seconds, held_out});
    const Time now = simulated_time(prepared_.schedules.back(), machine_,
                                    {.watch = settings_.run.watch, .memory = settings_.run.memory});
    if (now.ps == 0) throw InputError("takes no time in the model", "leave it out", measured.place);
    prepared_.shown.push_back(std::move(shown));
  }
  Prepared finished() && { return std::move(prepared_); }

 private:
  Schedule of_pair(const MeasuredPoint& measured, CalibratedPoint& shown) const {
    Schedule schedule =
        placed([&] { return measured.place; },
               [&] { return transfer_of(*measured.pair, measured.point.bytes, machine_); });
    shown.name = pair_name(schedule);
    shown.ranks = 2;
    return schedule;
  }

  Schedule of_point(const MeasuredPoint& measured, CalibratedPoint& shown) const {
    const Point& point = measured.point;
    at_field(point, "strategy", [&] { require_strategy_name(point.strategy); });
    if (choices().find(point.strategy) != nullptr)
      throw InputError(fmt::format("\"{}\" does not say what ran", point.strategy),
                       "name the strategy that did", point.place("strategy"));
    const Setting setting = setting_of(point, settings_.run);
    refuse_other_ranks(measured, setting.collective.ranks);
    PointSchedule planned = schedule_of(point, setting, settings_.run);
    if (settings_.run.check && !planned.proved)
      prove(planned.schedule, point.strategy, settings_.run.watch);
    shown.name = strategy_name(planned, point);
    shown.ranks = setting.collective.ranks;
    return std::move(planned.schedule);
  }

  const Topology& machine_;
  const CalibrationSettings& settings_;
  Prepared prepared_;
  std::uint64_t held_ = 0;
};

std::vector<bool> held_out_of(const std::vector<MeasuredPoint>& points, int every) {
  std::vector<SizedPoint> sized;
  for (const MeasuredPoint& point : points) sized.push_back({point.series, point.point.bytes});
  return held_out(sized, every);
}

// --- What is told of it

void note_unfit_test(Calibration& calibration) {
  if (calibration.hold_out > 0 && calibration.error(true).points == 0)
    calibration.notes.push_back(fmt::format(
        "nothing is held out: that takes {} sizes of a series or more", calibration.hold_out + 1));
}

void note_bounds(Calibration& calibration) {
  constexpr double kNear = 0.01;
  if (calibration.error(false).mean < kNear) return;
  for (const FittedFigure& fitted : calibration.figures)
    if (fitted.kept.empty() && fitted.figure.kind == FigureKind::bandwidth &&
        fitted.figure.value == fitted.figure.most)
      calibration.notes.push_back(
          fmt::format("the {} ends at the line rate: what was measured may be faster, as another "
                      "strategy or more rings are, or --above-line be needed",
                      fitted.figure.name()));
}

// A schedule whose cuts follow the machine's figures is another one on the machine that is written.
void note_other_schedules(const std::vector<MeasuredPoint>& points, const Prepared& prepared,
                          Calibration& calibration, const RunSettings& settings) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].pair) continue;
    Setting setting = setting_of(points[i].point, settings);
    setting.machine = calibration.machine;
    MeasuredSchedule anew = prepared.schedules[i];
    anew.schedule = schedule_of(points[i].point, setting, settings).schedule;
    const Time time = simulated_time(anew, calibration.machine,
                                     {.watch = settings.watch, .memory = settings.memory});
    if (time == calibration.points[i].simulated) continue;
    calibration.notes.push_back(fmt::format(
        "{}, {}: what it chooses by the machine's figures is kept as on the old ones; on the new "
        "ones it chooses otherwise, and takes {}",
        calibration.points[i].name, to_string(calibration.points[i].bytes), to_string(time)));
    return;
  }
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string provenance(const Calibration& calibration, const std::vector<MeasuredFile>& files) {
  std::vector<std::string> fitted;
  for (const FittedFigure& figure : calibration.figures)
    if (figure.kept.empty()) fitted.push_back(figure.figure.name());
  std::vector<std::string> names;
  for (const MeasuredFile& file : files)
    names.push_back(std::filesystem::path(file.name).filename().string());
  const CalibrationError seen = calibration.error(false);
  const CalibrationError unseen = calibration.error(true);
  std::string text =
      fmt::format("calibrated: {} fitted to {} of {}, mean error {:.2f} %", joined(fitted),
                  counted(seen.points, "point"), joined(names), seen.mean * 100);
  if (unseen.points > 0)
    text += fmt::format(", {:.2f} % on {} held out", unseen.mean * 100, unseen.points);
  return text;
}

void require_figures(const Topology& machine, const CalibrationSettings& settings) {
  const std::vector<Figure> all = figures_of(machine, settings.grouping, settings.lines);
  for (const FigureKind kind : settings.kinds)
    if (std::none_of(all.begin(), all.end(), [&](const Figure& f) { return f.kind == kind; }))
      throw InputError(
          fmt::format("no node of {} has a {} bandwidth", machine.name(), to_string(kind)),
          "leave it out, or give it one to begin with", "--fit");
}

void require_test(const Prepared& prepared, const CalibrationSettings& settings) {
  if (settings.tolerance &&
      std::none_of(prepared.shown.begin(), prepared.shown.end(),
                   [](const CalibratedPoint& point) { return point.held_out; }))
    throw InputError("nothing is held out that could be within it",
                     "give more sizes, or leave --expect out", "--expect");
}

}  // namespace

Calibration calibrate(const std::vector<MeasuredFile>& files, const TableTerms& terms,
                      const CalibrationSettings& settings) {
  const Topology machine = machine_of(terms.point, settings.run);
  require_figures(machine, settings);
  MeasuredPoints measured = read_measured(files, terms);
  const std::vector<bool> held = held_out_of(measured.points, settings.hold_out);
  Preparing preparing(machine, settings);
  for (std::size_t i = 0; i < held.size(); ++i) preparing.add(measured.points[i], held[i]);
  Prepared prepared = std::move(preparing).finished();
  require_test(prepared, settings);
  Fit fitted = placed([&] { return files.front().name; },
                      [&] {
                        return fit(machine, prepared.schedules,
                                   {settings.kinds, settings.grouping, settings.lines,
                                    settings.run.watch, settings.run.memory});
                      });
  Calibration calibration{std::move(fitted.machine), std::move(fitted.figures), prepared.shown,
                          settings.hold_out,         std::move(measured.notes), settings.tolerance};
  for (std::size_t i = 0; i < held.size(); ++i)
    calibration.points[i].simulated = fitted.simulated[i];
  note_unfit_test(calibration);
  note_bounds(calibration);
  note_other_schedules(measured.points, prepared, calibration, settings.run);
  Topology::Parts parts = calibration.machine.parts();
  parts.source += (parts.source.empty() ? "" : "; ") + provenance(calibration, files);
  calibration.machine = Topology(std::move(parts));
  return calibration;
}

}  // namespace syncsim
