#pragma once
// Runs another program and reads what it prints.

#include <string>
#include <vector>

namespace syncsim::bench {

struct Outcome {
  int code = 0;        // its exit code
  int signal = 0;      // what ended it; 0: it ended by itself
  std::string output;  // its stdout
  bool good() const { return code == 0 && signal == 0; }
};

// `words[0]` is the program's path. Its stderr is ours. Throws InternalError when the system fails.
Outcome run_child(const std::vector<std::string>& words);

}  // namespace syncsim::bench
