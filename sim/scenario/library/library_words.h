#pragma once
// What people call the terms of a library (sim/exec/cost_model/library_terms.h), in files and as
// options.

#include "sim/exec/cost_model/library_terms.h"
#include "sim/scenario/words.h"

namespace syncsim {

// "nccl", "rccl", "none".
struct LibraryRow {
  std::string_view name;
  std::string_view description;
};
const NamedTable<LibraryRow>& libraries();

const Words<Launch>& launches();
const Words<Network>& networks();
const Words<NcclProtocol>& protocols();
const Words<NcclAlgorithm>& algorithms();

// What LibraryTerms::algorithm may be: a name of algorithms() or of strategies(). Throws InputError
// without a place.
std::string parse_algorithm(const std::string& text);

}  // namespace syncsim
