// Sweeps on the ranks that mpirun starts, here all on one machine.

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/cli/refusals.h"
#include "tests/cli/sweeps.h"

namespace syncsim::testing {

#ifdef SYNCSIM_MPIRUN

namespace {

const Arguments kFourRanks = {SYNCSIM_MPIRUN, "--oversubscribe", "--allow-run-as-root", "-n", "4"};

Outcome on_four_ranks(const Arguments& arguments, const TemporaryFolder& folder) {
  return run_program(with(with(kFourRanks, {SYNCSIM_BINARY}), arguments), folder.path());
}

std::string first_line_with(const std::string& path, const std::string& begin, char end) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line, end);)
    if (line.starts_with(begin)) return line.substr(begin.size());
  return "";
}

// The process that mpirun started as this rank; 0: not there yet.
pid_t process_of_rank(pid_t mpirun, int rank) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string process = entry.path().filename();
    if (process.find_first_not_of("0123456789") != process.npos) continue;
    const std::string parent = first_line_with(entry.path() / "status", "PPid:\t", '\n');
    if (parent != std::to_string(mpirun)) continue;
    if (first_line_with(entry.path() / "environ", "OMPI_COMM_WORLD_RANK=", '\0') ==
        std::to_string(rank))
      return static_cast<pid_t>(std::stol(process));
  }
  return 0;
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

TEST_CASE("a rank that finds no scenario says so and ends the others") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  folder.write("elsewhere/x", "");
  const Outcome outcome = run_program(
      with(kFourRanks, {"/bin/sh", "-c",
                        "[ $OMPI_COMM_WORLD_RANK != 2 ] || cd elsewhere; exec " +
                            std::string(SYNCSIM_BINARY) + " sweep s.json --out rows.csv"}),
      folder.path());
  CHECK(outcome.exit_code != 0);
  CHECK(outcome.err.find("syncsim: on rank 2: s.json: there is no such file; check the path\n") !=
        outcome.err.npos);
}

TEST_CASE("a rank that is killed ends the sweep with what is done, and --resume goes on") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  const std::string rows = folder.path() + "/rows.csv";
  Child mpirun(folder, {"sweep", "s.json", "--out", "rows.csv"}, {}, "/dev/null", kFourRanks);
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

}  // namespace syncsim::testing
