#include <fmt/format.h>

#include "sim/base/rank_list.h"
#include "sim/scenario/point.h"
#include "sim/scenario/replicas.h"
#include "sim/scenario/step_time.h"
#include "sim/scenario/training.h"
#include "sim/scenario/words.h"
#include "sim/topology/delay.h"

namespace syncsim {
namespace {

constexpr int kMostAhead = 1000;

const Words<BucketOrder>& orders() {
  static const Words<BucketOrder> words(
      "bucket order", {{"in-order", "one behind the other", BucketOrder::in_order},
                       {"concurrent", "side by side, alike", BucketOrder::concurrent},
                       {"priority", "side by side, early layers first", BucketOrder::priority}});
  return words;
}

const Words<Sharding>& shardings() {
  static const Words<Sharding> words("sharding",
                                     {{"none", "every rank holds all", Sharding::none},
                                      {"gradients", "ZeRO stage 2", Sharding::gradients},
                                      {"parameters", "ZeRO stage 3, FSDP", Sharding::parameters}});
  return words;
}

const Words<UpdateTime>& updates() {
  static const Words<UpdateTime> words("update",
                                       {{"bucket", "when the bucket is summed", UpdateTime::bucket},
                                        {"end", "when all are", UpdateTime::end}});
  return words;
}

void read_model_field(const JsonReader& json, Training& training) {
  if (json.is_object())
    training.inline_model = json;
  else
    training.model = topology_reference(json);
}

double positive(const JsonReader& json) {
  const double number = json.number();
  if (!(number > 0)) throw json.error(fmt::format("is {}", number), "write a number above 0");
  return number;
}

// {"3": 0.8, "4-7": 1.5}
void read_speeds(const JsonReader& json, Training& training) {
  training.speeds.clear();
  for (const auto& member : json.members()) {
    const double speed = positive(member.second);
    if (speed < kLeastSpeed || speed > kMostSpeed)
      throw member.second.error(
          fmt::format("is {}", speed),
          fmt::format("write a number from {} to {}", kLeastSpeed, kMostSpeed));
    const auto ranks = member.second.located([&] { return parse_ranks(member.first); });
    for (const int rank : ranks)
      if (!training.speeds.emplace(rank, speed).second)
        throw member.second.error(fmt::format("rank {} has two speeds", rank), "say one of it");
  }
}

void read_pauses(const JsonReader& json, Training& training) {
  training.pauses.clear();
  for (const JsonReader& pause : json.elements()) {
    pause.allow({"rank", "step", "time"});
    const JsonReader time = pause.required("time", "\"5 ms\"");
    training.pauses.push_back(
        {static_cast<int>(pause.required("rank", "3").integer(0, kMostRanks - 1)),
         static_cast<int>(pause.required("step", "1").integer(0, kMostSteps - 1)),
         read_step_time(time), pause.place()});
  }
}

Time delay(const JsonReader& json) {
  return json.located([&] { return checked_delay(json.time()); });
}

Bytes size(const JsonReader& json) {
  if (json.bytes().count == 0) throw json.error("is 0 B", "write a size above 0");
  return json.bytes();
}

Time cycle(const JsonReader& json) {
  if (delay(json).ps == 0) throw json.error("is no time", "write a time above 0");
  return delay(json);
}

std::vector<TrainingFieldRow> fault_rows() {
  using Field = const JsonReader&;
  return {
      {"fault", "null", [](Field j, Training& t) { read_fault(j, t.faults); }},
      {"recovery", "\"none\"", [](Field j, Training& t) { read_recovery(j, t.faults); }},
      {"detect", "\"0 ms\"", [](Field j, Training& t) { t.faults.detect = read_long_time(j); }},
      {"restart", "\"0 ms\"", [](Field j, Training& t) { t.faults.restart = read_long_time(j); }},
      {"repair", "null", [](Field j, Training& t) { t.faults.repair = read_long_time(j); }},
      {"checkpoint_every", "null",
       [](Field j, Training& t) { read_checkpoint_every(j, t.faults); }},
      {"checkpoint", "\"0 ms\"", [](Field j, Training& t) { read_checkpoint(j, t.faults); }},
      {"mtbf", "null", [](Field j, Training& t) { read_mtbf(j, t.faults); }},
      {"failures", "{}", [](Field j, Training& t) { read_failures(j, t.faults); }},
  };
}

std::vector<TrainingFieldRow> step_rows() {
  using Field = const JsonReader&;
  return {
      {"model", "null", read_model_field},
      {"batch", "null",
       [](Field j, Training& t) { t.scale.batch = static_cast<int>(j.integer(1, kMostBatch)); }},
      {"precision", "null", [](Field j, Training& t) { t.scale.precision = j.string(); }},
      {"device_speed", "1", [](Field j, Training& t) { t.scale.device_speed = positive(j); }},
      {"buckets", "\"ddp\"",
       [](Field j, Training& t) { t.step.bucketing.rule = named(j, bucket_rules()).rule; }},
      {"bucket_first", "\"1 MiB\"", [](Field j, Training& t) { t.step.bucketing.first = size(j); }},
      {"bucket_cap", "\"25 MiB\"", [](Field j, Training& t) { t.step.bucketing.cap = size(j); }},
      {"fusion", "\"128 MiB\"", [](Field j, Training& t) { t.step.bucketing.fusion = size(j); }},
      {"cycle", "\"1 ms\"", [](Field j, Training& t) { t.step.bucketing.cycle = cycle(j); }},
      {"bucket_order", "\"in-order\"",
       [](Field j, Training& t) { t.step.order = named(j, orders()).value; }},
      {"overlap", "true", [](Field j, Training& t) { t.step.overlap = j.boolean(); }},
      {"early_forward", "false", [](Field j, Training& t) { t.step.early_forward = j.boolean(); }},
      {"update", "\"0 ms\"", [](Field j, Training& t) { t.step.update = read_step_time(j); }},
      {"update_at", "\"end\"",
       [](Field j, Training& t) { t.step.update_at = named(j, updates()).value; }},
      {"sharding", "\"none\"",
       [](Field j, Training& t) { t.step.sharding = named(j, shardings()).value; }},
      {"prefetch", "1",
       [](Field j, Training& t) { t.step.prefetch = static_cast<int>(j.integer(0, kMostAhead)); }},
      {"steps", "3",
       [](Field j, Training& t) { t.step.steps = static_cast<int>(j.integer(1, kMostSteps)); }},
      {"speeds", "{}", read_speeds},
      {"pauses", "[]", read_pauses},
      {"jitter", "{}", [](Field j, Training& t) { t.jitter = read_jitter(j); }},
      {"replicas", "1",
       [](Field j, Training& t) { t.replicas = static_cast<int>(j.integer(1, kMostReplicas)); }},
      {"store", "null", [](Field j, Training& t) { t.store = read_store(j); }},
      {"loading", "null", [](Field j, Training& t) { t.loading = read_loading(j); }},
      {"published", "null", [](Field j, Training& t) { t.published = read_published(j); }},
  };
}

}  // namespace

const std::vector<TrainingFieldRow>& training_fields() {
  static const std::vector<TrainingFieldRow> rows = [] {
    std::vector<TrainingFieldRow> all = step_rows();
    const std::vector<TrainingFieldRow> faults = fault_rows();
    all.insert(all.end(), faults.begin(), faults.end());
    return all;
  }();
  return rows;
}

const TrainingFieldRow* training_field(std::string_view name) {
  for (const TrainingFieldRow& row : training_fields())
    if (row.name == name) return &row;
  return nullptr;
}

std::string training_value(const Point& point, const TrainingFieldRow& field) {
  if (point.script && field.name == "store") return point.script->written_store;
  if (!point.training) return "null";
  const auto written = point.training->written.find(std::string(field.name));
  return written != point.training->written.end() ? written->second : std::string(field.standard);
}

}  // namespace syncsim
