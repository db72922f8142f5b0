#pragma once
// Runs a program as a user would: in a directory, with stdout and stderr caught apart, its exit
// code, and a limit of time after which it is killed and the test fails.

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace syncsim::testing {

struct Outcome {
  int exit_code = 0;  // minus the signal's number when one ended it
  std::string out;
  std::string err;
};

namespace detail {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Catch = std::unique_ptr<std::FILE, Close>;

inline Catch new_catch() {
  Catch file(std::tmpfile());
  if (!file) throw std::runtime_error("no temporary file can be made");
  return file;
}

inline std::string caught(const Catch& file) {
  std::rewind(file.get());
  std::string text;
  char block[4096];
  for (std::size_t size; (size = std::fread(block, 1, sizeof block, file.get())) > 0;)
    text.append(block, size);
  return text;
}

// In the child: never returns.
[[noreturn]] inline void become(std::vector<char*>& arguments, const std::string& directory,
                                const Catch& out, const Catch& err) {
  const int nothing = open("/dev/null", O_RDONLY);
  const bool ready = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                     dup2(fileno(out.get()), STDOUT_FILENO) >= 0 &&
                     dup2(fileno(err.get()), STDERR_FILENO) >= 0 && chdir(directory.c_str()) == 0;
  if (ready) execvp(arguments[0], arguments.data());
  _exit(127);
}

inline int exit_code_of(pid_t child, std::chrono::seconds limit, const std::string& program) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      throw std::runtime_error(program + " did not end in time");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace detail

// `command` is the program and its arguments. Exit code 127: it could not be started.
inline Outcome run_program(std::vector<std::string> command, const std::string& directory = ".",
                           std::chrono::seconds limit = std::chrono::seconds(300)) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const detail::Catch out = detail::new_catch();
  const detail::Catch err = detail::new_catch();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process can be started");
  if (child == 0) detail::become(arguments, directory, out, err);
  const int exit_code = detail::exit_code_of(child, limit, command[0]);
  return {exit_code, detail::caught(out), detail::caught(err)};
}

}  // namespace syncsim::testing
