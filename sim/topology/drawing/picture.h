#pragma once
// What is drawn: figures, the bundles of links between them, frames around them. Made by fold.h
// without places, which layout.h adds; then labels.h says what stands on lines, label_places.h
// where, and dot_text.h writes it. Points, x to the right, y upwards.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim::drawing {

enum class Role : std::uint8_t { gpu, cpu, nic, box, pcie_switch, nvswitch, network_switch };

struct Spot {
  double x = 0;
  double y = 0;
};

struct Figure {
  Role role = Role::gpu;
  std::vector<std::string> lines;  // of its label
  std::size_t count = 1;           // how many nodes or boxes it stands for
  std::string box = {};            // its nodes' prefix; empty: none
  std::string tooltip = {};
  double heat = 0;   // of the hottest inside: transit, links within it
  Spot at = {};      // its middle
  double width = 0;  // 0: of its label
  double height = 30;
};

// All links of one kind between two figures.
struct Bundle {
  std::size_t a = 0;  // indices of figures
  std::size_t b = 0;
  LinkKind kind = LinkKind::pcie;
  std::size_t cables = 0;
  double there = 0;  // bytes/s of all of them, a to b
  double back = 0;
  double least = 0;  // of one cable, either direction
  double most = 0;
  double hottest_there = 0;  // utilization of the hottest, by direction
  double hottest_back = 0;
  double carried_there = 0;  // bytes/s of all of them: `there` times their mean utilization
  double carried_back = 0;
  bool half_duplex = false;  // `there` and `back` are one capacity
  LinkId example = 0;        // one of its links
  // Cubic Bezier curves, 3n + 1 spots each; several where it is drawn in pieces.
  std::vector<std::vector<Spot>> curves = {};
  std::string label = {};  // "": none
  Spot label_at = {};      // its middle
};

struct Frame {
  std::string title;
  std::vector<std::size_t> figures;
  std::vector<Frame> inner = {};
  Spot low = {};  // its corners
  Spot high = {};
};

struct Picture {
  std::vector<Figure> figures;
  std::vector<Bundle> bundles;  // between different figures
  std::vector<Frame> frames = {};
  std::vector<LinkKind> hidden = {};              // of links within figures, sorted
  std::array<std::string, 7> common_labels = {};  // by LinkKind: in the legend, not on lines
  bool detailed = false;                          // a figure a node
  bool unlabelled = false;                        // too many lines to say anything on them
  bool wrapped = false;  // some bundles end in stubs that lead to the opposite side
  Spot size = {};        // from (0, 0)
};

inline constexpr double kIdle = 0.005;  // utilization below it is written 0 %

inline bool is_switch(Role role) { return role >= Role::pcie_switch; }
inline bool is_leaf(Role role) {
  return role == Role::gpu || role == Role::nic || role == Role::box;
}

}  // namespace syncsim::drawing
