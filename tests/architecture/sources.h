#pragma once
// The sources of this repository.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/architecture/includes.h"

namespace syncsim::testing {

inline const std::filesystem::path kRoot = SYNCSIM_SOURCE_DIR;

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Sources read_sources() {
  Sources sources;
  for (const char* directory : {"sim", "strategies"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / directory))
      if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
        sources[entry.path().lexically_relative(kRoot).generic_string()] = text_of(entry.path());
  return sources;
}

inline Layers direct_layers() { return declared_layers(text_of(kRoot / "CMakeLists.txt")); }

}  // namespace syncsim::testing
