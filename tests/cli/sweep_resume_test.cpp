// Sweeps that are stopped, and go on.

#include <doctest/doctest.h>
#include <sys/file.h>

#include <filesystem>

#include "tests/cli/refusals.h"
#include "tests/cli/sweeps.h"

namespace syncsim::testing {
namespace {

constexpr const char* kQuick = R"({"topology": "pcie_4gpu", "strategy": "ring",
                                   "sweep": {"bytes": "1 MB..8 MB x2", "ranks": ["0-3", "0-4"]}})";

struct Quick {
  Quick() { folder.write("s.json", kQuick); }

  Outcome sweep(const std::string& name, const Arguments& more = {}) const {
    return syncsim(with({"sweep", "s.json", "--out", name}, more), folder.path());
  }
  std::string text(const std::string& name) const { return read_text(folder.path() + "/" + name); }

  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("kill -9 leaves whole rows, and --resume ends with the same file") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  const Arguments command = {"sweep", "s.json", "--jobs", "2", "--out", "rows.csv"};
  Child child(folder, command);
  child.wait_until([&] { return has_lines(folder.path() + "/rows.csv", 4); });
  child.send(SIGKILL);
  REQUIRE(child.exit_code() == -SIGKILL);
  const std::vector<std::string> left = lines_of(read_text(folder.path() + "/rows.csv"));
  CHECK(left.size() >= 4);
  CHECK(left.size() < 11);
  CHECK(syncsim(with(command, {"--resume"}), folder.path()).exit_code == 0);
  const Outcome serial = syncsim({"sweep", "s.json", "--jobs", "1"}, folder.path());
  CHECK(read_text(folder.path() + "/rows.csv") == serial.out);
}

TEST_CASE("Ctrl-C ends a sweep with what is done, and says how to go on") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  const Arguments command = {"sweep", "s.json", "--jobs", "2", "--out", "rows.jsonl"};
  Child child(folder, command);
  child.wait_until([&] { return has_lines(folder.path() + "/rows.jsonl", 2); });
  child.send(SIGINT);
  CHECK(child.exit_code() == 130);
  const std::size_t done = lines_of(read_text(folder.path() + "/rows.jsonl")).size();
  CHECK(done < 10);
  CHECK(child.err() == "syncsim: interrupted; " + std::to_string(done) +
                           " of 10 points are done and in rows.jsonl; the same command with "
                           "--resume goes on\n");
}

TEST_CASE("wherever a file was cut, --resume ends with the whole one") {
  const Quick quick;
  for (const char* name : {"whole.csv", "whole.jsonl"}) {
    CHECK(quick.sweep(name).exit_code == 2);
    const std::string whole = quick.text(name);
    const std::string cut = "cut" + std::filesystem::path(name).extension().string();
    for (const std::size_t length : {std::size_t{0}, std::size_t{5}, whole.size() / 3,
                                     whole.size() / 2, whole.size() - 1, whole.size()}) {
      CAPTURE(length);
      quick.folder.write(cut, whole.substr(0, length));
      const Outcome resumed = quick.sweep(cut, {"--resume"});
      CHECK(resumed.exit_code == 2);  // refused points stay refused
      CHECK(resumed.err == "syncsim: 4 of 8 points are refused; \"error\" says why\n");
      CHECK(quick.text(cut) == whole);
    }
  }
}

TEST_CASE("--resume begins a file that is not there") {
  const Quick quick;
  CHECK(quick.sweep("new.csv", {"--resume"}).exit_code == 2);
  CHECK(quick.sweep("other.csv").exit_code == 2);
  CHECK(quick.text("new.csv") == quick.text("other.csv"));
}

TEST_CASE("rows in another order are put in order of the points once they are complete") {
  const Quick quick;
  CHECK(quick.sweep("whole.csv").exit_code == 2);
  std::vector<std::string> lines = lines_of(quick.text("whole.csv"));
  std::swap(lines[1], lines[7]);
  lines.pop_back();
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  quick.folder.write("mixed.csv", text);
  CHECK(quick.sweep("mixed.csv", {"--resume"}).exit_code == 2);
  CHECK(quick.text("mixed.csv") == quick.text("whole.csv"));
}

TEST_CASE("a file that is not of this sweep is refused, and stays as it is") {
  const Quick quick;
  CHECK(quick.sweep("whole.csv").exit_code == 2);
  const std::vector<std::string> lines = lines_of(quick.text("whole.csv"));
  const auto refused = [&](const std::string& name, const std::string& text,
                           const std::string& message) {
    quick.folder.write(name, text);
    check_refused(quick.sweep(name, {"--resume"}), message);
    CHECK(quick.text(name) == text);
  };
  const std::string no_begin = "does not begin as a sweep's file does; name another file";
  refused("a.csv", "time,size\n", "a.csv:1: " + no_begin);
  refused("a.csv", "my notes", "a.csv:1: " + no_begin);
  refused("a.jsonl", "my notes", "a.jsonl:1: " + no_begin);
  refused("a.csv", lines[0] + "\n1,2\n", "a.csv:2: is no row of a sweep; name another file");
  refused("a.jsonl", "{\"point\": 0}\n{", "a.jsonl:1: is no row of a sweep; name another file");
  refused("a.csv", lines[0] + "\n" + lines[2] + "\n" + lines[2] + "\n",
          "a.csv:3: point 1 stands here a second time; take one of the rows out");
  quick.folder.write("s.json", R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 64})");
  refused("a.csv", lines[0] + "\n" + lines[1] + "\n",
          "a.csv:2: point 0 is not the one of this sweep; name another file, or the scenario as it "
          "was");
}

TEST_CASE("rows of a machine whose file has changed since are of another sweep") {
  const auto machine = [](const std::string& bandwidth) {
    return R"({"kind": "star", "gpus": 4, "link": {"kind": "nvlink", "bandwidth": ")" + bandwidth +
           R"("}})";
  };
  const Quick quick;
  quick.folder.write("m.json", machine("16 GB/s"));
  quick.folder.write("s.json", R"({"topology": "m.json", "strategy": "ring",
                                   "sweep": {"bytes": "1 MB..8 MB x2"}})");
  CHECK(quick.sweep("a.csv").exit_code == 0);
  const std::vector<std::string> lines = lines_of(quick.text("a.csv"));
  quick.folder.write("a.csv", lines[0] + "\n" + lines[1] + "\n");
  CHECK(quick.sweep("a.csv", {"--resume"}).exit_code == 0);
  quick.folder.write("a.csv", lines[0] + "\n" + lines[1] + "\n");
  quick.folder.write("m.json", machine("8 GB/s"));
  check_refused(quick.sweep("a.csv", {"--resume"}),
                "a.csv:2: point 0 is not the one of this sweep; name another file, or the scenario "
                "as it was");
}

TEST_CASE("two sweeps do not write one file at once") {
  const Quick quick;
  quick.folder.write("rows.csv", "");
  const int file = open((quick.folder.path() + "/rows.csv").c_str(), O_RDWR);
  REQUIRE(flock(file, LOCK_EX | LOCK_NB) == 0);
  check_refused(quick.sweep("rows.csv", {"--resume"}),
                "--out: \"rows.csv\" is being written by another sweep; wait for it, or name "
                "another file");
  close(file);
}

TEST_CASE("a sweep draws how far it is, on a terminal") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  Child child(folder, {"sweep", "s.json", "--jobs", "1", "--out", "rows.csv"}, Terminal(100));
  child.wait_until([&] { return has_lines(folder.path() + "/rows.csv", 2); });
  child.send(SIGSTOP);  // until it is time to draw, whatever the machine's speed
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  child.send(SIGCONT);
  CHECK(child.exit_code() == 0);
  CHECK(child.terminal_text().find(" of 10 points [") != std::string::npos);
  CHECK(child.terminal_text().find(" points/s, ") != std::string::npos);
}

}  // namespace syncsim::testing
