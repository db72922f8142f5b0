#pragma once
// Another program as a filter: text in, text out. No shell takes part: the words of the command are
// passed as they are. What it reads and writes lies in files without names, so that no size of
// either can block it.

#include <chrono>
#include <string>
#include <vector>

namespace syncsim {

struct Filtered {
  bool started = false;  // false: there is no such program
  bool in_time = false;  // false: it was ended
  int exit_code = 0;     // minus the signal that ended it
  std::string out = {};
  std::string err = {};
};

// The program is looked for along PATH. Throws InputError without a place when the system lets no
// process start for other reasons.
Filtered run_filter(std::vector<std::string> command, const std::string& input,
                    std::chrono::milliseconds limit);

}  // namespace syncsim
