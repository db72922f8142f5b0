#pragma once
// The PCIe link above a device, from what hwloc read of its speed: lanes of a generation, as many
// as can be, up to 16. What is told with a warning: an unknown speed (0) is 16 lanes of the
// profile's; a gpu at Gen1 x16 or x8 idles and has the profile's generation; so does a switch above
// gpus, which has that of the fastest gpu below it where one is awake; other speeds are kept.

#include <optional>
#include <string>

#include "sim/topology/import/hwloc_tree.h"
#include "sim/topology/import/link_rates.h"

namespace syncsim {

class HwlocSpeeds {
 public:
  // Keeps references.
  HwlocSpeeds(const LinkRates& rates, const RateProfile& profile, XmlWarnings& warnings)
      : rates_(rates), profile_(profile), warnings_(warnings) {}

  Link link_above(const HwlocDevice& device);

 private:
  struct Lanes {
    int generation;
    int count;
  };

  std::optional<Lanes> lanes_of(double gigabytes) const;
  int idle_lanes(const HwlocDevice& device) const;
  int awake_generation(const HwlocDevice& device) const;
  Link woken(const HwlocDevice& device, int lanes);
  Link kept(const HwlocDevice& device);
  Link link_of(const Lanes& lanes) const { return rates_.pcie(lanes.generation, lanes.count); }
  std::string text_of(const Lanes& lanes) const;
  std::string of_profile() const;

  const LinkRates& rates_;
  const RateProfile& profile_;
  XmlWarnings& warnings_;
};

}  // namespace syncsim
