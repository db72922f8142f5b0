#include "sim/report/library_setup.h"

#include <fmt/format.h>

namespace syncsim {

std::vector<std::string> LibrarySetup::words() const {
  std::vector<std::string> words;
  if (!library.empty()) words.push_back(library + (version.empty() ? "" : " " + version));
  if (!launch.empty()) words.push_back("launch " + launch);
  if (!network.empty() && network != "none") words.push_back("network " + network);
  if (channels > 0) words.push_back(fmt::format("at most {} channels", channels));
  if (!protocol.empty()) words.push_back("protocol " + protocol);
  if (!algorithm.empty()) words.push_back("algorithm " + algorithm);
  return words;
}

std::string choice_text(const std::string& algorithm, const std::string& protocol) {
  if (algorithm.empty()) return "-";
  return algorithm + (protocol.empty() ? "" : " " + protocol);
}

std::string binds_text(const std::string& binds, std::size_t width) {
  if (binds.empty()) return "-";
  return binds.size() <= width ? binds : ".." + binds.substr(binds.size() - width + 2);
}

}  // namespace syncsim
