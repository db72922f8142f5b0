#pragma once
// What tells a sweep's points apart, and its files from those of another sweep, wherever the
// program was started and however its scenario's path was written. Files that the scenario names
// are named as seen from its folder. A digest is of all that the point says, of whether schedules
// are proved, and of what the files hold that it names: its machine and those that machine is made
// of, a plan, a background, rings. Machines of the shelf come with the program, and count by their
// names alone. Each file is read once. Any thread may call.

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "sim/scenario/point.h"

namespace syncsim {

class SweepPoints {
 public:
  // `scenario`: the path of the file, as it was written; `shelf`: where the shipped machines lie.
  SweepPoints(const std::string& scenario, const std::string& shelf, bool check);

  // With the paths as seen from the scenario's folder.
  Point named(Point point) const;
  // So are the paths that an error names; files of the shelf by their names alone.
  std::string named_error(const std::string& text) const;
  // 16 hexadecimal digits.
  std::string digest_of(const Point& point);

 private:
  std::string beside(const std::string& path) const;
  std::uint64_t print_of(const std::string& path);
  std::uint64_t machine_print(const std::string& path);

  std::string shelf_;
  std::string folder_;  // as it was written; empty: where the program was started
  bool check_;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> prints_;    // of files, by path
  std::map<std::string, std::uint64_t> machines_;  // of files with all that they are made of
};

}  // namespace syncsim
