#include "sim/scenario/library/library_words.h"

#include <vector>

#include "sim/exec/cost_model/library_profile.h"

namespace syncsim {

const NamedTable<LibraryRow>& libraries() {
  static const NamedTable<LibraryRow> table(
      "library",
      {{"nccl", "NVIDIA's"}, {"rccl", "AMD's"}, {"none", "no library: what the hardware takes"}});
  return table;
}

const Words<Launch>& launches() {
  static const Words<Launch> words(
      "launch", {{"unknown", "the source does not say", Launch::unknown},
                 {"one_process", "one process drives all gpus of a node", Launch::one_process},
                 {"process_per_gpu", "a process a gpu", Launch::process_per_gpu},
                 {"graph", "replayed CUDA graphs", Launch::graph}});
  return words;
}

const Words<Network>& networks() {
  static const Words<Network> words("network", [] {
    std::vector<Word<Network>> rows;
    for (const NetworkName& each : network_names())
      rows.push_back({each.name, each.description, each.network});
    return rows;
  }());
  return words;
}

const Words<NcclProtocol>& protocols() {
  static const Words<NcclProtocol> words(
      "protocol", {{to_string(NcclProtocol::ll), "flags beside data", NcclProtocol::ll},
                   {to_string(NcclProtocol::ll128), "a flag a line", NcclProtocol::ll128},
                   {to_string(NcclProtocol::simple), "whole chunks", NcclProtocol::simple}});
  return words;
}

}  // namespace syncsim
