#include "sim/cli/sweep/mpi_crew.h"

#include "sim/base/error.h"

#ifdef SYNCSIM_MPI
#include <fmt/format.h>

#include <cstring>
#include <iostream>
#include <thread>

#include "sim/base/quote.h"
#include "sim/cli/command.h"
#include "sim/cli/crew/bench.h"
#include "sim/cli/interrupt.h"
#include "sim/exec/mpi/mpi.h"
#endif

namespace syncsim::cli {

#ifndef SYNCSIM_MPI

std::unique_ptr<MpiCrew> mpi_crew() {
  throw InputError("mpirun started several of this program, which was built without MPI",
                   "install libopenmpi-dev and build it again, or start one with --jobs");
}

#else

namespace {

constexpr std::int64_t kNoMore = -1;
constexpr std::chrono::milliseconds kPatience{1};  // an MPI call that waits would keep a core busy

struct World {
  World() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &on_this_machine);
    MPI_Comm_free(&here);
  }
  int rank = 0;
  int size = 1;
  int on_this_machine = 1;
};

bool has_message() {
  int there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  return there != 0;
}

void send_number(std::int64_t number, int rank) {
  MPI_Send(&number, 1, MPI_INT64_T, rank, 0, MPI_COMM_WORLD);
}

// Once it is there; none: no more, or an interrupt came.
std::optional<std::size_t> receive_number() {
  while (!has_message()) {
    if (interrupting_signal() != 0) return std::nullopt;
    std::this_thread::sleep_for(kPatience);
  }
  std::int64_t number = kNoMore;
  MPI_Recv(&number, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (number == kNoMore) return std::nullopt;
  return static_cast<std::size_t>(number);
}

// The tag says the kind: number, then the row's text.
void send_outcome(const Outcome& outcome) {
  std::string message(sizeof outcome.number, '\0');
  std::memcpy(message.data(), &outcome.number, sizeof outcome.number);
  message += outcome.row;
  MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, 0,
           static_cast<int>(outcome.kind), MPI_COMM_WORLD);
}

struct Received {
  Outcome outcome;
  int from = 0;
};

Received receive_outcome() {
  MPI_Status status;
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  std::string message(static_cast<std::size_t>(size), '\0');
  MPI_Recv(message.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  Outcome outcome;
  std::memcpy(&outcome.number, message.data(), sizeof outcome.number);
  outcome.kind = static_cast<Outcome::Kind>(status.MPI_TAG);
  outcome.row = message.substr(sizeof outcome.number);
  return {std::move(outcome), status.MPI_SOURCE};
}

class InterruptWatch : public Watch {
 public:
  bool goes_on(const Progress&) override { return interrupting_signal() == 0; }
};

class Ranks : public MpiCrew {
 public:
  Ranks() {
    for (int rank = 1; leads() && rank < world_.size; ++rank) free_.push_back(rank);
  }
  // After an interrupt others may be gone, and MPI_Finalize would wait for them forever.
  ~Ranks() override {
    if (interrupting_signal() != 0) return;
    for (int rank = 1; leads() && rank < world_.size; ++rank) send_number(kNoMore, rank);
    MPI_Finalize();
  }

  bool leads() const override { return world_.rank == 0; }
  std::size_t hands() const override { return static_cast<std::size_t>(world_.on_this_machine); }

  void run(std::span<const std::size_t> numbers, const Work& work, Desk& desk) override {
    Bench bench(numbers);
    const Hands own(1, bench, work);
    while (!bench.is_over() && interrupting_signal() == 0) {
      hand_out(bench);
      for (Outcome& outcome : bench.outcomes(kPatience)) desk.take(std::move(outcome));
      while (has_message()) {
        Received received = receive_outcome();
        free_.push_back(received.from);
        bench.put(std::move(received.outcome));
      }
      desk.look();
    }
    // Before own work has ended: mpirun soon kills who does not end.
    if (interrupting_signal() != 0) desk.give_up();
  }

  void serve(const Work& work) override {
    InterruptWatch watch;
    try {
      while (const std::optional<std::size_t> number = receive_number())
        send_outcome(work(*number, watch));
    } catch (const InputError& error) {  // of this rank's machine alone: the first one would wait
      std::cerr << fmt::format("syncsim: on rank {}: {}\n", world_.rank, one_line(error.what()));
      MPI_Abort(MPI_COMM_WORLD, kBadInput);
    }
  }

 private:
  void hand_out(Bench& bench) {
    while (!free_.empty()) {
      const std::optional<std::size_t> number = bench.next();
      if (!number) return;
      send_number(static_cast<std::int64_t>(*number), free_.back());
      free_.pop_back();
    }
  }

  World world_;
  std::vector<int> free_;
};

}  // namespace

std::unique_ptr<MpiCrew> mpi_crew() { return std::make_unique<Ranks>(); }

#endif

}  // namespace syncsim::cli
