#pragma once
// Machines as other tools read them, and as our own files. An exporter is one file beside this one
// and one row in exporters.cpp. Pure: the same machine, the same text.

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/topology/import/link_rates.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct Exported {
  std::string text;                   // ends with a newline
  std::vector<std::string> warnings;  // of what the format cannot say; one line each
};

struct Exporter {
  std::string_view name;
  std::string_view description;
  // Throws InputError without a place for a machine that the format has no words for.
  Exported (*write)(const Topology& topology, const LinkRates& rates);
};

const NamedTable<Exporter>& exporters();

}  // namespace syncsim
