#pragma once
// What processes that run a schedule together say to each other, and what they end with.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace syncsim {

struct Saying {
  enum class State : std::int32_t { ready, done, failed };
  State state = State::ready;
  int exit_code = 0;          // of one that is done or has failed
  std::uint64_t digest = 0;   // of what it is ready for
  std::uint64_t need = 0;     // bytes
  std::uint64_t machine = 0;  // session.h
  std::string error = {};     // of one that has failed
};

// What ended the processes together: all have it, as text for people, and the same exit code.
class JointFailure : public std::runtime_error {
 public:
  JointFailure(const std::string& text, int exit_code)
      : std::runtime_error(text), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

// Nested in it is what befell this process while others count on it: they can only be ended.
struct BrokenOff : std::runtime_error {
  BrokenOff() : std::runtime_error("broken off") {}
};

std::string processes_text(std::uint64_t count);  // "1 process", "2 processes"

// Of sayings some of which are failures: each text once, behind the ranks whose it is, unless all
// have the same: "on rank 2: ...".
std::string joint_text(const std::vector<Saying>& sayings);

}  // namespace syncsim
