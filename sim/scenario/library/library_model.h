#pragma once
// What a run of a collective library takes: its algorithm and protocol, chosen as its tuner does,
// run by the event engine on the machine as the library finds it (sim/exec/cost_model), with what
// every call costs beside. The story of `predict`, `figures` and `validate`.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/exec/cost_model/library_terms.h"
#include "sim/scenario/run.h"
#include "sim/schedule/collective.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct LibraryTime {
  double microseconds = 0;  // a call, as nccl-tests times it
  std::string algorithm;    // "ring", "tree", "nvls", "nvls_tree", "pat", "send/recv"
  std::string protocol;     // "ll", "ll128", "simple"
  int channels = 0;         // of the library; 0: not said
  double device = 0;        // us of those, within the engine
  double call = 0;          // us that every call pays beside
  bool host_bound = false;  // the process that drives several gpus takes longer than they do
  std::string busiest;      // the link that carries most of what it can: "gpu0>nvs1"; or empty
  double busiest_use = 0;   // its share of the engine's time in use, 0 to 1
};

class LibraryModel {
 public:
  // Of a collective of `datatype` among these ranks (nodes of the machine). Throws InputError,
  // without a place, where a library's model does not apply: gpus without architecture, nodes that
  // nothing joins.
  LibraryModel(Topology machine, std::vector<NodeId> ranks, const Collective& collective,
               const LibraryTerms& terms, const RunSettings& settings);
  ~LibraryModel();
  LibraryModel(LibraryModel&&) noexcept;
  LibraryModel& operator=(LibraryModel&&) noexcept;

  // The terms with what was assumed filled in.
  const LibraryTerms& terms() const;
  // What nobody said and the model took for granted, in words: "launch not said: one process drives
  // all 8 gpus, as nccl-tests -g 8".
  const std::vector<std::string>& assumed() const;

  LibraryTime at(Bytes bytes) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace syncsim
