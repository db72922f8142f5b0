// Real runs by the ranks that mpirun starts: one of them speaks for all, and what befalls one ends
// all.

#include <doctest/doctest.h>

#include "tests/cli/ranks.h"
#include "tests/cli/refusals.h"

namespace syncsim::testing::execute_mpi_test {

#ifdef SYNCSIM_MPIRUN

namespace {

const char* const kRing =
    "execute --executor mpi --topology pcie_4gpu --strategy ring --bytes 40kB";

Arguments by_mpi(const std::string& strategies, const Arguments& more) {
  return with({"execute", "--executor", "mpi", "--topology", "pcie_4gpu", "--strategy", strategies,
               "--bytes", "40 kB", "--iterations", "2"},
              more);
}

// Exit code 2 and one message that begins so, among what mpirun has to say to that.
void check_refused_once(const Outcome& outcome, const std::string& message) {
  CHECK(outcome.exit_code == 2);
  const auto said = outcome.err.find("syncsim: ");
  REQUIRE_MESSAGE(said != outcome.err.npos, outcome.err);
  CHECK(outcome.err.substr(said + 9, message.size()) == message);
  CHECK(outcome.err.find("syncsim: ", said + 1) == outcome.err.npos);
}

// A process that has ended may stay as a zombie where nobody asks after it.
bool is_running(pid_t process) {
  const std::string state =
      first_line_with("/proc/" + std::to_string(process) + "/status", "State:\t", '\n');
  return !state.empty() && state[0] != 'Z';
}

// A step whose computing takes 100 s.
void write_long_run(const TemporaryFolder& folder) {
  folder.write("s.json", R"({"topology": "pcie_4gpu", "strategy": "ring", "model":
    {"layers": 1, "bytes": "4 kB", "forward": "100 s", "backward": "100 s"}})");
}

}  // namespace

TEST_CASE("processes run what a schedule says, one of them prints, and one to spare naps") {
  const Outcome outcome =
      on_ranks(5, by_mpi("central_cpu,ring", {"--format", "json"}), SYNCSIM_SOURCE_DIR);
  CHECK(outcome.exit_code == 0);
  const Json points = Json::parse(outcome.out)["points"];
  REQUIRE(points.size() == 2);
  CHECK(points[0]["workers"] == "5 processes");
  CHECK(points[1]["workers"] == "4 processes");
  for (const Json& point : points) {
    CHECK(point["executor"] == "mpi");
    CHECK(point["data_correct"] == true);
    CHECK(point["iterations_us"].size() == 2);
    CHECK(point["measured_us"] > 0);
    CHECK(point["library"]["name"].get<std::string>().starts_with("MPI_Allreduce of "));
    CHECK(point["library"]["iterations_us"].size() == 2);
  }
}

TEST_CASE("mpirun has the exit code of a claim that fails, and one process says so") {
  const Outcome outcome =
      on_ranks(4, by_mpi("ring", {"--expect", "within 0 %"}), SYNCSIM_SOURCE_DIR);
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.find("expected within 0.0 % of the simulated 3.7500 us: NO") !=
        outcome.out.npos);
  const auto said = outcome.err.find("syncsim: ring, 40 kB: measured ");
  REQUIRE(said != outcome.err.npos);
  CHECK(outcome.err.find("syncsim: ", said + 1) == outcome.err.npos);
}

TEST_CASE("too few processes, and what is wrong on all, is refused once") {
  const std::string start = "; start \"mpirun -n 5 syncsim execute ...\"";
  check_refused(
      syncsim(by_mpi("central_cpu", {})),
      "mpirun: the schedule is run by 4 ranks and cpu0, a process each, and 1 is not enough" +
          start);
  check_refused_once(
      on_ranks(2, by_mpi("central_cpu", {}), SYNCSIM_SOURCE_DIR),
      "mpirun: the schedule is run by 4 ranks and cpu0, a process each, and 2 are not enough" +
          start);
  check_refused_once(on_ranks(2, by_mpi("ring", {"--threads", "2"}), SYNCSIM_SOURCE_DIR),
                     "--threads: the mpi executor runs one thread in each process; leave it out");
  const Outcome room =
      on_ranks(4, "true", std::string(kRing) + " --bytes 40MB --memory 100MB", SYNCSIM_SOURCE_DIR);
  check_refused_once(room, "--bytes: a run by MPI needs about ");
  CHECK(room.err.find("(4 processes on this machine), --memory allows 100 MB; start them on more "
                      "machines") != room.err.npos);
}

TEST_CASE("what is wrong on one rank ends all, and is said once with the rank") {
  const TemporaryFolder folder;
  folder.write("elsewhere/x", "");
  const std::string rank2 = "[ $OMPI_COMM_WORLD_RANK != 2 ] || ";
  const std::string plan = "execute --executor mpi --topology pcie_4gpu --bytes 40kB --strategy ";
  REQUIRE(syncsim({"plan", "--topology", "pcie_4gpu", "--bytes", "40 kB", "--strategy", "ring",
                   "--out", "p.json"},
                  folder.path())
              .exit_code == 0);
  check_refused_once(on_ranks(4, rank2 + "cd elsewhere", plan + "plan:p.json", folder.path()),
                     "on rank 2: --strategy: p.json: there is no such file; name a plan");
  Json wrong = Json::parse(read_text(folder.path() + "/p.json"));
  wrong["ops"].erase(3);
  folder.write("wrong.json", wrong.dump());
  check_refused_once(on_ranks(4, "true", plan + "plan:wrong.json", folder.path()), "wrong.json");
  check_refused_once(
      on_ranks(4, rank2 + "set -- --no-such", std::string(kRing) + " \"$@\"", folder.path()),
      "on rank 2: unknown option \"--no-such\"");
  check_refused_once(
      on_ranks(4, rank2 + "set -- --root 1", std::string(kRing) + " --collective reduce \"$@\"",
               folder.path()),
      "mpirun: rank 2 of mpirun has another schedule than rank 0; start all with the same "
      "arguments, files and program");
  check_refused_once(
      on_ranks(4, rank2 + "set -- ,8kB", std::string(kRing) + "$1", folder.path()),
      "rank 2 of mpirun does not run as many points as rank 0; start all with the same arguments "
      "and files");
}

TEST_CASE("processes that would each run all by themselves are refused") {
  check_refused_once(on_ranks(2,
                              Arguments{"execute", "--topology", "pcie_4gpu", "--strategy", "ring",
                                        "--bytes", "40 kB"},
                              SYNCSIM_SOURCE_DIR),
                     "--executor: each process of mpirun would run all by itself; let them run "
                     "together with --executor mpi, or start one alone");
}

TEST_CASE("a rank that is killed ends the run, and so does Ctrl-C") {
  const TemporaryFolder folder;
  write_long_run(folder);
  const Arguments run = {"execute", "s.json", "--executor", "mpi"};
  for (const int signal : {SIGKILL, SIGINT}) {
    Child mpirun(folder, run, {}, "/dev/null", ranks(4));
    pid_t first = 0;
    mpirun.wait_until([&] { return (first = process_of_rank(mpirun.process(), 0)) != 0; });
    mpirun.wait_until([&] { return process_of_rank(mpirun.process(), 3) != 0; });
    const pid_t last = process_of_rank(mpirun.process(), 3);
    kill(signal == SIGKILL ? last : mpirun.process(), signal);
    CHECK(mpirun.exit_code() != 0);
    CHECK(!is_running(first));
    if (signal == SIGINT) continue;
    const std::string& said = mpirun.err();  // the latter where MPI had not begun yet
    CHECK_MESSAGE((said.find("signal 9 (Killed)") != said.npos ||
                   said.find("the job has been aborted") != said.npos),
                  said);
  }
}

#else

TEST_CASE("a build without MPI says so, and what to install") {
  check_refused(syncsim({"execute", "--executor", "mpi", "--topology", "pcie_4gpu", "--strategy",
                         "ring", "--bytes", "40 kB"}),
                "--executor: this syncsim was built without MPI; install MPI (Debian: "
                "libopenmpi-dev openmpi-bin) and build it again");
}

#endif

}  // namespace syncsim::testing::execute_mpi_test
