#pragma once
// Plain traffic: flows that start at given times, with nothing between them but the links that they
// share. Read from a CSV file (see csv_reader.h for its form) whose header names the columns, in
// any order:
//   start         "1.5 us", or a bare number of seconds as other simulators write it ("0.0000015",
//                 "1.5e-6"), rounded to the nearest picosecond, halves up
//   source        a node of the machine, not only a rank
//   destination   the same; the source itself is allowed
//   bytes         "4 MiB", or a bare whole number of bytes
//   via           optional: a node to pass; empty: the machine's own route
//   weight        optional: share of a contended link relative to the others; empty: 1
// The columns that write_flows() adds are passed over, so that what it wrote can be replayed.

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/memory.h"
#include "sim/base/units.h"
#include "sim/base/watch.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct Flow {
  Time start;
  NodeId source = 0;
  NodeId destination = 0;
  std::optional<NodeId> via;
  Bytes bytes;
  double weight = 1;
  std::uint32_t line = 0;  // of the file
};

struct Traffic {
  std::string file;
  std::vector<Flow> flows;  // in file order, at least one
  Bytes bytes;              // of all flows

  std::string place(const Flow& flow) const;  // "flows.csv:3"
};

inline constexpr std::size_t kMostFlows = 100'000'000;

struct ReadingOptions {
  Watch* watch = nullptr;
  MemoryLimit memory = {};
  std::uint64_t flows = 0;  // that are expected; 0: not known
};

// Throws InputError at "NAME:LINE:COLUMN" or "NAME:LINE", or at "NAME" when a replay of the flows
// would pass the memory; Interrupted when the watch says so.
Traffic read_traffic(std::istream& input, std::string name, const Topology& topology,
                     const ReadingOptions& options = {});
// The same from a file; one that is missing or cannot be read is told without a place. How many
// flows it holds is estimated from its size and its first lines before it is read.
Traffic load_traffic(const std::string& path, const Topology& topology,
                     const ReadingOptions& options = {});

}  // namespace syncsim
