#pragma once
// A replay as CSV (RFC 4180), one line a finished flow in file order, under a header:
//   index        from 0, of all flows
//   start,source,destination,bytes,via,weight   what was asked: seconds, whole bytes
//   finish,fct   seconds to the picosecond; fct = finish - start
//   finish_ps,fct_ps   the same in whole picoseconds
// read_traffic() reads it back as the traffic that it came from.

#include <ostream>

#include "sim/exec/replay.h"
#include "sim/exec/traffic.h"
#include "sim/topology/topology.h"

namespace syncsim {

void write_flows(std::ostream& out, const Traffic& traffic, const Replay& replay,
                 const Topology& topology);

}  // namespace syncsim
