#include "sim/exec/mpi/common_clock.h"

#include <fstream>
#include <string>

#include "sim/base/hash.h"
#include "sim/exec/mpi/together.h"

namespace syncsim {
namespace {

using Nanoseconds = std::int64_t;

constexpr int kClockRounds = 12;

Nanoseconds now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// A round trip takes less than a nap, so nobody naps.
void send(Nanoseconds figure, int to) { MPI_Send(&figure, 1, MPI_INT64_T, to, 0, MPI_COMM_WORLD); }
Nanoseconds receive(int from) {
  Nanoseconds figure = 0;
  MPI_Recv(&figure, 1, MPI_INT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return figure;
}

Nanoseconds offset_of(int other) {
  Nanoseconds least = INT64_MAX;
  Nanoseconds offset = 0;
  for (int round = 0; round < kClockRounds; ++round) {
    const Nanoseconds asked = now();
    send(asked, other);
    const Nanoseconds theirs = receive(other);
    const Nanoseconds answered = now();
    if (answered - asked >= least) continue;
    least = answered - asked;
    offset = theirs - (asked + least / 2);
  }
  return offset;
}

Nanoseconds told_offset(Patience& patience) {
  patience.wait([] {  // for one's turn
    int there = 0;
    MPI_Iprobe(0, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    return there != 0;
  });
  for (int round = 0; round < kClockRounds; ++round) {
    receive(0);
    send(now(), 0);
  }
  return receive(0);
}

// Of the kernel since it was started; 0: not known.
std::uint64_t kernel() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  return id.empty() ? 0 : hashed(id);
}

}  // namespace

std::chrono::nanoseconds clock_offset(const MpiSession& session, Patience& patience) {
  const std::vector<std::uint64_t> kernels = gathered(kernel(), patience);
  const auto shares = [&](int other) {
    const std::uint64_t theirs = kernels[static_cast<std::size_t>(other)];
    return theirs != 0 && theirs == kernels[0];
  };
  if (!session.leads())
    return std::chrono::nanoseconds(shares(session.rank()) ? 0 : told_offset(patience));
  for (int other = 1; other < session.size(); ++other)
    if (!shares(other)) send(offset_of(other), other);
  return {};
}

}  // namespace syncsim
