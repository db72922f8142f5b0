#pragma once
// Points that are training steps: what a scenario says of them beside machine, ranks and strategy,
// and how they run.
//   model          a shipped name, a path, or the model itself; {"layers": N, "bytes": B,
//                  "forward": T, "backward": T} makes N layers alike of one tensor each
//   batch, precision, device_speed         of the model (workload/model.h)
//   buckets        ddp, ddp-forward, horovod, per-tensor, one
//   bucket_first, bucket_cap, fusion, cycle  of those (workload/buckets.h)
//   bucket_order   in-order, concurrent, priority
//   overlap, early_forward                 true or false
//   update, update_at                      a time, and "end" or "bucket"
//   sharding, prefetch                     none, gradients, parameters
//   steps          that run one after the other
//   store          a key-value store in place of a strategy (store_field.h)
//   loading        batches that come over the links (loading_field.h)
//   speeds         {"3": 0.8}: ranks that compute slower or faster
//   pauses         [{"rank": 3, "step": 1, "time": "5 ms"}]: before a forward
//   published      what somebody measured of the step (published_field.h)
//   jitter         ranks that vary from step to step (jitter_field.h)
//   replicas       runs with seeds that follow each other (replicas.h)
//   fault, recovery, mtbf, ...             what is lost, and what then (fault_field.h)

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/scenario/fault_field.h"
#include "sim/scenario/jitter_field.h"
#include "sim/scenario/loading_field.h"
#include "sim/scenario/published_field.h"
#include "sim/scenario/store_field.h"
#include "sim/workload/model.h"
#include "sim/workload/training_step.h"

namespace syncsim {

struct Point;
struct Report;
struct RunSettings;
struct Setting;

struct Pause {
  int rank = 0;
  int step = 0;
  Time time;
  std::string place;
};

struct Training {
  std::string model;
  std::optional<JsonReader> inline_model;
  ModelScale scale;
  StepOptions step;
  std::map<int, double> speeds;
  std::vector<Pause> pauses;
  JitterField jitter;
  int replicas = 1;
  std::optional<StoreField> store;
  std::optional<LoadingField> loading;
  std::optional<Published> published;
  FaultField faults;
  std::map<std::string, std::string> written;  // every field that was, as JSON
};

constexpr int kMostSteps = 1000;

// One row a field, as those of points.
struct TrainingFieldRow {
  std::string_view name;
  std::string_view standard;  // what it is where it is not written, as JSON; "null": nothing
  void (*read)(const JsonReader& json, Training& training);
};
const std::vector<TrainingFieldRow>& training_fields();
const TrainingFieldRow* training_field(std::string_view name);  // nullptr: there is none
// As JSON, written or standard; "null" where the point is no training step.
std::string training_value(const Point& point, const TrainingFieldRow& field);

// The point's model, scaled. Throws InputError with the field's place.
Model model_of(const Point& point, const RunSettings& settings);

Report run_training(const Point& point, const Setting& setting, const RunSettings& settings);

}  // namespace syncsim
