#include "sim/scenario/library/library_words.h"

#include <vector>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/exec/cost_model/library_profile.h"
#include "sim/schedule/strategy.h"

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

const Words<NcclAlgorithm>& algorithms() {
  static const Words<NcclAlgorithm> words("algorithm", [] {
    std::vector<Word<NcclAlgorithm>> rows;
    for (std::size_t i = 0; i < kNcclAlgorithms; ++i) {
      const auto algorithm = static_cast<NcclAlgorithm>(i);
      rows.push_back({to_string(algorithm), "as NCCL_ALGO", algorithm});
    }
    return rows;
  }());
  return words;
}

std::string parse_algorithm(const std::string& text) {
  if (algorithms().find(text) == nullptr && strategies().find(text) == nullptr)
    throw InputError(in_quotes(text) + " is no algorithm",
                     "write ring, tree, nvls, nvls_tree or pat, or a strategy's name");
  return text;
}

}  // namespace syncsim
