#pragma once
// What ended a piece of work, as people are told.

#include <cstdint>
#include <string>

namespace syncsim::cli {

struct Failure {
  enum class Cause : std::uint8_t {
    input,   // something that the user wrote, or that the system would not let us read
    memory,  // there was none left
    ours     // an invariant of ours does not hold
  };
  Cause cause = Cause::input;
  std::string place;  // "file.json:/links/3", a path; may be empty
  std::string error;  // what is wrong and what would be right

  std::string text() const;  // "PLACE: ERROR", on one line
  int exit_code() const;
};

// Of the exception that is being handled.
Failure current_failure();

}  // namespace syncsim::cli
