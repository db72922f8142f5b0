#pragma once
// What a generated machine joins:
//   "gpus": 16                                 gpu0 to gpu15, or
//   "machines": 16, "machine": "dgx_a100"      copies of a machine, node0/ to node15/
// A machine is a path, a name on the shelf, or an object (machine_source.h). It is joined by its
// ports: "ports", a range of its node ids, or else its nics, or its gpus when it has no nic. Its
// routing policy is the whole's.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/topology/machine_size.h"
#include "sim/topology/machine_source.h"

namespace syncsim {

inline constexpr std::int64_t kMostLeaves = 1'000'000;

struct Leaves {
  JsonReader at;  // where their number was written
  std::uint64_t count = 0;
  MachinePart machine;        // none: gpus
  std::vector<NodeId> ports;  // of each leaf, by its own numbers

  std::uint64_t all_ports() const { return count * ports.size(); }
  MachineSize size() const;
  std::string text() const;  // "16 gpus", "16 dgx_a100"
  std::string name() const;  // "16", "16 dgx_a100"
};

// "gpus", or "machines" and "machine".
Leaves read_leaves(const JsonReader& json, MachineSource& source);
// "machines" and "machine".
Leaves read_machines(const JsonReader& json, MachineSource& source);
// So many gpus, or copies of "machine" if there is one.
Leaves read_leaves_of(const JsonReader& json, const JsonReader& at, std::uint64_t count,
                      MachineSource& source);

// Appends them to a machine that has no nodes yet. Returns their ports, leaf by leaf. Gpus forward
// if it says so; those of machines are as they are.
enum class GpuForwards : bool { no, yes };
std::vector<NodeId> add_leaves(Topology::Parts& parts, const Leaves& leaves, GpuForwards forwards);

}  // namespace syncsim
