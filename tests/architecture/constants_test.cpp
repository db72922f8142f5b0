// Files of a layer are compiled many at a time, so that what one keeps to itself is seen by those
// after it. A helper of the same name is told by the compiler, as a rule; a constant that stands in
// for another one, which a header has, is not: so each has a name of its own.

#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <sstream>
#include <vector>

#include "tests/architecture/sources.h"

namespace syncsim::testing::constants_test {
namespace {

struct Constant {
  std::string file;
  std::string space;  // the namespace, an anonymous one not counted
};
using Constants = std::map<std::string, std::vector<Constant>>;  // by name

void collect(const std::string& file, const std::string& text, Constants& all) {
  static const std::regex space("namespace ([\\w:]+) \\{");
  static const std::regex constant(
      "(?:inline |static )?const(?:expr)? .*?\\b(k[A-Z]\\w*)(?:\\[\\w*\\])?(?: =|\\{|;).*");
  std::istringstream lines(text);
  std::string within;
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, found, space)) within = found[1];
    if (line.starts_with('c') || line.starts_with("inline c") || line.starts_with("static c"))
      if (std::regex_match(line, found, constant)) all[found[1]].push_back({file, within});
  }
}

bool sees(const std::string& inner, const std::string& outer) {
  return inner == outer || inner.starts_with(outer + "::");
}

bool stands_in_for(const Constant& own, const Constant& other, const Layers& layers) {
  if (own.file == other.file || !own.file.ends_with(".cpp")) return false;
  const std::string layer = layer_of(own.file);
  const std::string beside = layer_of(other.file);
  if (other.file.ends_with(".cpp"))
    return layer == beside && (sees(own.space, other.space) || sees(other.space, own.space));
  return (layer == beside || layers.at(layer).contains(beside)) && sees(own.space, other.space);
}

// A line for each that stands in for another.
std::string told(const Sources& sources, const Layers& layers) {
  Constants all;
  for (const auto& [file, text] : sources) collect(file, text, all);
  std::string text;
  for (const auto& [name, places] : all)
    for (const Constant& own : places)
      for (const Constant& other : places)
        if (stands_in_for(own, other, layers))
          text += own.file + ": " + name + " is a constant of " + other.file + ", too\n";
  return text;
}

const Layers kLayers = {{"base", {}}, {"topology", {"base"}}, {"engine", {"base"}}};

}  // namespace

TEST_CASE("no constant of a file stands in for one of a header or of another file") {
  CHECK(told(read_sources(), closed(direct_layers())) == "");
}

TEST_CASE("constants of the same name are told, where a file sees both") {
  const std::string header = "namespace syncsim {\ninline constexpr int kMost = 1;\n";
  const std::string source = "namespace syncsim {\nnamespace {\nconstexpr int kMost = 2;\n";
  const std::string other = "sim/topology/x.cpp: kMost is a constant of ";
  CHECK(told({{"sim/base/a.h", header}, {"sim/topology/x.cpp", source}}, kLayers) ==
        other + "sim/base/a.h, too\n");
  CHECK(told({{"sim/topology/a.cpp", source}, {"sim/topology/x.cpp", source}}, kLayers) ==
        "sim/topology/a.cpp: kMost is a constant of sim/topology/x.cpp, too\n" + other +
            "sim/topology/a.cpp, too\n");
  CHECK(told({{"sim/engine/a.h", header}, {"sim/topology/x.cpp", source}}, kLayers) == "");
  CHECK(told({{"sim/engine/a.cpp", source}, {"sim/topology/x.cpp", source}}, kLayers) == "");
}

TEST_CASE("constants in namespaces beside each other, and in functions, are each for itself") {
  const std::string source = "namespace syncsim {\nconst char* const kNames[] = {\n";
  const std::string beside = "namespace syncsim::drawing {\nconstexpr int kMost = 2;\n";
  const std::string apart = "namespace syncsim::msccl {\ninline constexpr int kMost{1};\n";
  const std::string within = "namespace syncsim {\n  constexpr int kNames = 3;\n";
  CHECK(told({{"sim/base/a.h", apart}, {"sim/topology/x.cpp", beside}}, kLayers) == "");
  CHECK(told({{"sim/topology/a.cpp", source}, {"sim/topology/x.cpp", within}}, kLayers) == "");
}

}  // namespace syncsim::testing::constants_test
