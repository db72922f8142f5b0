#pragma once
// The figures of a machine that measurements can tell, each of one thing or of all that are alike:
// usable bandwidth, latency and overhead of links; reduce and transit bandwidth of nodes that have
// one. Alike are links of one kind with the same figures a cable, and nodes of one kind with the
// same bandwidth; with Grouping::link no two cables, and no two nodes.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/topology/topology.h"

namespace syncsim {

enum class FigureKind : std::uint8_t { bandwidth, latency, overhead, reduce, transit };

struct FigureKindRow {
  std::string_view name;  // "bandwidth"
  std::string_view description;
  FigureKind kind;
};
const NamedTable<FigureKindRow>& figure_kinds();
std::string_view to_string(FigureKind kind);

enum class Grouping : std::uint8_t { kind, link };
// Whether usable bandwidths may exceed line rates, which then are raised with them.
enum class LineRates : std::uint8_t { bound, raised };

struct Figure {
  FigureKind kind = FigureKind::bandwidth;
  std::string of;                      // "pcie", "gpu0-switch0", "cpu0"
  std::vector<std::uint32_t> members;  // links or nodes
  double value = 0;                    // bytes/s, of links a cable; or seconds
  double most = 0;                     // that it may become

  bool is_rate() const { return kind != FigureKind::latency && kind != FigureKind::overhead; }
  std::string name() const;        // "latency of pcie"
  std::string value_text() const;  // "2.0000 us", "12 GB/s"
};

// In the order of the kinds, and of links and nodes.
std::vector<Figure> figures_of(const Topology& machine, Grouping grouping, LineRates lines);

// The machine with other values; delays in whole picoseconds.
Topology with_figures(const Topology& machine, std::span<const Figure> figures);

}  // namespace syncsim
