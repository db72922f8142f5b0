#include "bench/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "sim/base/error.h"

namespace syncsim::bench {
namespace {

[[noreturn]] void become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

std::string read_all(int file) {
  std::string result;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; (count = read(file, buffer.data(), buffer.size())) > 0;)
    result.append(buffer.data(), static_cast<std::size_t>(count));
  return result;
}

}  // namespace

Outcome run_child(const std::vector<std::string>& words) {
  int ends[2];
  require(pipe(ends) == 0, "no pipe");
  const pid_t child = fork();
  require(child >= 0, "no process");
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    become(words);
  }
  close(ends[1]);
  Outcome outcome;
  outcome.output = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

}  // namespace syncsim::bench
