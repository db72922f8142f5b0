#pragma once
// What draws runs: it is told of rates while a run goes on, and of the rest when it is done.

#include <span>
#include <utility>
#include <vector>

#include "sim/exec/rate_follower.h"
#include "sim/report/report.h"
#include "sim/topology/link_events.h"
#include "sim/workload/step_parts.h"

namespace syncsim {

class RunDrawing : public RateWatch {
 public:
  virtual void begin_point(const Topology& machine, Rates rates,
                           std::span<const LinkChange> changes) = 0;
  // Of training steps, before the end: what its ops are called. Valid until then.
  virtual void name_ops(const StepNames&) {}
  virtual void end_point(const Report& report, const Topology& machine, const Schedule& schedule,
                         const Timeline& timeline) = 0;
};

// Several at once.
class RunDrawings : public RunDrawing {
 public:
  void add(RunDrawing& drawing) { drawings_.push_back(&drawing); }

  void begin_point(const Topology& machine, Rates rates,
                   std::span<const LinkChange> changes) override {
    for (RunDrawing* drawing : drawings_) drawing->begin_point(machine, rates, changes);
  }
  void carries(std::uint32_t resource, double rate, Time from) override {
    for (RunDrawing* drawing : drawings_) drawing->carries(resource, rate, from);
  }
  void name_ops(const StepNames& names) override {
    for (RunDrawing* drawing : drawings_) drawing->name_ops(names);
  }
  void end_point(const Report& report, const Topology& machine, const Schedule& schedule,
                 const Timeline& timeline) override {
    for (RunDrawing* drawing : drawings_) drawing->end_point(report, machine, schedule, timeline);
  }

 private:
  std::vector<RunDrawing*> drawings_;
};

}  // namespace syncsim
