#pragma once
// What figures of a collective library are of, beside the machine: the library and how it was run,
// as the model took them.

#include <cstddef>
#include <string>
#include <vector>

namespace syncsim {

struct LibrarySetup {
  std::string library = {};  // of texts empty, and of channels 0: not said
  std::string version = {};
  std::string launch = {};
  std::string network = {};
  int channels = 0;            // at most, where that was pinned
  std::string protocol = {};   // that was pinned
  std::string algorithm = {};  // the same, or a strategy in its place
  std::vector<std::string> assumed = {};

  // "nccl 2.19.3", "launch graph", "at most 4 channels"
  std::vector<std::string> words() const;
};

// "ring ll"; "-" where nobody says what ran.
std::string choice_text(const std::string& algorithm, const std::string& protocol);
// What binds, in a column: "-" where nobody knows, of long names the end.
std::string binds_text(const std::string& binds, std::size_t width);

}  // namespace syncsim
