// What ops of training steps are called.

#include "sim/workload/step_parts.h"

#include <doctest/doctest.h>

#include "tests/support/schedules.h"

namespace syncsim::testing::step_parts_test {
namespace {

Model two_layers() {
  Model model;
  model.layers = {{"fc", {}, {}, {}}, {"conv", {}, {}, {}}};
  return model;
}

// A compute op and a copy.
Schedule two_ops() {
  HandMade parts(collective_of(CollectiveKind::broadcast, 2, 2), 1);
  parts.compute(0);
  parts.copy(0, 1, 0);
  return parts.build();
}

}  // namespace

TEST_CASE("an op is of the part that began last, and a part without ops is none") {
  StepParts parts;
  parts.begin(0, {StepPart::forward, 1});
  parts.begin(2, {StepPart::forward, 1});
  parts.begin(3, {StepPart::update, 0});
  parts.begin(3, {StepPart::backward, 0});
  CHECK(parts.of(0) == PartOfStep{StepPart::forward, 1});
  CHECK(parts.of(2) == PartOfStep{StepPart::forward, 1});
  CHECK(parts.of(3) == PartOfStep{StepPart::backward, 0});
  CHECK(parts.of(1000) == PartOfStep{StepPart::backward, 0});
  CHECK_THROWS_AS(StepParts().of(0), InternalError);
}

TEST_CASE("parts are named after their layer, bucket or step, alone or from one to another") {
  const Schedule schedule = two_ops();
  const StepParts parts;
  const Model model = two_layers();
  const StepNames names(schedule, parts, model);
  CHECK(names.of(StepPart::pause, 1, 1) == "pause");
  CHECK(names.of(StepPart::batch, 3, 3) == "batch of step 3");
  CHECK(names.of(StepPart::batch, 3, 4) == "batch of steps 3..4");
  CHECK(names.of(StepPart::forward, 1, 1) == "forward conv");
  CHECK(names.of(StepPart::forward, 1, 0) == "forward conv..fc");
  CHECK(names.of(StepPart::backward, 0, 1) == "backward fc..conv");
  CHECK(names.of(StepPart::launch, 2, 2) == "launch bucket 2");
  CHECK(names.of(StepPart::gradients, 0, 4) == "gradients buckets 0..4");
  CHECK(names.of(StepPart::parameters, 2, 2) == "parameters bucket 2");
  CHECK(names.of(StepPart::await, 2, 2) == "await bucket 2");
  CHECK(names.of(StepPart::update, 2, 2) == "update bucket 2");
}

TEST_CASE("what a server computes on gradients is an update") {
  const Schedule schedule = two_ops();
  StepParts parts;
  parts.begin(0, {StepPart::gradients, 2});
  const Model model = two_layers();
  const StepNames names(schedule, parts, model);
  CHECK(names.of(0) == "update bucket 2");
  CHECK(names.of(1) == "gradients bucket 2");
}

}  // namespace syncsim::testing::step_parts_test
