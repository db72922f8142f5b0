#pragma once
// Where the machines come from of which others are made: a file beside the one that names it, a
// file of the shelf, or an object written in place. Nothing here is checked as a whole: that is
// done once, for the machine that is asked for (topology_json.h).
//
// 1. A file is read once, however often it is named.
// 2. Files that lead back to themselves are refused with the cycle, and so is nesting deeper than
//    kDeepest.
// 3. After an error, nothing more is read.
// 4. What is read stays in memory until the source ends, and counts when there is to be room for
//    more.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/base/memory.h"
#include "sim/topology/machine_size.h"
#include "sim/topology/topology.h"

namespace syncsim {

// Shared: a file's machine is also kept for the next who names it.
using MachinePart = std::shared_ptr<const Topology::Parts>;

class MachineSource {
 public:
  static constexpr std::size_t kDeepest = 8;

  // For one machine, which `file` describes. Keeps a reference to `memory`.
  MachineSource(const std::string& file, const MemoryLimit& memory, std::string shelf_directory);

  // The machine that an object describes: nodes and links, or a kind.
  Topology::Parts read(const JsonReader& object);
  // A machine for use in another: `reference` is a path, a name on the shelf, or an object. It has
  // nodes, perhaps no ranks.
  MachinePart part(const JsonReader& reference);
  // Refuses, at `at`, a machine of this size that there is no room for, or that is beyond
  // kMostNodes or kMostCables.
  void require_room(const JsonReader& at, const MachineSize& size) const;

 private:
  struct OpenFile {
    std::string path;  // canonical
    std::string name;  // as it was called
  };

  MachinePart load(const JsonReader& reference);
  MachinePart hold(Topology::Parts parts);
  void check_open(const JsonReader& reference, const OpenFile& file) const;

  const MemoryLimit& memory_;
  std::string shelf_directory_;
  std::vector<OpenFile> open_;  // each named by the one before it
  std::size_t depth_ = 0;       // of objects, too
  std::map<std::string, MachinePart> files_;
  MachineSize held_;
};

}  // namespace syncsim
