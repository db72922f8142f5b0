#pragma once
// By strategy, parameters other than the defaults, with which it has to hold what it holds with
// these. They may depend on the number of ranks.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace syncsim::testing {

using ParameterSet = std::map<std::string, std::string>;

// Halves of the dimension are a dimension each, where there are halves.
inline std::vector<ParameterSet> torus_parameters(std::size_t ranks) {
  std::vector<ParameterSet> result = {{{"starts", "first"}, {"directions", "one"}},
                                      {{"directions", "one"}}};
  if (ranks % 2 == 0)
    for (const char* directions : {"one", "both"})
      result.push_back(
          {{"dimensions", std::to_string(ranks / 2) + "x2"}, {"directions", directions}});
  return result;
}

inline std::vector<ParameterSet> swing_parameters(std::size_t ranks) {
  std::vector<ParameterSet> result = {{{"directions", "one"}}};
  if (ranks == 4 || ranks == 8)
    for (const char* starts : {"first", "each"})
      result.push_back({{"dimensions", "2x" + std::to_string(ranks / 2)}, {"starts", starts}});
  return result;
}

// Groups are no larger than there are ranks.
inline std::vector<ParameterSet> hierarchical_parameters(std::size_t ranks) {
  const std::string two = std::to_string(std::min<std::size_t>(ranks, 2));
  const std::string three = std::to_string(std::min<std::size_t>(ranks, 3));
  std::vector<ParameterSet> result = {{{"groups", two}, {"chunks", "2"}},
                                      {{"groups", three}, {"across", "leader"}}};
  if (ranks > 2)
    result.push_back({{"groups", "2x2"}, {"inner", "halving_doubling"}, {"outer", "distributed"}});
  return result;
}

using Tuning = std::map<std::string, std::vector<ParameterSet>>;

// Every other rank, then the others backwards: "0,2,4,3,1".
inline std::string odd_order(std::size_t ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks; i += 2) text += (i > 0 ? "," : "") + std::to_string(i);
  for (std::size_t i = ranks - ranks % 2; i > 0; i -= 2) text += "," + std::to_string(i - 1);
  return text;
}

inline Tuning tuning(std::size_t ranks) {
  const std::string last = std::to_string(ranks - 1);
  const std::string twice = std::to_string(2 * ranks);
  const std::string order = odd_order(ranks);
  const std::vector<ParameterSet> trees = {
      {{"chunks", "1"}}, {{"chunks", "5"}}, {{"chunks", "3"}, {"order", "sequential"}}};
  return {{"binary_tree", trees},
          {"binomial_tree", {{{"chunks", "5"}}, {{"chunks", "auto"}, {"order", "together"}}}},
          {"byteps", {{{"chunks", "3"}}, {{"cpus", "0"}}}},
          {"central_cpu", {{{"order", "sequential"}}}},
          {"central_gpu", {{{"root", last}}, {{"order", "sequential"}}}},
          {"chain", {{{"chunks", "1"}}, {{"chunks", "5"}, {"path", order}}}},
          {"double_binary_tree", trees},
          {"hierarchical", hierarchical_parameters(ranks)},
          {"in_network",
           {{{"algorithm", "nvls"}, {"chunks", "5"}}, {{"algorithm", "sharp"}, {"chunks", "1"}}}},
          {"naive_ring", {{{"ring", order}}}},
          {"one_shot", {{{"order", "sequential"}}}},
          {"packed_trees", {{{"trees", "1"}, {"chunks", "5"}}, {{"trees", "3"}}}},
          {"parameter_server",
           {{{"servers", last == "0" ? "1" : "2"}, {"chunks", "3"}},
            {{"servers", "1"}, {"weights", "3"}, {"workers", "machines"}}}},
          {"ring",
           {{{"chunks", "1"}},
            {{"chunks", "5"}},
            {{"chunks", twice}},
            {{"directions", "both"}},
            {{"directions", "both"}, {"chunks", "3"}}}},
          {"swing", swing_parameters(ranks)},
          {"torus_rings", torus_parameters(ranks)}};
}

}  // namespace syncsim::testing
