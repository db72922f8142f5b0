#include "sim/base/filter_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <thread>

#include "sim/base/error.h"
#include "sim/base/quote.h"

extern char** environ;

namespace syncsim {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

InputError not_started(const std::string& program, int error) {
  return {in_quotes(program) +
              " cannot be run: " + std::error_code(error, std::generic_category()).message(),
          "check the limits of processes, files and disk space"};
}

File new_file(const std::string& program) {
  File file(std::tmpfile(), std::fclose);
  if (!file) throw not_started(program, errno);
  return file;
}

std::string text_of(const File& file) {
  std::string text;
  char block[65536];
  std::rewind(file.get());
  for (std::size_t size; (size = std::fread(block, 1, sizeof block, file.get())) > 0;)
    text.append(block, size);
  return text;
}

// 0, or why there is no child.
int spawn(pid_t& child, std::vector<std::string>& command, const File& in, const File& out,
          const File& err) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  if (const int error = posix_spawn_file_actions_init(&actions)) return error;
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err.get()), STDERR_FILENO);
  const int error = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Whether the child ended within the limit; ended it is in any case.
bool wait_for(pid_t child, std::chrono::milliseconds limit, int& status) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace

Filtered run_filter(std::vector<std::string> command, const std::string& input,
                    std::chrono::milliseconds limit) {
  const std::string program = command.at(0);
  const File in = new_file(program);
  const File out = new_file(program);
  const File err = new_file(program);
  const bool held = std::fwrite(input.data(), 1, input.size(), in.get()) == input.size() &&
                    std::fflush(in.get()) == 0;
  if (!held) throw not_started(program, errno);
  std::rewind(in.get());
  pid_t child = 0;
  if (const int error = spawn(child, command, in, out, err)) {
    if (error == ENOENT) return {};
    throw not_started(program, error);
  }
  Filtered result{.started = true};
  int status = 0;
  result.in_time = wait_for(child, limit, status);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  result.out = text_of(out);
  result.err = text_of(err);
  return result;
}

}  // namespace syncsim
