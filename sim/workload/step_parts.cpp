#include "sim/workload/step_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"

namespace syncsim {
namespace {

std::string_view word_of(StepPart part) {
  switch (part) {
    case StepPart::pause:
      return "pause";
    case StepPart::batch:
      return "batch";
    case StepPart::forward:
      return "forward";
    case StepPart::backward:
      return "backward";
    case StepPart::launch:
      return "launch";
    case StepPart::gradients:
      return "gradients";
    case StepPart::parameters:
      return "parameters";
    case StepPart::await:
      return "await";
    case StepPart::update:
      return "update";
  }
  return "";
}

}  // namespace

void StepParts::begin(OpId first, PartOfStep part) {
  if (!runs_.empty() && runs_.back().part == part) return;
  if (!runs_.empty() && runs_.back().first == first) runs_.pop_back();  // of no op
  runs_.push_back({first, part});
}

PartOfStep StepParts::of(OpId op) const {
  const auto behind = std::upper_bound(runs_.begin(), runs_.end(), op,
                                       [](OpId id, const Run& run) { return id < run.first; });
  require(behind != runs_.begin(), "an op of training steps that is of no part");
  return std::prev(behind)->part;
}

PartOfStep StepNames::part_of(OpId op) const {
  PartOfStep part = parts_.of(op);
  if (part.part == StepPart::gradients && schedule_.ops[op].kind == OpKind::compute)
    part.part = StepPart::update;
  return part;
}

std::string StepNames::of(OpId op) const {
  const PartOfStep part = part_of(op);
  return of(part.part, part.index, part.index);
}

std::string StepNames::of(StepPart part, std::uint32_t first, std::uint32_t last) const {
  const std::string_view word = word_of(part);
  const std::string numbers = first == last ? fmt::format("{}", first)  //
                                            : fmt::format("{}..{}", first, last);
  switch (part) {
    case StepPart::pause:
      return std::string(word);
    case StepPart::batch:
      return fmt::format("{} of step{} {}", word, first == last ? "" : "s", numbers);
    case StepPart::forward:
    case StepPart::backward:
      return fmt::format("{} {}{}", word, model_.layers[first].name,
                         first == last ? "" : ".." + model_.layers[last].name);
    default:
      return fmt::format("{} bucket{} {}", word, first == last ? "" : "s", numbers);
  }
}

}  // namespace syncsim
