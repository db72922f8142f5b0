#include "sim/cli/colour.h"

#include <unistd.h>

#include <cstdlib>

namespace syncsim::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string set_off(std::string_view text, std::string_view code, int file) {
  if (!takes_colour(file)) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

}  // namespace

bool takes_colour(int file) {
  if (!variable("NO_COLOR").empty()) return false;
  const std::string_view force = variable("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  const std::string_view terminal = variable("TERM");
  return !terminal.empty() && terminal != "dumb" && isatty(file) == 1;
}

std::string red(std::string_view text, int file) { return set_off(text, "31", file); }
std::string bold(std::string_view text, int file) { return set_off(text, "1", file); }

std::string error_prefix() { return red("syncsim:", STDERR_FILENO) + " "; }

}  // namespace syncsim::cli
