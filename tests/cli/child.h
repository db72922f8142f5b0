#pragma once
// The program while it runs: its stderr on a terminal or in a file, signals, and what /proc says of
// it. Everything waits for a condition, with a limit after which the test fails.

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/cli/program.h"

namespace syncsim::testing {

// Of a terminal that a child gets for its stderr; -1: none, a file.
struct Terminal {
  Terminal() = default;
  explicit Terminal(unsigned short columns) : main(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    if (main < 0 || grantpt(main) != 0 || unlockpt(main) != 0)
      throw std::runtime_error("no terminal can be made");
    child = open(ptsname(main), O_RDWR | O_NOCTTY);
    winsize size{};
    size.ws_col = columns;
    size.ws_row = 24;
    ioctl(main, TIOCSWINSZ, &size);
  }
  int main = -1;
  int child = -1;
};

class Child {
 public:
  // In the folder. Without a terminal, stderr goes to a file there, as stdout does. `before` is
  // another program with its arguments, which starts ours.
  Child(const TemporaryFolder& folder, const Arguments& arguments, Terminal terminal = {},
        const std::string& input = "/dev/null", Arguments before = {})
      : folder_(folder.path()), terminal_(terminal) {
    before.push_back(SYNCSIM_BINARY);
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("no process can be started");
    if (process_ == 0) become(with(before, arguments), input);
    if (terminal_.child >= 0) close(terminal_.child);
  }
  ~Child() {
    if (!ended_) kill(process_, SIGKILL);
    if (!ended_) waitpid(process_, nullptr, 0);
    if (terminal_.main >= 0) close(terminal_.main);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Looks until it holds.
  void wait_until(const std::function<bool()>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("waited in vain");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  pid_t process() const { return process_; }
  void send(int signal) const { kill(process_, signal); }
  // Minus the signal's number when one ended it.
  int exit_code() {
    int status = 0;
    wait_until([&] {
      terminal_text();
      return waitpid(process_, &status, WNOHANG) == process_;
    });
    ended_ = true;
    terminal_text();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  // All so far.
  const std::string& terminal_text() {
    char block[4096];
    for (ssize_t size;
         terminal_.main >= 0 && (size = read(terminal_.main, block, sizeof block)) > 0;)
      text_.append(block, static_cast<std::size_t>(size));
    return text_;
  }
  std::string out() const { return read_text(folder_ + "/stdout"); }
  std::string err() const { return read_text(folder_ + "/stderr"); }

  bool catches(int signal) const {
    std::istringstream mask(status("SigCgt:"));
    unsigned long long caught = 0;
    mask >> std::hex >> caught;
    return (caught >> (signal - 1) & 1) != 0;
  }
  long resident_kilobytes() const { return std::strtol(status("VmRSS:").c_str(), nullptr, 10); }
  double cpu_seconds() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/stat");
    std::string word;
    double ticks = 0;
    for (int field = 1; field <= 15 && file >> word; ++field)
      if (field >= 14) ticks += std::stod(word);
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

 private:
  [[noreturn]] void become(Arguments words, const std::string& input) const {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    signal(SIGINT, SIG_DFL);  // whatever the tests were started with
    signal(SIGTERM, SIG_DFL);
    const auto file = [](const char* name) { return open(name, O_CREAT | O_WRONLY, 0600); };
    const bool ready =
        chdir(folder_.c_str()) == 0 && dup2(open(input.c_str(), O_RDONLY), STDIN_FILENO) >= 0 &&
        dup2(file("stdout"), STDOUT_FILENO) >= 0 &&
        dup2(terminal_.child >= 0 ? terminal_.child : file("stderr"), STDERR_FILENO) >= 0;
    if (ready) execvp(pointers[0], pointers.data());
    _exit(127);
  }
  std::string status(const std::string& key) const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/status");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(key)) return line.substr(key.size());
    return "";
  }

  std::string folder_;
  Terminal terminal_;
  pid_t process_ = -1;
  bool ended_ = false;
  std::string text_;
};

// A scenario of two points: a ring of 4 GPUs, and one of 2,048 that takes seconds and much memory.
inline std::string small_and_large_ring() {
  const auto star = [](const std::string& gpus) {
    return R"({"kind": "star", "gpus": )" + gpus +
           R"(, "link": {"kind": "nvlink", "bandwidth": "16 GB/s"}})";
  };
  return R"({"strategy": "ring", "bytes": "160 MB", "points": [{"topology": )" + star("4") +
         R"(}, {"topology": )" + star("2048") + "}]}";
}

// The large point has begun: memory grows, from what the program takes when it has come to itself.
inline std::function<bool()> is_at_the_large_ring(const Child& child) {
  return [&child, first = -1L]() mutable {
    if (!child.catches(SIGTERM)) return false;
    const long now = child.resident_kilobytes();
    if (first < 0) first = now;
    return now > first + 40'000;
  };
}

// 5,000 flows between 100 GPUs that are soon done, and 15,000 that crowd each other: much work.
inline std::string crowded_flows() {
  std::ostringstream text;
  text << "start,source,destination,bytes\n";
  std::uint64_t state = 1;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  for (int flow = 0; flow < 5'000; ++flow) text << flow << " ns,gpu" << flow % 100 << ",gpu7,0 B\n";
  for (int flow = 0; flow < 15'000; ++flow) {
    const auto from = draw(100);
    text << 10'000 + draw(1'000'000) << " ns,gpu" << from << ",gpu" << (from + 1 + draw(99)) % 100
         << "," << 100'000 + draw(50'000'000) << " B\n";
  }
  return text.str();
}

}  // namespace syncsim::testing
