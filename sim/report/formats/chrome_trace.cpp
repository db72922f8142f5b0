#include "sim/report/formats/chrome_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "sim/exec/engine_resources.h"
#include "sim/exec/op_routes.h"
#include "sim/report/arrows.h"
#include "sim/report/formats/figures.h"
#include "sim/report/formats/trace_text.h"
#include "sim/workload/training_step.h"

namespace syncsim {
namespace {

constexpr std::uint32_t kRunProcess = 0;  // all from the point's first
constexpr std::uint32_t kLinksProcess = 1;
constexpr std::uint32_t kParticipants = 2;

// The participant at which an op is drawn, and the other end.
ParticipantId home_of(const Op& op) {
  return is_group(op.destination) ? op.source : op.destination;
}
ParticipantId far_end(const Op& op) {
  return is_group(op.destination) ? op.destination : op.source;
}

std::string chunks_of(const Schedule& schedule, const Op& op) {
  const std::string buffer =
      op.destination_buffer == 0 ? "" : schedule.buffers[op.destination_buffer].name + " ";
  if (op.chunk_count == 1) return fmt::format("{}chunk {}", buffer, op.destination_chunk);
  return fmt::format("{}chunks {}-{}", buffer, op.destination_chunk,
                     op.destination_chunk + op.chunk_count - 1);
}

// "reduce chunk 3 from gpu1".
std::string name_of(const Schedule& schedule, const Op& op) {
  if (op.kind == OpKind::compute) return "compute";
  const bool moves = schedule.moves_data(op);
  std::string what = op.kind == OpKind::reduce ? "reduce " : moves ? "copy " : "signal";
  if (moves) what += chunks_of(schedule, op);
  if (op.source == op.destination) return what + " in place";
  return fmt::format("{} {} {}", what, is_group(op.destination) ? "to" : "from",
                     nodes_of(schedule, far_end(op)));
}

std::string route_text(const Topology& machine, const Route& route) {
  constexpr std::size_t kMostLinks = 4;
  std::vector<std::string_view> names;
  for (const LinkId link : std::span(route.links).first(std::min(kMostLinks, route.links.size())))
    names.push_back(machine.links()[link].name);
  const std::size_t more = route.links.size() - names.size();
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

// What an op's slice says beside its name.
std::string arguments_of(const Schedule& schedule, OpId id, const OpTimes& times,
                         const std::string& route) {
  const Op& op = schedule.ops[id];
  const Bytes bytes = schedule.bytes(op);
  const double took = seconds(times.finish - times.start);
  const double rate = took > 0 ? static_cast<double>(bytes.count) / took : 0;
  return fmt::format(
      R"({{"op":{},"bytes":{},"chunk":{},"chunks":{},"rate_GBps":{},"phase":{},"waited_us":{},)"
      R"("route":{}}})",
      id, bytes.count, op.destination_chunk, op.chunk_count, figures::gigabytes(rate),
      trace::quoted(schedule.phases[op.phase]), trace::time(times.start - times.ready),
      trace::quoted(route));
}

}  // namespace

ChromeTrace::ChromeTrace(std::ostream& out, Points points, MemoryLimit memory)
    : out_(out), points_(points), memory_(std::move(memory)) {
  out_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
}

void ChromeTrace::write(std::string_view event) {
  out_ << (std::exchange(empty_, false) ? "\n" : ",\n") << event;
}

void ChromeTrace::finish() { out_ << "\n]}\n"; }

void ChromeTrace::begin_point(const Topology& machine, Rates rates,
                              std::span<const LinkChange> changes) {
  const Resources resources(machine, rates);
  counters_.clear();
  for (const Resource& resource : resources.all())
    counters_.push_back(trace::quoted(resource.name));
  capacities_ = capacities_of(resources);
  changes_ = capacity_changes(changes, resources, rates);
  next_change_ = 0;
}

void ChromeTrace::carries(std::uint32_t resource, double rate, Time from) {
  for (; next_change_ < changes_.size() && changes_[next_change_].time <= from.ps; ++next_change_)
    capacities_[changes_[next_change_].resource] = changes_[next_change_].capacity;
  write(trace::counter(first_process_ + kLinksProcess, counters_[resource], from, rate,
                       capacities_[resource]));
}

// Of one point, after its run.
class ChromeTrace::Drawing {
 public:
  Drawing(ChromeTrace& trace, const Report& report, const Topology& machine,
          const Schedule& schedule, const Timeline& timeline)
      : trace_(trace),
        report_(report),
        machine_(machine),
        schedule_(schedule),
        timeline_(timeline),
        resources_(machine, report.facts.rates),
        routes_(schedule, machine, resources_, report.facts.seed),
        arrows_(schedule, timeline),
        names_(trace.names_),
        track_of_(schedule.ops.size()) {}

  void draw() {
    name_processes();
    draw_phases();
    draw_critical_path();
    if (names_ != nullptr) add_compute_tracks();
    std::vector<OpId> order(schedule_.ops.size());
    std::iota(order.begin(), order.end(), OpId{0});
    std::stable_sort(order.begin(), order.end(), [&](OpId a, OpId b) {
      return timeline_.ops[a].start < timeline_.ops[b].start;
    });
    for (const OpId op : order)
      if (schedule_.ops[op].kind != OpKind::join) place(op);
    for (const OpId op : order)
      if (schedule_.ops[op].kind != OpKind::join) draw(op);
  }

 private:
  // Of slices that do not overlap.
  struct Row {
    std::uint32_t thread = 0;
    Time free_at;
  };

  std::uint32_t process(std::uint32_t number) const { return trace_.first_process_ + number; }

  void name_processes() {
    const std::string title = report_.facts.strategy_text() + ", " +
                              to_string(report_.facts.collective.bytes) + " on " +
                              report_.facts.topology;
    const std::string prefix = trace_.points_ == Points::several ? title + ": " : "";
    name(kRunProcess, "run: " + title);
    name(kLinksProcess, prefix + "links");
    for (std::size_t id = 0; id < schedule_.participants.size(); ++id)
      name(kParticipants + static_cast<std::uint32_t>(id), prefix + schedule_.participants[id]);
  }
  void name(std::uint32_t number, const std::string& name) {
    trace_.write(trace::process_name(process(number), name));
    trace_.write(trace::process_order(process(number)));
  }

  trace::Track new_track(std::uint32_t process, const std::string& name) {
    const trace::Track track{process, trace_.next_track_++};
    trace_.write(trace::thread_name(track, name));
    return track;
  }

  void draw_phases() {
    for (const PhaseReport& phase : report_.phases)
      trace_.write(trace::slice(new_track(process(kRunProcess), "phase " + phase.name), phase.name,
                                "phase", phase.start, phase.finish, "{}"));
  }

  void draw_critical_path() {
    if (report_.critical_path.empty()) return;
    const trace::Track track = new_track(process(kRunProcess), "critical path");
    for (const CriticalOp& op : report_.critical_path)
      trace_.write(trace::slice(track, critical_name(op), "critical", op.start, op.finish,
                                fmt::format(R"({{"op":{}}})", op.op)));
  }
  std::string critical_name(const CriticalOp& op) const {
    if (names_ == nullptr) return fmt::format("{} {}>{}", op.kind, op.from, op.to);
    if (schedule_.ops[op.op].kind == OpKind::compute)
      return fmt::format("{} on {}", names_->of(op.op), op.from);
    return fmt::format("{}: {} {}>{}", names_->of(op.op), op.kind, op.from, op.to);
  }

  void add_compute_tracks() {
    for (ParticipantId rank = 0; rank < schedule_.ranks; ++rank)
      rows_[{rank, kComputeChannel}].push_back(
          {new_track(process(kParticipants + rank), "compute").thread, {}});
  }

  // On the first row of its channel that is free.
  void place(OpId id) {
    const Op& op = schedule_.ops[id];
    const OpTimes& times = timeline_.ops[id];
    std::vector<Row>& rows = rows_[{home_of(op), op.channel}];
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const Row& each) { return each.free_at <= times.start; });
    if (row == rows.end()) {
      const std::string beside = rows.empty() ? "" : fmt::format(" ({})", rows.size() + 1);
      const trace::Track track = new_track(process(kParticipants + home_of(op)),
                                           fmt::format("channel {}{}", op.channel, beside));
      row = rows.insert(rows.end(), {track.thread, {}});
    }
    row->free_at = times.finish;
    track_of_[id] = row->thread;
  }

  trace::Track track(OpId op) const {
    return {process(kParticipants + home_of(schedule_.ops[op])), track_of_[op]};
  }

  void draw(OpId id) {
    const Op& op = schedule_.ops[id];
    const OpTimes& times = timeline_.ops[id];
    const std::string route = schedule_.moves_data(op) ? route_text(machine_, routes_.of(op)) : "";
    trace_.write(trace::slice(track(id), slice_name(id), schedule_.phases[op.phase], times.start,
                              times.finish, arguments_of(schedule_, id, times, route)));
    const auto crosses = [&](const Arrow& arrow) {
      return track_of_[arrow.from] != track_of_[arrow.to];
    };
    arrows_.to(id, [&](std::size_t number, const Arrow& arrow) {
      if (crosses(arrow))
        trace_.write(trace::arrow_end(track(id), first_arrow() + number, times.start));
    });
    const Time last{std::max(times.start.ps, times.finish.ps - 1)};  // within the slice
    arrows_.from(id, [&](std::size_t number, const Arrow& arrow) {
      if (crosses(arrow)) trace_.write(trace::arrow_start(track(id), first_arrow() + number, last));
    });
  }

  std::string slice_name(OpId id) const {
    const Op& op = schedule_.ops[id];
    if (names_ == nullptr) return name_of(schedule_, op);
    if (op.kind == OpKind::compute) return names_->of(id);
    return names_->of(id) + ": " + name_of(schedule_, op);
  }

  // Numbers of several points' arrows differ.
  std::uint64_t first_arrow() const { return std::uint64_t{trace_.first_process_} << 32; }

  ChromeTrace& trace_;
  const Report& report_;
  const Topology& machine_;
  const Schedule& schedule_;
  const Timeline& timeline_;
  Resources resources_;
  OpRoutes routes_;
  Arrows arrows_;
  const StepNames* names_;               // of training steps
  std::vector<std::uint32_t> track_of_;  // of each op
  std::map<std::pair<ParticipantId, std::uint16_t>, std::vector<Row>> rows_;
};

void ChromeTrace::end_point(const Report& report, const Topology& machine, const Schedule& schedule,
                            const Timeline& timeline) {
  constexpr std::uint64_t kPerOp = 16;
  constexpr std::uint64_t kPerArrow = 16;
  require_room(memory_, schedule.ops.size() * kPerOp + schedule.edges.size() * kPerArrow,
               "the trace", fmt::format("{} ops", rough_count(schedule.ops.size())),
               "leave out --trace");
  Drawing(*this, report, machine, schedule, timeline).draw();
  names_ = nullptr;
  first_process_ += kParticipants + static_cast<std::uint32_t>(schedule.participants.size());
}

}  // namespace syncsim
