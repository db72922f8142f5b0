#pragma once
// Counts a program's instructions with valgrind's callgrind: the same on every run, whatever else
// the machine does.

#include <cstdint>
#include <string>
#include <vector>

namespace syncsim::bench {

struct Count {
  std::uint64_t instructions = 0;
  std::string output;  // the program's stdout
};

// Runs `command` and counts inside the functions whose names match the pattern. Throws InputError
// without valgrind, InternalError when the program fails or no such function ran.
Count count_instructions(const std::string& functions, const std::vector<std::string>& command);

}  // namespace syncsim::bench
