#pragma once
// Machines from what other tools say of them. An importer is one file beside this one and one row
// in importers.cpp. It reads text that others wrote, so it is forgiving: what is odd but can be
// understood (no link speed, a virtual PCI tree, an unknown vendor) becomes a warning that says
// what was taken in its place; what cannot be is an InputError with its place ("topo.xml:12:3").
// Bounded: text is at most kMostImportBytes, and no figure in it decides on memory unchecked.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/topology/import/link_rates.h"
#include "sim/topology/topology.h"

namespace syncsim {

inline constexpr std::int64_t kMostImportBytes = 64'000'000;

struct ImportOptions {
  const LinkRates& rates;
  std::string profile;           // a row of the rates' profiles; empty: from the text, or a default
  std::optional<Topology> onto;  // the machine whose figures are fitted
};

struct Imported {
  Topology::Parts parts;  // a machine that Topology's constructor accepts
  // One line each: "topo.xml:12:3: link_width is 0; took x16". In order of the text.
  std::vector<std::string> warnings;
};

struct Importer {
  std::string_view name;
  std::string_view description;
  // Whether the text looks like this format, however malformed further on. Cheap.
  bool (*recognises)(std::string_view text);
  // `file` is for places only. The machine's name is left to the caller.
  Imported (*read)(std::string_view text, const std::string& file, const ImportOptions& options);
  bool fits = false;  // figures onto a machine, rather than describing one
};

const NamedTable<Importer>& importers();

// Throws InputError (without a place) for a text that is blank or UTF-16.
void refuse_unreadable(std::string_view text);

// By name, or, when `format` is empty, by what the text looks like. Refuses unreadable texts.
const Importer& importer_for(std::string_view text, const std::string& format);

}  // namespace syncsim
