#pragma once
// The field "loading" of training steps: the bytes of a rank's batch, "77 MB", or
//   {"bytes": "77 MB", "from": "node*/cpu0", "ahead": 1}
// where all but the bytes may be left out. Batches come from the CPU that is nearest to the rank,
// or from the node that is named; of several, from the one in the rank's box.

#include <optional>
#include <span>

#include "sim/base/json_reader.h"
#include "sim/topology/topology.h"
#include "sim/workload/batch_loading.h"

namespace syncsim {

struct LoadingField {
  LoadingOptions options;          // but for the nodes, which a machine has to know
  std::optional<JsonReader> from;  // as written
};

LoadingField read_loading(const JsonReader& json);

// With a node for each rank. Throws InputError with the place of "from", or without one where a
// rank has no CPU near, or more steps are loaded ahead than there are.
LoadingOptions loading_on(const LoadingField& field, const Topology& machine,
                          std::span<const NodeId> ranks, int steps);

}  // namespace syncsim
