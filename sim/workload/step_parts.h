#pragma once
// What each op of training steps is for, and what timelines and paths call it.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/schedule/schedule.h"
#include "sim/workload/model.h"

namespace syncsim {

enum class StepPart : std::uint8_t {
  pause,       // of a step
  batch,       // comes for a step
  forward,     // of a layer
  backward,    // of a layer
  launch,      // hands a bucket over to its collective, at a framework's cycle where it has such
  gradients,   // of a bucket, on their way
  parameters,  // of a bucket, on their way
  await,       // a bucket's sum
  update,      // of a bucket's parameters
};

struct PartOfStep {
  StepPart part = StepPart::forward;
  std::uint32_t index = 0;  // of the layer, bucket or step
  friend bool operator==(const PartOfStep&, const PartOfStep&) = default;
};

// Of every op. Memory: 12 bytes for ops of one part that follow each other.
class StepParts {
 public:
  // Of the ops from `first` on, which does not descend.
  void begin(OpId first, PartOfStep part);
  // Of an op at or behind the first that began one.
  PartOfStep of(OpId op) const;

 private:
  struct Run {
    OpId first = 0;
    PartOfStep part;
  };
  std::vector<Run> runs_;
};

class StepNames {
 public:
  // Keeps references.
  StepNames(const Schedule& schedule, const StepParts& parts, const Model& model)
      : schedule_(schedule), parts_(parts), model_(model) {}

  // A server's updater is an update.
  PartOfStep part_of(OpId op) const;
  // "forward layer3.0", "update bucket 2", "gradients bucket 2", "batch of step 3", "pause".
  std::string of(OpId op) const;
  // Of one part, from an index to another: "backward fc..conv1", "update buckets 0..3".
  std::string of(StepPart part, std::uint32_t first, std::uint32_t last) const;

 private:
  const Schedule& schedule_;
  const StepParts& parts_;
  const Model& model_;
};

}  // namespace syncsim
