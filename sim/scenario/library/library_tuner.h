#pragma once
// A library's tuner for one collective among some ranks of a machine: what it runs for a call, the
// strategy that is the same schedule, and what the call takes on top of the engine's time. One for
// runs (`run --library`) and for expectations (`predict`, `figures`, `validate`).

#include <optional>
#include <span>
#include <string>

#include "sim/exec/cost_model/cost_model.h"
#include "sim/report/library_call.h"
#include "sim/scenario/library/library_strategy.h"

namespace syncsim {

class LibraryTuner {
 public:
  // Keeps the machine by reference. `rates`: topologies/rates. Throws InputError, without a place,
  // where the library's model does not apply: gpus without architecture, nodes that nothing joins.
  LibraryTuner(const Topology& machine, std::span<const NodeId> ranks, const Collective& collective,
               const LibraryTerms& terms, const std::string& rates);

  const CostModel& costs() const { return costs_; }
  int channels() const { return formula_.graph().channels; }

  // Cheapest of all algorithms, or of one; of a strategy in their place, as a ring's. Throws
  // InputError as plan_of.
  LibraryPlan plan(Bytes bytes, std::optional<NcclAlgorithm> only = std::nullopt) const;
  LibraryStrategy strategy(const LibraryPlan& plan, Bytes bytes) const;
  // us of a call whose transfers take `device` us.
  double microseconds(const LibraryPlan& plan, double device) const;
  LibraryCall call(const LibraryPlan& plan) const;

 private:
  // A strategy in place of the library's own choice; empty: none.
  std::string schedule() const;

  Collective collective_;
  NcclFormula formula_;
  CostModel costs_;
};

}  // namespace syncsim
