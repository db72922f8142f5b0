#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/formats/step.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

Json buckets_json(const StepReport& step) {
  Json list = Json::array();
  for (const BucketReport& bucket : step.buckets)
    list.push_back({{"index", bucket.index},
                    {"bytes", bucket.bytes.count},
                    {"tensors", bucket.tensors},
                    {"first_tensor", bucket.first_tensor},
                    {"ready_us", microseconds(bucket.ready)},
                    {"start_us", microseconds(bucket.start)},
                    {"finish_us", microseconds(bucket.finish)}});
  return list;
}

Json ranks_json(const StepReport& step) {
  Json list = Json::array();
  for (std::size_t rank = 0; rank < step.ranks.size(); ++rank)
    list.push_back({{"rank", rank},
                    {"node", step.ranks[rank].node},
                    {"compute_us", microseconds(step.ranks[rank].compute)},
                    {"waiting_us", microseconds(step.ranks[rank].waiting)}});
  return list;
}

Json servers_json(const StepReport& step) {
  Json list = Json::array();
  for (const ServerLoad& server : step.servers)
    list.push_back({{"id", server.node}, {"bytes", server.bytes.count}});
  return list;
}

Json time_json(const std::optional<Time>& time) {
  return time ? Json(microseconds(*time)) : Json(nullptr);
}

}  // namespace

Json step_json(const Report& report, const StepLimits& limits) {
  const StepReport& step = *report.step;
  return {{"model", step.model},
          {"topology", report.facts.topology},
          {"strategy", report.facts.strategy},
          {"parameters", report.facts.parameters},
          {"batch", step.batch},
          {"bytes", report.facts.collective.bytes.count},
          {"step_us", microseconds(step.step)},
          {"compute_us", microseconds(step.compute)},
          {"communication_us", microseconds(step.communication)},
          {"exposed_us", microseconds(step.exposed)},
          {"overlap", twelve_digits(step.overlap)},
          {"scaling_efficiency", twelve_digits(step.scaling_efficiency)},
          {"samples_per_second", twelve_digits(step.samples_per_second)},
          {"bound_us", twelve_digits(report.bound.seconds * 1e6)},
          {"bound_kind", report.bound.kind},
          {"infinite_network_us", time_json(limits.infinite_network)},
          {"no_overlap_us", time_json(limits.no_overlap)},
          {"buckets", buckets_json(step)},
          {"ranks", ranks_json(step)},
          {"servers", servers_json(step)}};
}

}  // namespace syncsim
