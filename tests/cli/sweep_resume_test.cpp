// Sweeps that are stopped, and go on.

#include <doctest/doctest.h>
#include <sys/file.h>

#include <filesystem>

#include "tests/cli/refusals.h"
#include "tests/cli/sweeps.h"

namespace syncsim::testing::sweep_resume_test {
namespace {

constexpr const char* kQuick = R"({"topology": "pcie_4gpu", "strategy": "ring",
                                   "sweep": {"bytes": "1 MB..8 MB x2", "ranks": ["0-3", "0-4"]}})";

const std::string kOther =
    "point 0 is not the one of this sweep; name another file, or give the scenario, its files and "
    "--no-check as they were";

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
  refused("a.csv", lines[0] + "\n" + lines[1] + "\n", "a.csv:2: " + kOther);
}

TEST_CASE("rows are of another sweep once any file has changed that their points name") {
  const auto star = [](const std::string& bandwidth) {
    return R"({"kind": "star", "gpus": 4, "link": {"kind": "nvlink", "bandwidth": ")" + bandwidth +
           R"("}})";
  };
  const Quick quick;
  const auto plan = [&](const char* bytes) {
    REQUIRE(syncsim({"plan", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", bytes,
                     "--out", "plan.json"},
                    quick.folder.path())
                .exit_code == 0);
  };
  const auto outer = [&](const char* file) {
    return R"({"name": "outer", "instances": [{"prefix": "a/", "topology": ")" + std::string(file) +
           R"("}]})";
  };
  const auto scenario = [](const std::string& topology, const std::string& strategy) {
    return R"({"topology": )" + topology + R"(, "strategy": ")" + strategy +
           R"(", "bytes": "1 MB", "points": [{"seed": 1}, {"seed": 2}]})";
  };
  const std::string held =
      R"({"name": "held", "instances": [{"prefix": "b/", "topology": "in/inner.json"}]})";
  for (const auto& asked :
       {std::pair(R"("m.json")", "ring"), std::pair(R"("outer.json")", "ring"),
        std::pair(held.c_str(), "ring"), std::pair(R"("pcie_4gpu")", "plan:plan.json")}) {
    CAPTURE(asked.first);
    quick.folder.write("m.json", star("16 GB/s"));
    quick.folder.write("in/inner.json", outer("innermost.json"));
    quick.folder.write("in/innermost.json", star("16 GB/s"));
    quick.folder.write("outer.json", outer("in/inner.json"));
    plan("1 MB");
    quick.folder.write("s.json", scenario(asked.first, asked.second));
    std::filesystem::remove(quick.folder.path() + "/a.csv");
    REQUIRE(quick.sweep("a.csv").exit_code == 0);
    const std::vector<std::string> lines = lines_of(quick.text("a.csv"));
    const std::string begun = lines[0] + "\n" + lines[1] + "\n";
    quick.folder.write("a.csv", begun);
    CHECK(quick.sweep("a.csv", {"--resume"}).exit_code == 0);
    quick.folder.write("a.csv", begun);
    quick.folder.write("m.json", star("8 GB/s"));
    quick.folder.write("in/innermost.json", star("8 GB/s"));
    plan("2 MB");
    check_refused(quick.sweep("a.csv", {"--resume"}), "a.csv:2: " + kOther);
  }
}

TEST_CASE("rows of schedules that were not proved do not mix with rows of proved ones") {
  const Quick quick;
  quick.folder.write("s.json", R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 64})");
  CHECK(quick.sweep("a.csv", {"--no-check"}).exit_code == 0);
  check_refused(quick.sweep("a.csv", {"--resume"}), "a.csv:2: " + kOther);
  CHECK(quick.sweep("a.csv", {"--no-check", "--resume"}).exit_code == 0);
}

TEST_CASE("what was refused for memory is tried again by --resume, what the input refuses is not") {
  for (const std::string name : {"rows.csv", "rows.jsonl"}) {
    const Quick quick;
    quick.folder.write("s.json", R"({"topology": "dgx1v", "strategy": "ring", "bytes": "1 MB",
                                     "sweep": {"ranks": ["0-1", "0-7", "0-9"]}})");
    const Outcome first = quick.sweep(name, {"--memory", "1 kB"});
    CHECK(first.exit_code == 2);
    CHECK(first.err == "syncsim: 3 of 3 points are refused; \"error\" says why\n");
    CHECK(quick.text(name).find("--memory allows 1.0 kB") != std::string::npos);
    const Outcome again = quick.sweep(name, {"--resume", "--memory", "1 kB"});
    CHECK(again.err == first.err);
    CHECK(lines_of(quick.text(name)).size() == (name == "rows.csv" ? 4 : 3));
    const Outcome resumed = quick.sweep(name, {"--resume"});
    CHECK(resumed.exit_code == 2);
    CHECK(resumed.err == "syncsim: 1 of 3 points are refused; \"error\" says why\n");
    CHECK(quick.sweep("whole_" + name).exit_code == 2);
    CHECK(quick.text(name) == quick.text("whole_" + name));
    CHECK(quick.sweep(name, {"--resume"}).err == resumed.err);
    CHECK(quick.text(name) == quick.text("whole_" + name));
  }
}

TEST_CASE("rows are the same wherever the program was started, and however the path is written") {
  const TemporaryFolder folder;
  folder.write("sub/m.json", R"({"kind": "star", "gpus": 4,
                                 "link": {"kind": "nvlink", "bandwidth": "16 GB/s"}})");
  folder.write("sub/bad.json", "{}");
  folder.write("sub/s.json", R"({"strategy": "ring", "bytes": "1 MB", "points": [
      {"topology": "m.json"}, {"topology": "bad.json"}, {"topology": "no.json"},
      {"topology": "../sub/m.json", "ranks": "0-9"}, {"topology": "pcie_4gpu"}]})");
  const std::string sub = folder.path() + "/sub";
  for (const std::string format : {"csv", "jsonl"}) {
    const auto rows = [&](const std::string& path, const std::string& directory) {
      return syncsim({"sweep", path, "--format", format}, directory).out;
    };
    const std::string near = rows("s.json", sub);
    CHECK(near.find(folder.path()) == std::string::npos);
    CHECK(near.find("m.json") != std::string::npos);
    CHECK(rows("./s.json", sub) == near);
    CHECK(rows("../sub/s.json", sub) == near);
    CHECK(rows("sub/s.json", folder.path()) == near);
    CHECK(rows("sub/./s.json", folder.path()) == near);
    CHECK(rows(sub + "/s.json", "/") == near);
  }
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

}  // namespace syncsim::testing::sweep_resume_test
