#pragma once
// Which variants of the suspects are worth running on all rows: each is run on one or two sizes of
// every range that is to be explained, of very many ranks on some of their nodes (the time is that
// of all, times what the variant changes on those), and those that come nearest go on.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/scenario/predict/investigation.h"
#include "sim/scenario/predict/suspects.h"

namespace syncsim {

// The rows of a range, by size; those on which models are tried.
struct Sample {
  PredictedRange* range = nullptr;
  std::vector<FitRow> all = {};
  std::vector<FitRow> rows = {};
  double limit = 0;    // of the error of what explains, or does not spoil, the range
  bool asked = false;  // whether it is to be explained
};

struct Trial {
  const Suspect* suspect = nullptr;
  Variant variant;
  std::vector<double> errors = {};  // by sample: mean |ln ratio|; infinity: it does not explain
};

// Every variant, in the order of the list.
std::vector<Trial> trials_of(const Scene& scene);

// The model with the variant; nothing where it does not fit the machine: it cuts off ranks, or
// there is no such thing. `chosen`: numbers among the setting's ranks.
std::optional<LibraryModel> model_with(const Variant& variant, const Investigated& of,
                                       std::span<const std::size_t> chosen);

// Numbers of ranks of whole nodes, evenly over all, not many more than `most`; all of fewer.
std::vector<std::size_t> some_ranks(const Setting& setting, std::size_t most);

// The most promising of the trials for each sample that is asked about, in order.
std::vector<Trial> promising(std::vector<Trial> trials, const std::vector<Sample>& samples,
                             const Investigated& of);

}  // namespace syncsim
