#pragma once
// How a machine lets its devices reach each other, beyond its cables (rules 6 to 10 of routing.h).
// In a topology file, under "routing", all optional:
//   {"p2p": "PXB", "acs": true, "gdr": false, "relays": ["nvb", "pxn"], "nics": {"gpu0": "nic1"}}

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace syncsim {

// The farthest way over which a gpu reaches another's memory directly; farther pairs are staged
// through host memory. The names are those of NCCL_P2P_LEVEL: LOC never, NVL by nvlink (xgmi, c2c)
// only, PIX also through one PCIe switch, PXB through several, PHB through a host bridge, SYS
// always.
enum class PeerLevel : std::uint8_t { loc, nvl, pix, pxb, phb, sys };

// The links that a flow may take: all, or without those of class 0 (nvlink, xgmi, c2c), so that
// what goes over the host leaves these to others.
enum class Plane : std::uint8_t { all, host };

std::string_view to_string(PeerLevel level);        // "LOC"
PeerLevel parse_peer_level(std::string_view text);  // throws InputError with did-you-mean

struct RoutingPolicy {
  PeerLevel p2p = PeerLevel::sys;
  bool acs = false;  // PCIe peer traffic goes up to the root complex, even below one switch
  bool gdr = true;   // nics reach gpu memory directly; otherwise staged through host memory
  bool nvb = false;  // a gpu relays NVLink between two that lack it
  bool pxn = false;  // a gpu reaches a far nic's rail through the gpu beside its own nic of it
  // Of a gpu, the nic that it uses in place of the nearest. Node numbers, by gpu.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> nics;

  friend bool operator==(const RoutingPolicy&, const RoutingPolicy&) = default;
};

}  // namespace syncsim
