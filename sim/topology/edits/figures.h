#pragma once
// Figures of one link: how edits read and set them. A bandwidth is that of all the cables between
// two nodes, line and usable (usable keeps its fraction of line). More or fewer cables, lanes or
// another PCIe generation change it in proportion.

#include <string_view>

#include "sim/topology/topology.h"

namespace syncsim {

double parse_factor(std::string_view text);          // finite, above zero
double parse_factor_or_zero(std::string_view text);  // of events
double parse_ratio(std::string_view text);           // finite, 1 or more
double parse_peer_cost(std::string_view text);       // the same
int parse_cable_count(std::string_view text);
int parse_pcie_width(std::string_view text);       // "x8" or "8"
int parse_pcie_generation(std::string_view text);  // "3"

// Throws InputError unless files may say both bandwidths; `name` is the link's.
void require_in_range(const Link& link, std::string_view name);

void set_bandwidth(Link& link, double bytes_per_second);
void set_count(Link& link, int count);
// Throw InputError for a link that is not PCIe, or does not say its present one.
void set_width(Link& link, int lanes);
void set_generation(Link& link, int generation);

}  // namespace syncsim
