#pragma once
// What a run says: time, bandwidths, bound, phases, links, critical path. A value that the formats
// write down. algbw = bytes / time; busbw = algbw x busbw_factor (nccl-tests); neither is the rate
// of a wire, so the busiest link's true rate stands beside them. Where the time is 0 (nothing had
// to move) bandwidths are 0 and efficiency is 1.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/analysis/bounds.h"
#include "sim/report/choice.h"
#include "sim/report/explanation.h"
#include "sim/report/library_call.h"
#include "sim/report/step_report.h"
#include "sim/schedule/reduction.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/timeline.h"
#include "sim/topology/link_events.h"
#include "sim/topology/resources.h"
#include "sim/topology/topology.h"

namespace syncsim {

// A phase runs from its first start to its last finish.
struct PhaseReport {
  std::string name;
  Time start;
  Time finish;
  Time time() const { return finish - start; }
};

// What one participant sends another, over a link or another capacity.
struct LinkFlow {
  std::string from;  // node names
  std::string to;
  double bytes = 0;  // times what the route takes of the capacity
  std::uint64_t transfers = 0;

  std::string pair() const { return from + ">" + to; }
};

struct LinkReport {
  std::string link;       // the cable: "gpu0-switch0"; of a node's own capacity its id
  std::string direction;  // "gpu0>switch0"; of a half-duplex cable "both"; "transit" or "reduce"
  double bytes = 0;
  double capacity = 0;     // bytes/s; where events change it, averaged over the run
  double rate = 0;         // bytes/s, averaged over the run
  double utilization = 0;  // bytes / (capacity x time)
  Time busy;
  Time saturated;
  ResourceId resource = 0;
  double peak = 0;              // bytes/s, its highest rate; 0 where rates were not followed
  std::vector<LinkFlow> flows;  // those with most bytes first; empty unless they are added

  std::uint64_t transfers() const;
  // What a table calls it: the direction, the cable where both share one capacity, "cpu0:transit".
  std::string label() const;
};

// One op of the critical path: it began when the one before it let it.
struct CriticalOp {
  OpId op = 0;
  std::string kind;  // copy, reduce, signal, compute, join
  std::string from;  // node names
  std::string to;
  int channel = 0;
  std::string phase;
  Bytes bytes;
  Time start;
  Time finish;
};

// "copy", "reduce", "signal", "compute", "join".
std::string kind_of(const Schedule& schedule, const Op& op);

// What an event does to a link, at the rates of the run.
struct EventReport {
  Time at;
  std::string link;      // its direction, or the cable where both share one capacity
  double bandwidth = 0;  // bytes/s
};

// What was asked, as it is printed back.
struct RunFacts {
  std::string name;  // of the point, may be empty
  std::string topology;
  std::vector<std::string> edits;
  std::string strategy;
  std::map<std::string, std::string> parameters;  // all of them
  std::map<std::string, std::string> changed;     // those that differ from the default
  Collective collective;
  std::string executor;
  Rates rates = Rates::line;
  std::string scenario = {};    // its name, may be empty
  std::vector<int> ranks = {};  // of the machine's, in order; empty: all
  Time overhead = {};
  std::uint32_t seed = 0;
  bool checked = true;  // the schedule was proved
  // Flows beside the collective, in links and times but not in the lower bound; "": none.
  std::string background = {};
  std::uint64_t background_flows = 0;
  std::vector<std::string> events = {};   // as written
  std::vector<EventReport> changes = {};  // what they come to, in order of time
  Reduction reduction = Reduction::on_arrival;
  std::map<int, Time> start = {};     // of ranks that come late
  std::optional<LibraryCall> library = {};  // of a run at a library's costs
  std::optional<Choice> choice = {};  // what ran, where the strategy asked for is a choice

  // "ring chunks=8": the strategy and what differs from its defaults; "auto: ring chunks=8".
  std::string strategy_text() const;
  // "rank 3 at 5 ms, rank 4 at 1 ms", or "" where none is late.
  std::string start_text() const;
};

struct Report {
  RunFacts facts;
  Time time;
  double algbw = 0;  // bytes/s
  double busbw = 0;
  LowerBound bound;
  double efficiency = 1;  // bound / time
  std::vector<PhaseReport> phases;
  std::vector<LinkReport> links;          // every direction, in the machine's order
  std::vector<CriticalOp> critical_path;  // empty unless it is added
  std::uint64_t ops = 0;
  std::vector<std::string> notes;               // the schedule's
  std::optional<Explanation> explanation = {};  // where it is asked for
  // Of training steps: `time` is a step's, the bound what no step can beat, and the collective all
  // gradients; links and phases are of the whole run.
  std::optional<StepReport> step = {};

  // The one with the highest utilization, or nullptr when none carried anything.
  const LinkReport* busiest_link() const;
};

// Every direction, in the machine's order; rates are averages over `time`.
std::vector<LinkReport> link_reports(const Topology& topology,
                                     std::span<const ResourceTotals> totals, Rates rates,
                                     Time time);
// The one with the highest utilization, or nullptr when none carried anything.
const LinkReport* busiest_of(std::span<const LinkReport> links);

std::vector<EventReport> event_reports(const Topology& topology,
                                       std::span<const LinkChange> changes, Rates rates);

Report make_report(RunFacts facts, const Topology& topology, const Schedule& schedule,
                   const Timeline& timeline, const LowerBound& bound);
// Sets the time, with what follows from it and from the bound.
void set_time(Report& report, Time time, const LowerBound& bound);
void add_critical_path(Report& report, const Topology& topology, const Schedule& schedule,
                       const Timeline& timeline);

}  // namespace syncsim
