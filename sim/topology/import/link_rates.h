#pragma once
// The link rates that importers take where a text names a link and no figure: from
// topologies/rates/links.json (link types by name, each with its source), profiles.json (which of
// them stand for NVLink, PCIe, sockets and networks on a generation of machines, and how many
// NVLinks its gpus have, and what its host bridges and NVSwitches can do), and cpus.json (what
// peer traffic costs at the host bridges of a vendor). Every profile has a link for one lane of
// PCIe ("pcie4_x1"), for sockets and for networks.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// Where nothing speaks for another.
inline constexpr std::string_view kDefaultProfile = "ampere";

struct RateProfile {
  std::string name;
  std::string description;
  // "nvlink", "pcie", "host", "socket", "network" -> a name in links.json.
  std::map<std::string, std::string> links;
  // Of one gpu; what is not known is no limit, and a gpu without NVLink has 0.
  int nvlinks = 0;
  int nvlink_peers = kNoLimit;      // gpus that it is joined to without a switch
  int nvlinks_per_peer = kNoLimit;  // to one of them
  Node cpu;                         // without an id, as is
  Node nvswitch;                    // this

  static constexpr int kNoLimit = 1'000'000;
};

std::string pcie_row(int generation);  // 4 -> "pcie4_x1", a lane's name in links.json

class LinkRates {
 public:
  // `directory` holds the three files. Throws InputError with its place.
  static LinkRates load(const std::string& directory);

  // A link without ends with the figures of one cable (link_type.h). Throws InputError for an
  // unknown name.
  const Link& link(std::string_view name) const;
  const RateProfile& profile(std::string_view name) const;
  // `count` cables (or PCIe lanes) of the profile's link of a kind ("pcie"), as one link: their
  // figures added up. Throws InputError when the profile has none.
  Link link(const RateProfile& profile, const std::string& kind, int count) const;
  const std::vector<RateProfile>& profiles() const { return profiles_; }
  // `width` lanes as one cable; its `lanes` are 0 where PCIe has no such width.
  Link pcie(int generation, int width) const;
  int pcie_generation(const RateProfile& profile) const;
  double peer_cost(std::string_view cpu_vendor) const;  // 1 for a vendor that is not listed

 private:
  std::map<std::string, Link, std::less<>> links_;
  std::vector<RateProfile> profiles_;
  std::map<std::string, double, std::less<>> peer_costs_;
};

}  // namespace syncsim
