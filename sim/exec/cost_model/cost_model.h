#pragma once
// What one run of a library costs, by algorithm, protocol and size: prices of links for the engine,
// and what every call costs beside (library_profile.h has the constants). Launch and network are
// what LibraryTerms say, or their defaults. Of the library "none" nothing costs anything: links run
// at their usable rates.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/exec/cost_model/library_profile.h"
#include "sim/exec/cost_model/link_prices.h"
#include "sim/schedule/collective.h"
#include "sim/topology/topology.h"

namespace syncsim {

// What a library runs for a call.
struct LibraryPlan {
  NcclAlgorithm algorithm = NcclAlgorithm::ring;
  NcclProtocol protocol = NcclProtocol::simple;
  bool pairwise = false;  // point to point: of no algorithm
};

class CostModel {
 public:
  // Keeps the machine by reference. Throws InputError without a place where the profile knows
  // nothing of the stack between nodes.
  CostModel(const Topology& machine, std::span<const NodeId> ranks, CollectiveKind kind,
            const LibraryTerms& terms, const NcclFormula& formula, const std::string& directory);

  const LibraryTerms& terms() const { return terms_; }  // with defaults filled in
  const std::vector<std::string>& assumed() const { return assumed_; }

  // The machine as the library's steps find it, where these of the ranks take part.
  Topology fitted(const LibraryPlan& plan, Bytes bytes, std::span<const NodeId> ranks) const;
  double call(const LibraryPlan& plan) const;  // us beside the engine's time
  double host() const;                         // us that a call takes at least
  // What follows each other on a channel of a tree: so many chunks as the library cuts, and those
  // that are worth a run, no more than `most_chunks`.
  double pieces(const LibraryPlan& plan, Bytes bytes) const;
  int most_chunks(const LibraryPlan& plan) const;
  int chunks(const LibraryPlan& plan, Bytes bytes) const;

 private:
  bool is_free() const { return terms_.library == "none"; }
  LinkPrices prices(const LibraryPlan& plan, Bytes bytes) const;
  void assume_launch();
  void assume_network();
  void find_network(const Topology& machine, std::span<const NodeId> ranks,
                    const std::string& costs);
  bool fits(const NetworkCost& row, bool c2c) const;
  double pins_cap() const;
  double pair_cap(const LibraryPlan& plan, double bytes) const;
  double far_pair_cap() const;
  double piece_on_nic(const LibraryPlan& plan, double bytes) const;
  double busy_share(const LibraryPlan& plan, double bytes) const;
  void price_gpus(const LibraryPlan& plan, double bytes, double use, LinkPrices& prices) const;
  void price_network(const LibraryPlan& plan, double bytes, double use, LinkPrices& prices) const;

  const Topology& machine_;
  CollectiveKind kind_;
  LibraryTerms terms_;
  NcclGraph graph_;
  NcclCutting cutting_;
  int nvls_channels_ = 0;
  ByNodes ll_caps_{};
  LibraryProfile profile_;
  std::optional<NetworkCost> network_;  // over several nodes
  double hosts_ = 1;                    // that a node is of, as a rack that NVLink joins
  double nics_ = 1;
  double nic_rate_ = 0;       // GB/s of a nic's line
  bool nics_shared_ = false;  // a box has fewer nics than gpus
  PeerLevel peer_level_ = PeerLevel::sys;
  bool staged_ = false;  // peers meet in host memory
  std::vector<std::string> assumed_;
};

}  // namespace syncsim
