// Sweeps on the ranks that mpirun starts, here all on one machine.

#include <doctest/doctest.h>

#include "tests/cli/ranks.h"
#include "tests/cli/refusals.h"
#include "tests/cli/sweeps.h"

namespace syncsim::testing::sweep_mpi_test {

#ifdef SYNCSIM_MPIRUN

namespace {

Outcome on_four_ranks(const Arguments& arguments, const TemporaryFolder& folder) {
  return on_ranks(4, arguments, folder.path());
}

}  // namespace

TEST_CASE("under mpirun a sweep writes the same rows") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  const Outcome ranks = on_four_ranks({"sweep", "s.json", "--out", "rows.csv"}, folder);
  CHECK(ranks.exit_code == 0);
  CHECK(ranks.out == "");
  const Outcome serial = syncsim({"sweep", "s.json", "--jobs", "1"}, folder.path());
  CHECK(read_text(folder.path() + "/rows.csv") == serial.out);
}

TEST_CASE("under mpirun what is refused is refused by one of the ranks") {
  const TemporaryFolder folder;
  const Outcome none = on_four_ranks({"sweep", "no.json"}, folder);
  CHECK(none.exit_code == 2);
  const std::string message = "syncsim: no.json: there is no such file; check the path\n";
  CHECK(none.err.find(message) != none.err.npos);
  CHECK(none.err.find(message, none.err.find(message) + 1) == none.err.npos);
}

TEST_CASE("under mpirun what is wrong is said once, by whatever it is found") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  for (const Arguments& wrong :
       {Arguments{"sweep", "s.json", "--format", "xml"}, Arguments{"sweep", "s.json", "--no-such"},
        Arguments{"swep"}, Arguments{"sweep", "s.json", "--memory", "much"},
        Arguments{"sweep", "s.json", "--jobs", "2"}}) {
    const Outcome outcome = on_four_ranks(wrong, folder);
    CHECK(outcome.exit_code == 2);
    const auto said = outcome.err.find("syncsim: ");
    REQUIRE(said != outcome.err.npos);
    CHECK(outcome.err.find("syncsim: ", said + 1) == outcome.err.npos);
  }
}

TEST_CASE("what is wrong on another rank alone is said by that one") {
  const TemporaryFolder folder;
  const Outcome outcome =
      on_ranks(2, "[ $OMPI_COMM_WORLD_RANK = 0 ] || set -- bad", "list kinds $1", folder.path());
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find("syncsim: on rank 1: ") != outcome.err.npos);
}

TEST_CASE("a rank that finds no scenario says so and ends the others") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  folder.write("elsewhere/x", "");
  const Outcome outcome = on_ranks(4, "[ $OMPI_COMM_WORLD_RANK != 2 ] || cd elsewhere",
                                   "sweep s.json --out rows.csv", folder.path());
  CHECK(outcome.exit_code != 0);
  CHECK(outcome.err.find("syncsim: on rank 2: s.json: there is no such file; check the path\n") !=
        outcome.err.npos);
}

TEST_CASE("a rank that is killed ends the sweep with what is done, and --resume goes on") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  const std::string rows = folder.path() + "/rows.csv";
  Child mpirun(folder, {"sweep", "s.json", "--out", "rows.csv"}, {}, "/dev/null", ranks(4));
  mpirun.wait_until([&] { return has_lines(rows, 2); });
  const pid_t victim = process_of_rank(mpirun.process(), 2);
  REQUIRE(victim != 0);
  kill(victim, SIGKILL);
  CHECK(mpirun.exit_code() != 0);
  CHECK(lines_of(read_text(rows)).size() >= 2);
  CHECK(syncsim({"sweep", "s.json", "--out", "rows.csv", "--resume"}, folder.path()).exit_code ==
        0);
  const Outcome serial = syncsim({"sweep", "s.json", "--jobs", "1"}, folder.path());
  CHECK(read_text(rows) == serial.out);
}

#else

TEST_CASE("a build without MPI says so when mpirun starts several") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  check_refused(
      run_program({"/usr/bin/env", "OMPI_COMM_WORLD_SIZE=4", SYNCSIM_BINARY, "sweep", "s.json"},
                  folder.path()),
      "mpirun started several of this program, which was built without MPI; install "
      "libopenmpi-dev and build it again, or start one with --jobs");
}

#endif

}  // namespace syncsim::testing::sweep_mpi_test
