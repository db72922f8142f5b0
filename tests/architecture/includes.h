#pragma once
// Which file may include which: the layers as CMakeLists.txt declares them, and what in a tree of
// sources breaks them.

#include <map>
#include <set>
#include <string>
#include <vector>

namespace syncsim::testing {

// Layer -> the layers it may include from, itself not among them.
using Layers = std::map<std::string, std::set<std::string>>;
// "sim/base/units.h" -> its text.
using Sources = std::map<std::string, std::string>;

// "sim/engine/x.h" -> "engine", "strategies/ring.cpp" -> "strategies", else "".
std::string layer_of(const std::string& path);

// Reads `syncsim_layer(NAME LAYERS a b ...)` lines: the layers each names directly.
Layers declared_layers(const std::string& cmake);
// With the layers below those below. Throws when a layer is below itself or is not declared.
Layers closed(const Layers& direct);

// One line for every include that `layers` does not allow or that leads nowhere, for every include
// of strategies/ from sim/, for every file outside of all layers, and for every cycle of files.
std::vector<std::string> violations(const Sources& sources, const Layers& layers);

}  // namespace syncsim::testing
