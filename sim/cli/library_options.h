#pragma once
// What a command line says of the collective library that ran, or would run.

#include <optional>
#include <string>

#include "sim/exec/cost_model/library_terms.h"

namespace CLI {
class App;
}

namespace syncsim::cli {

struct LibraryOptions {
  std::optional<std::string> library;
  std::optional<std::string> version;
  std::optional<std::string> launch;
  std::optional<std::string> network;
  std::optional<std::string> channels;
  std::optional<std::string> protocol;
  std::optional<std::string> algorithm;
};

bool is_given(const LibraryOptions& options);  // any of them

// --library, --library-version, --launch, --network, --channels, --protocol, --algorithm.
void declare_library_options(CLI::App& app, LibraryOptions& options);

// What the options say on top of what a file said. Throws InputError at the option.
LibraryTerms terms_of(const LibraryOptions& options, LibraryTerms said = {});

}  // namespace syncsim::cli
