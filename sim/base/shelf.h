#pragma once
// Files that came with the program, named without path and ".json": machines, models.

#include <string>
#include <string_view>
#include <vector>

namespace syncsim {

struct Shelf {
  std::string directory;     // empty: there is none
  std::string_view what;     // as messages speak of what lies on it: "topology"
  std::string_view plural;   // "topologies"
  std::string_view shipped;  // "machine"
};

// Names on the shelf, sorted. Files with a further '.' in their name, such as schemas, are none.
// Throws InputError where the directory cannot be read.
std::vector<std::string> names_on(const Shelf& shelf);

// The file that `reference` stands for: a path (it holds '/' or ends in ".json"), taken from the
// directory `beside`, or a name on the shelf, i.e. its file NAME.json; NAME.json is that, too,
// where no such file is beside. Throws InputError without a place when there is none; did-you-mean.
std::string path_on(const Shelf& shelf, const std::string& reference,
                    const std::string& beside = "");

}  // namespace syncsim
