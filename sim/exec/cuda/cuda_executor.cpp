// Runs a schedule, or NCCL's collective in its place, on this machine's GPUs.

#include <fmt/format.h>

#include <utility>

#include "sim/base/error.h"
#include "sim/exec/cuda/cuda_executors.h"
#include "sim/exec/cuda/graph_runner.h"
#include "sim/exec/cuda/nccl_call.h"

namespace syncsim {
namespace {

std::string library_name(const Schedule& schedule) {
  return fmt::format("{} of {}", nccl_function(schedule.collectives.front().collective.kind),
                     nccl_version());
}

// The same by NCCL; where it cannot, a note says why.
void set_beside_nccl(const Schedule& schedule, const RealOptions& options, const CudaFacts& facts,
                     Measurement& measurement) {
  try {
    Measurement run = measure_collective(schedule, options, facts, make_nccl_runner);
    if (run.wrong)
      measurement.notes.push_back("no figure by NCCL: its data is wrong, " + run.wrong->text());
    else
      measurement.library = LibraryRun{library_name(schedule), std::move(run.times)};
  } catch (const InputError& error) {
    measurement.notes.push_back("no figure by NCCL: " + error.wrong());
  }
}

CudaFacts found_devices() {
  return placed([] { return "--executor"; }, cuda_facts);
}

}  // namespace

Measurement measure_on_cuda(const Schedule& schedule, const Topology&, const RealOptions& options) {
  const CudaFacts facts = found_devices();
  Measurement measurement = measure_planned(schedule, options, facts, make_cuda_runner);
  set_beside_nccl(schedule, options, facts, measurement);
  return measurement;
}

Measurement measure_with_nccl(const Schedule& schedule, const Topology&,
                              const RealOptions& options) {
  const CudaFacts facts = found_devices();
  Measurement measurement = measure_collective(schedule, options, facts, make_nccl_runner);
  measurement.notes.push_back("by " + library_name(schedule) +
                              "; the strategy's ops played no part");
  return measurement;
}

}  // namespace syncsim
