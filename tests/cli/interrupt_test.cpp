// Ctrl-C: what is known so far, and at once.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tests/cli/child.h"

namespace syncsim::testing::interrupt_test {
namespace {

constexpr const char* kStar100 =
    R"({"kind": "star", "gpus": 100, "link": {"kind": "nvlink", "bandwidth": "16 GB/s"}})";

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

constexpr const char* kHeader = "start,source,destination,bytes\n";

void send(int pipe, const std::string& text) {
  REQUIRE(write(pipe, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

// Bytes that nobody has read yet.
int waiting_in(int pipe) {
  int bytes = 0;
  REQUIRE(ioctl(pipe, FIONREAD, &bytes) == 0);
  return bytes;
}

// A replay of a pipe that nobody ends, interrupted while it waits in it for flows.
struct InterruptedReading {
  InterruptedReading() {
    child.wait_until([&] { return waiting_in(writer) == 0; });
    child.send(SIGINT);
    child.wait_until([&] { return !child.catches(SIGINT); });
  }
  ~InterruptedReading() { close(writer); }

  int open_pipe() const {
    folder.write("m.json", kStar100);
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    const int end = open(pipe.c_str(), O_RDWR);
    send(end, kHeader);
    return end;
  }

  TemporaryFolder folder;
  std::string pipe = folder.path() + "/pipe";
  int writer = open_pipe();
  Child child{
      folder, {"flows", "--topology", "m.json", "--flows", "-", "--out", "out.csv"}, {}, pipe};
};

}  // namespace

TEST_CASE("Ctrl-C during the second point: the first one is told, and how far the second came") {
  const TemporaryFolder folder;
  folder.write("s.json", small_and_large_ring());
  Child child(folder, {"run", "s.json", "--format", "json", "--memory", "1 TB"});
  child.wait_until(is_at_the_large_ring(child));
  child.send(SIGINT);
  CHECK(child.exit_code() == 130);
  const Json json = Json::parse(child.out());
  REQUIRE(json["points"].size() == 1);
  CHECK(json["points"][0]["time_ps"] == 15'000'000'000);
  CHECK(json["interrupted"]["point"] == 2);
  CHECK(json["interrupted"]["points"] == 2);
  CHECK(json["interrupted"]["strategy"] == "ring");
  CHECK(json["interrupted"]["total"] == 8'384'512);
  CHECK(child.err().starts_with("syncsim: interrupted in point 2 of 2 (ring, 160 MB) while "));
  CHECK(child.err().ends_with(" done; 1 of 2 points are finished\n"));
}

TEST_CASE("SIGTERM does the same, as text") {
  const TemporaryFolder folder;
  folder.write("s.json", small_and_large_ring());
  Child child(folder, {"run", "s.json", "--memory", "1 TB"});
  child.wait_until(is_at_the_large_ring(child));
  child.send(SIGTERM);
  CHECK(child.exit_code() == 143);
  CHECK(child.out().starts_with("star of 4: allreduce of float32, 4 ranks, line rates\n"));
  CHECK(child.out().find("2048") == std::string::npos);
  CHECK(lines_in(child.err()) == 1);
}

TEST_CASE("check tells the claims decided so far, and the others as not run") {
  const TemporaryFolder folder;
  folder.write("a.json", R"({"name": "one GPU", "topology": "pcie_4gpu", "bytes": "160 MB",
    "strategy": "central_gpu", "expect": [{"metric": "time", "at_most": "60 ms"}]})");
  std::string large = small_and_large_ring();
  large.pop_back();
  folder.write("b.json", large + R"(, "expect": [{"metric": "time", "at_most": "1 s"},
                                                 {"metric": "time", "at_least": "1 s"}]})");
  folder.write("c.json", "{}");  // is refused when it is read
  Child child(folder, {"check", "a.json", "b.json", "c.json", "--format", "json", "--jobs", "2",
                       "--memory", "1 TB"});
  child.wait_until(is_at_the_large_ring(child));
  child.send(SIGINT);
  CHECK(child.exit_code() == 130);
  const Json json = Json::parse(child.out());
  CHECK(json["passed"] == 1);
  CHECK(json["failed"] == 0);
  CHECK(json["not_run"] == 2);
  CHECK(json["claims"][0]["passed"] == true);
  CHECK(json["claims"][2]["passed"].is_null());
  CHECK(json["errors"].size() == 1);
  CHECK(child.err().ends_with("syncsim: interrupted; 1 of 3 claims are decided\n"));
}

TEST_CASE("flows that are interrupted leave a whole file of those that are finished") {
  const TemporaryFolder folder;
  folder.write("m.json", kStar100);
  folder.write("f.csv", crowded_flows());
  Child child(
      folder,
      {"flows", "--topology", "m.json", "--flows", "f.csv", "--out", "out.csv", "--format", "json"},
      Terminal(100));
  child.wait_until([&] { return child.terminal_text().find("simulating 2") != std::string::npos; });
  CHECK(!std::filesystem::exists(folder.path() + "/out.csv"));
  child.send(SIGINT);
  CHECK(child.exit_code() == 130);
  const Json json = Json::parse(child.out());
  const auto finished = json["flows"].get<std::size_t>();
  CHECK(finished >= 5'000);
  CHECK(finished < 20'000);
  CHECK(json["interrupted"]["done"] == finished);
  CHECK(json["interrupted"]["total"] == 20'000);
  CHECK(lines_in(read_text(folder.path() + "/out.csv")) == finished + 1);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    files += entry.path().extension() == ".part";
  CHECK(files == 0);
  CHECK(child.terminal_text().find("\"out.csv\" holds those") != std::string::npos);
}

TEST_CASE("a second Ctrl-C ends the program at once") {
  InterruptedReading reading;
  reading.child.send(SIGINT);
  CHECK(reading.child.exit_code() == -SIGINT);
  CHECK(!std::filesystem::exists(reading.folder.path() + "/out.csv"));
}

TEST_CASE("Ctrl-C while flows are read: nothing is simulated, nothing is written") {
  InterruptedReading reading;
  for (int flow = 0; flow < 5'000; ++flow) send(reading.writer, "0,gpu0,gpu1,1\n");
  CHECK(reading.child.exit_code() == 130);
  CHECK(reading.child.out() == "");
  CHECK(reading.child.err() ==
        "syncsim: interrupted while reading: 4096 flows done; nothing is written\n");
  CHECK(!std::filesystem::exists(reading.folder.path() + "/out.csv"));
}

}  // namespace syncsim::testing::interrupt_test
