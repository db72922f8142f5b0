#pragma once
// What there is, by kind of thing: for `list`, and for the shells' completion.

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/schedule/strategy.h"

namespace syncsim::cli {

struct Entry {
  std::string name;
  std::string description;
  std::vector<ParameterRow> parameters;
  bool choice = false;  // among strategies
};

struct Listing {
  std::string_view name;
  std::string_view description;
  std::vector<Entry> (*entries)();
};

const NamedTable<Listing>& listings();
// The listings themselves.
std::vector<Entry> listing_entries();

// Names alone, which is fast: machines and models are not read.
std::vector<std::string> listed_names(std::string_view listing);
// Of formats that have a use: "report", "check", "import", "model import", "export".
std::vector<std::string> format_names(std::string_view use);

}  // namespace syncsim::cli
