#pragma once
// Bad input: exit code 2, nothing on stdout, one line on stderr.

#include <doctest/doctest.h>

#include "tests/cli/program.h"

namespace syncsim::testing {

inline void check_refused(const Outcome& outcome, const std::string& message) {
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err == "syncsim: " + message + "\n");
}

// A good file with one value set, or removed where `value` is empty.
struct Change {
  const char* pointer;
  const char* value;  // JSON
  const char* message;
};

inline Json changed(Json file, const Change& change) {
  const Json::json_pointer at(change.pointer);
  if (*change.value == '\0') return file.patch({{{"op", "remove"}, {"path", change.pointer}}});
  file[at] = Json::parse(change.value);
  return file;
}

// Each change of `good`, written to NAME and given to `command`, is refused with its message.
template <std::size_t count>
void check_changes(const Json& good, const std::string& name, const Arguments& command,
                   const Change (&changes)[count]) {
  const TemporaryFolder folder;
  folder.write(name, good.dump());
  CHECK(syncsim(command, folder.path()).exit_code == 0);
  for (const Change& change : changes) {
    CAPTURE(change.pointer);
    CAPTURE(change.value);
    folder.write(name, changed(good, change).dump());
    check_refused(syncsim(command, folder.path()), change.message);
  }
}

}  // namespace syncsim::testing
