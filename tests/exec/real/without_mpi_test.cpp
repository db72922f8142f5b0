// What real runs by processes say and do without MPI.

#include <doctest/doctest.h>

#include "sim/exec/processes/patience.h"
#include "sim/exec/processes/saying.h"
#include "sim/exec/real/real_executor.h"
#include "tests/support/machines.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::without_mpi_test {

TEST_CASE("the executor that a build without MPI has says what to install") {
  CHECK(refusal_of([] { refuse_without_mpi({}, Topology(star(1)), {}); }) ==
        "--executor: this syncsim was built without MPI; install MPI (Debian: libopenmpi-dev "
        "openmpi-bin) and build it again");
}

TEST_CASE("an error of all is told without ranks, others once behind those whose they are") {
  using State = Saying::State;
  const Saying good;
  const Saying bad{.state = State::failed, .error = "no such file"};
  const Saying other{.state = State::failed, .error = "no memory"};
  CHECK(joint_text({bad, bad}) == "no such file");
  CHECK(joint_text({good, good, bad}) == "on rank 2: no such file");
  CHECK(joint_text({bad, other, bad}) == "on ranks 0, 2: no such file\non rank 1: no memory");
}

TEST_CASE("whoever waits hears of an interrupt, and does not sleep beyond what is due") {
  struct Stop : Watch {
    bool goes_on(const Progress&) override { return false; }
  } stop;
  Patience stopped(&stop);
  CHECK_THROWS_AS(stopped.wait([] { return false; }), Interrupted);
  Patience patience(nullptr);
  const auto due = Patience::Clock::now() + std::chrono::milliseconds(1);
  patience.wait([&] { return Patience::Clock::now() >= due; });
  patience.rest(due);  // gone by: it is back at once
  CHECK(Patience::Clock::now() < due + std::chrono::seconds(10));
}

}  // namespace syncsim::testing::without_mpi_test
