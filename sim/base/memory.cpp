#include "sim/base/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "sim/base/error.h"

namespace syncsim {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t less(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? limit - used : 0;
}

// The file's first number; nothing for "max" and for files that are not there.
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream input(file);
  std::uint64_t number = 0;
  if (input >> number) return number;
  return std::nullopt;
}

// Of a file of lines "KEY NUMBER" or "KEY: NUMBER kB".
std::optional<std::uint64_t> entry(const fs::path& file, std::string_view key) {
  std::ifstream input(file);
  for (std::string line; std::getline(input, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t number = 0;
    if (words >> name >> number && name == key) return number;
  }
  return std::nullopt;
}

std::uint64_t free_in_machine(const std::string& root) {
  constexpr std::uint64_t kKibibyte = 1024;
  const auto available = entry(root + "/proc/meminfo", "MemAvailable:");
  return available ? *available * kKibibyte : kNoLimit;
}

// What the two versions of control groups call things.
struct GroupFiles {
  const char* mount;
  const char* limit;
  const char* usage;
  const char* files[2];  // entries of memory.stat: what is held of files, and can be dropped
};
constexpr GroupFiles kVersion1 = {"/sys/fs/cgroup/memory",
                                  "memory.limit_in_bytes",
                                  "memory.usage_in_bytes",
                                  {"total_inactive_file", "total_active_file"}};
constexpr GroupFiles kVersion2 = {
    "/sys/fs/cgroup", "memory.max", "memory.current", {"inactive_file", "active_file"}};

std::uint64_t free_in_group(const fs::path& group, const GroupFiles& names) {
  const auto limit = number_in(group / names.limit);
  if (!limit) return kNoLimit;
  std::uint64_t used = number_in(group / names.usage).value_or(0);
  for (const char* file : names.files)
    used = less(used, entry(group / "memory.stat", file).value_or(0));
  return less(*limit, used);
}

// A group is bound by those around it as well. Inside a container the path may be the host's: the
// container's own group then is the mount itself, which comes last.
std::uint64_t free_in_groups(const std::string& root, const GroupFiles& names, fs::path path) {
  const fs::path mount = root + names.mount;
  std::uint64_t least = kNoLimit;
  for (path = path.relative_path(); !path.empty(); path = path.parent_path())
    least = std::min(least, free_in_group(mount / path, names));
  return std::min(least, free_in_group(mount, names));
}

// Lines of /proc/self/cgroup are "ID:CONTROLLERS:PATH"; version 2 names no controllers.
std::uint64_t free_in_all_groups(const std::string& root) {
  std::uint64_t least = kNoLimit;
  std::ifstream input(root + "/proc/self/cgroup");
  for (std::string line; std::getline(input, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, free_in_groups(root, kVersion2, path));
    if (controllers.find(",memory,") != controllers.npos)
      least = std::min(least, free_in_groups(root, kVersion1, path));
  }
  return least;
}

std::uint64_t free_in_address_space(const std::string& root) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  const std::uint64_t pages = number_in(root + "/proc/self/statm").value_or(0);
  return less(limit.rlim_cur, pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

struct Rough {
  std::string figure;
  std::string_view prefix;
};

Rough rough(std::uint64_t value) {
  constexpr std::string_view kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  auto figure = static_cast<double>(value);
  std::size_t unit = 0;
  for (; figure >= 999.5; figure /= 1000) ++unit;
  const bool fraction = unit > 0 && figure < 9.95;
  return {fmt::format("{:.{}f}", figure, fraction ? 1 : 0), kPrefixes[unit]};
}

}  // namespace

void require_room(const MemoryLimit& limit, std::uint64_t need, std::string_view what,
                  std::string_view detail, std::string_view right) {
  if (limit.allows(need)) return;
  if (limit.passed != nullptr) *limit.passed = true;
  const std::string brackets = detail.empty() ? "" : fmt::format(" ({})", detail);
  throw InputError(
      fmt::format("{} needs about {}{}, {}", what, rough_bytes(need), brackets, limit.text),
      fmt::format("{}, or allow more with --memory", right));
}

std::uint64_t available_memory(const std::string& root) {
  return std::min({free_in_machine(root), free_in_all_groups(root), free_in_address_space(root)});
}

std::string rough_bytes(std::uint64_t bytes) {
  const auto [figure, prefix] = rough(bytes);
  return fmt::format("{} {}B", figure, prefix);
}

std::string rough_count(std::uint64_t count) {
  const auto [figure, prefix] = rough(count);
  return prefix.empty() ? figure : fmt::format("{} {}", figure, prefix);
}

}  // namespace syncsim
