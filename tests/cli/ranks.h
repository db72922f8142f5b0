#pragma once
// The program on the ranks that mpirun starts, here all on one machine.

#include <filesystem>
#include <string>

#include "tests/cli/child.h"

#ifdef SYNCSIM_MPIRUN

namespace syncsim::testing {

// As root, in containers with less cores than ranks.
inline Arguments ranks(int count) {
  return {SYNCSIM_MPIRUN, "--oversubscribe", "--allow-run-as-root", "-n", std::to_string(count)};
}

inline Outcome on_ranks(int count, const Arguments& arguments, const std::string& directory) {
  return run_program(with(with(ranks(count), {SYNCSIM_BINARY}), arguments), directory);
}

// `script` runs before the program, on each rank.
inline Outcome on_ranks(int count, const std::string& script, const std::string& arguments,
                        const std::string& directory) {
  return run_program(
      with(ranks(count),
           {"/bin/sh", "-c", script + "; exec " + std::string(SYNCSIM_BINARY) + " " + arguments}),
      directory);
}

inline std::string first_line_with(const std::string& path, const std::string& begin, char end) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line, end);)
    if (line.starts_with(begin)) return line.substr(begin.size());
  return "";
}

// The process that mpirun started as this rank; 0: not there yet.
inline pid_t process_of_rank(pid_t mpirun, int rank) {
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

}  // namespace syncsim::testing

#endif
