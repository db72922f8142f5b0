#include "sim/exec/mpi/mpi_run.h"

#include <algorithm>
#include <utility>

#include "sim/base/memory.h"
#include "sim/exec/mpi/common_clock.h"
#include "sim/exec/mpi/together.h"
#include "sim/exec/processes/saying.h"
#include "sim/schedule/lane_order.h"

namespace syncsim {

// What a process says of an iteration that has ended.
struct MpiRun::Ended {
  std::int64_t began = 0;     // ns, of the common clock
  std::int64_t finished = 0;  // ps after that
  std::int32_t is_wrong = 0;
  std::uint32_t buffer = 0;
  std::int64_t element = 0;
  std::int64_t expected = 0;
  std::int64_t found = 0;
};

MpiRun::MpiRun(const Schedule& schedule, const RealOptions& options, const MpiSession& session)
    : schedule_(schedule),
      options_(options),
      session_(session),
      self_(static_cast<ParticipantId>(session.rank())),
      data_(schedule),
      extents_(schedule, data_, {}, self_),
      part_(schedule, self_),
      library_(options.library ? MpiLibrary(schedule) : MpiLibrary()),
      patience_(options.watch) {}

std::uint64_t MpiRun::needed_bytes() const {
  const auto iterations = static_cast<std::uint64_t>(options_.iterations) + 1;
  return RunData::needed_bytes(schedule_) + extents_.total() +
         OwnPart::needed_bytes(schedule_, self_) + MpiCourier::needed_bytes(part_) +
         library_.needed_bytes() +
         capped_product(capped_product(part_.ops.size(), sizeof(OpTimes)), iterations) +
         capped_product(schedule_.ops.size(), 2 * sizeof(OpTimes) + sizeof(OpId));
}

void MpiRun::allocate() {
  memory_ = std::make_unique<HostMemory>(schedule_, data_, extents_);
  mover_ = std::make_unique<HostMover>(schedule_, data_, *memory_);
  library_.allocate();
}

Measurement MpiRun::measure() {
  courier_ = std::make_unique<MpiCourier>(schedule_, part_, *memory_, *mover_, data_.type());
  courier_->greet(patience_);
  offset_ = clock_offset(session_, patience_);
  Measurement measurement;
  measurement.workers = processes_text(schedule_.participants.size());
  for (int i = 0; i < options_.warmup + options_.iterations && !measurement.wrong; ++i)
    run_once(measurement, i >= options_.warmup);
  measurement.timeline = merged(median_of(measurement.times));
  if (library_) time_library(measurement);
  if (!library_.note().empty()) measurement.notes.push_back(library_.note());
  return measurement;
}

MpiRun::Nanoseconds MpiRun::common(std::chrono::steady_clock::time_point at) const {
  return std::chrono::duration_cast<Nanoseconds>(at.time_since_epoch()) - offset_;
}

void MpiRun::run_once(Measurement& measurement, bool timed) {
  memory_->reset();
  barrier(patience_);
  courier_->run(patience_);
  const Ended own = ended();
  const std::vector<Ended> all = gathered(own, patience_);
  std::int64_t began = own.began;
  for (const Ended& each : all) began = std::min(began, each.began);
  Time finish;
  for (const Ended& each : all)
    if (each.finished > 0)
      finish = std::max(finish, Time{(each.began - began) * 1'000 + each.finished});
  measurement.wrong = first_wrong(all);
  if (!timed && !measurement.wrong) return;
  measurement.times.push_back(finish);
  keep({(own.began - began) * 1'000});
}

MpiRun::Ended MpiRun::ended() const {
  Ended own{.began = common(courier_->began()).count()};
  for (std::size_t i = 0; i < part_.ops.size(); ++i)
    if (part_.ops[i].role != Role::sends)
      own.finished = std::max(own.finished, courier_->times()[i].finish.ps);
  if (self_ >= schedule_.ranks) return own;
  const auto wrong =
      data_.first_wrong_of(self_, [&](const CellPlace& cell) { return memory_->at(cell); });
  if (!wrong) return own;
  own.is_wrong = 1;
  while (schedule_.buffers[own.buffer].name != wrong->buffer) ++own.buffer;
  own.element = wrong->element;
  own.expected = wrong->expected;
  own.found = wrong->found;
  return own;
}

std::optional<WrongElement> MpiRun::first_wrong(const std::vector<Ended>& all) const {
  for (ParticipantId rank = 0; rank < schedule_.ranks; ++rank)
    if (const Ended& own = all[rank]; own.is_wrong != 0)
      return WrongElement{rank, schedule_.buffers[own.buffer].name, own.element, own.expected,
                          own.found};
  return {};
}

void MpiRun::keep(Time after) {
  kept_.push_back(courier_->times());
  for (OpTimes& times : kept_.back()) {
    times.ready += after;
    times.start += after;
    times.finish += after;
  }
}

// The source says when an op is ready and starts, the destination when it is finished. Its first
// byte leaves after the last one of the op before it on its lane.
Timeline MpiRun::merged(std::size_t iteration) {
  constexpr std::size_t kFigures = 3;
  std::vector<std::int64_t> figures(kFigures * schedule_.ops.size());
  for (std::size_t i = 0; i < part_.ops.size(); ++i) {
    std::int64_t* const own = figures.data() + kFigures * part_.ops[i].op;
    const OpTimes& times = kept_[iteration][i];
    if (part_.ops[i].role != Role::receives) own[0] = times.ready.ps, own[1] = times.start.ps;
    if (part_.ops[i].role != Role::sends) own[2] = times.finish.ps;
  }
  take_largest(figures, patience_);
  const LargeVector<OpId> next_in_lane = next_in_lanes(schedule_);
  Timeline timeline;
  timeline.ops_done = schedule_.ops.size();
  timeline.ops.resize(schedule_.ops.size());
  for (OpId op = 0; op < timeline.ops.size(); ++op) {
    const std::int64_t* const own = figures.data() + kFigures * op;
    OpTimes& times = timeline.ops[op];  // its start may hold the finish of the one before
    times.finish = {own[2]};
    times.start = std::min(std::max(times.start, Time{own[1]}), times.finish);
    times.ready = std::min(Time{own[0]}, times.start);
    if (const OpId next = next_in_lane[op]; next != kNone) timeline.ops[next].start = times.finish;
    timeline.finish = std::max(timeline.finish, times.finish);
  }
  return timeline;
}

void MpiRun::time_library(Measurement& measurement) {
  const bool is_rank = self_ < schedule_.ranks;
  MPI_Comm ranks = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, is_rank ? 0 : MPI_UNDEFINED, session_.rank(), &ranks);
  LibraryRun run{library_.name(), {}};
  for (int i = 0; i < options_.warmup + options_.iterations; ++i) {
    barrier(patience_);
    Ended own{.began = common(std::chrono::steady_clock::now()).count()};
    if (is_rank) library_.call(ranks);
    own.finished = common(std::chrono::steady_clock::now()).count();
    const std::vector<Ended> all = gathered(own, patience_);
    std::int64_t began = all[0].began;
    std::int64_t finished = all[0].finished;
    for (ParticipantId rank = 1; rank < schedule_.ranks; ++rank) {
      began = std::min(began, all[rank].began);
      finished = std::max(finished, all[rank].finished);
    }
    if (i >= options_.warmup) run.times.push_back({(finished - began) * 1'000});
  }
  if (is_rank) MPI_Comm_free(&ranks);
  measurement.library = std::move(run);
}

}  // namespace syncsim
