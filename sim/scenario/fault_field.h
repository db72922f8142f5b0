#pragma once
// What training steps say of faults and of failures:
//   fault        what is lost, and when: {"link": "gpu0-gpu1", "step": 7, "at": "5 ms"}, or as text
//                "step 7 at 5 ms link:gpu0-gpu1"; {"rank": 3}; {"server": "s1/cpu0"}. A link may
//                keep a part: "bandwidth": "8 GB/s", or {"scale": "kind:nvlink", "bandwidth": 0.5}
//   recovery     none, reroute, shrink, restore, replicate (workload/fault_times.h)
//   detect, restart, repair    times, as long as "6 h"
//   checkpoint_every, checkpoint  steps between two, and what one costs: a time, {"write": T,
//                "read": T}, or {"to": NODE, "bytes": B}, which is simulated
//   mtbf         of a part, as long as "3 years"
//   failures     {"of": "run" | "rank" | "link" | "server", "horizon": "30 days", "replicas": 20}

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/scenario/long_time.h"
#include "sim/topology/edits.h"
#include "sim/workload/fault_times.h"

namespace syncsim {

struct Fault {
  enum class Kind : std::uint8_t { link, rank, server };
  Kind kind = Kind::rank;
  std::int64_t step = 0;  // so many are done before
  Time at;                // from the step's begin
  LinkEdit links = {};    // of a link: what becomes of its bandwidth
  int rank = 0;           // of the run
  std::string server;     // a node
  std::string text;       // what is lost, for people
};

enum class FailingPart : std::uint8_t { run, rank, link, server };

struct FaultField {
  std::optional<Fault> fault;
  Recovery recovery = Recovery::none;
  Time detect;
  Time restart;
  std::optional<Time> repair;
  Checkpoints checkpoints;
  std::optional<JsonReader> checkpoint_to;  // a node, to which they are written
  std::optional<Bytes> checkpoint_bytes;    // of all ranks; nullopt: the parameters'
  double mtbf = 0;                          // seconds; 0: nothing fails by chance
  FailingPart failing = FailingPart::run;
  Time horizon{30 * 24 * 3600 * 1'000'000'000'000};
  int replicas = 20;
  std::vector<std::string> servers_left;  // after a loss, of a store; empty: nothing is lost

  // Of steps that are only compared with others.
  void forget() {
    fault.reset();
    mtbf = 0;
  }
};

std::string_view to_string(Recovery recovery);
std::string_view to_string(FailingPart part);

void read_fault(const JsonReader& json, FaultField& field);
void read_recovery(const JsonReader& json, FaultField& field);
void read_checkpoint_every(const JsonReader& json, FaultField& field);
void read_checkpoint(const JsonReader& json, FaultField& field);
void read_mtbf(const JsonReader& json, FaultField& field);
void read_failures(const JsonReader& json, FaultField& field);

}  // namespace syncsim
