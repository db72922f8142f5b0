#pragma once
// Which variants of the suspects are worth running on all rows: each is run on one or two sizes of
// every range that is to be explained, of very many ranks on some of their nodes (the time is that
// of all, times what the variant changes on these), and those that come nearest go on.

#include <map>
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

  // Whether a suspect can have to do with it.
  bool concerns(const Suspect& suspect) const;
};

struct Trial {
  const Suspect* suspect = nullptr;
  Variant variant;
  std::vector<double> errors = {};  // by sample: mean |ln ratio|; infinity: it does not explain
};

// Every variant, in the order of the list.
std::vector<Trial> trials_of(const Scene& scene);

// The ranks that variants are run on, and what the model says of them without any.
class Part {
 public:
  // Of whole nodes, evenly over all, not many more ranks than `most`; all of fewer, and where the
  // model does not apply to some. Runs the rows.
  Part(const Investigated& of, std::size_t most, const std::vector<FitRow>& rows);

  // The model with the variant; nothing where it does not fit the machine: it cuts off ranks, or
  // there is no such thing.
  std::optional<LibraryModel> model_with(const Variant& variant) const;
  // us of a row of all ranks, by such a model of the part. Throws InputError where the library
  // would run nothing.
  double time(const LibraryModel& model, const FitRow& row) const;

 private:
  bool run_plain(const std::vector<FitRow>& rows);

  const Investigated& of_;
  std::vector<std::size_t> ranks_;      // numbers among the setting's
  std::map<Bytes, double> plain_ = {};  // us; empty: they are all ranks
};

// The most promising of the trials for each sample that is asked about, in order.
std::vector<Trial> promising(std::vector<Trial> trials, const std::vector<Sample>& samples,
                             const Investigated& of);

}  // namespace syncsim
