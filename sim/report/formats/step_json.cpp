#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/formats/fault.h"
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
  for (std::size_t rank = 0; rank < step.ranks.size(); ++rank) {
    const RankStep& own = step.ranks[rank];
    const bool waits = own.waits.longest != StepWaits::kNobody;
    list.push_back({{"rank", rank},
                    {"node", own.node},
                    {"step_us", microseconds(own.step)},
                    {"compute_us", microseconds(own.compute)},
                    {"waiting_us", microseconds(own.waiting)},
                    {"for_ranks_us", microseconds(own.waits.for_ranks)},
                    {"transfer_us", microseconds(own.waits.transfer)},
                    {"pause_us", microseconds(own.waits.pause)},
                    {"waits_for", waits ? Json(own.waits.longest) : Json(nullptr)},
                    {"finish_us", microseconds(own.finish)}});
  }
  return list;
}

Json servers_json(const StepReport& step) {
  Json list = Json::array();
  for (const ServerLoad& server : step.servers)
    list.push_back({{"id", server.node}, {"bytes", server.bytes.count}});
  return list;
}

// With what the simulated figures are above (or, negative, below) the published ones.
Json published_json(const StepReport& step) {
  if (!step.published) return nullptr;
  const Published& published = *step.published;
  Json json = Json::object();
  Json deviations = Json::object();
  for (const PublishedFigure& figure : published_figures(step))
    deviations[figure.name] = twelve_digits(figure.share() - 1);
  if (published.step) json["step_us"] = microseconds(*published.step);
  if (published.samples_per_second)
    json["samples_per_second"] = twelve_digits(*published.samples_per_second);
  if (published.scaling_efficiency)
    json["scaling_efficiency"] = twelve_digits(*published.scaling_efficiency);
  json["deviations"] = deviations;
  json["source"] = published.source;
  return json;
}

// Null where there is one replica.
Json of_replicas(const StepReport& step, Time ReplicaReport::*figure) {
  return step.replicas ? Json(microseconds((*step.replicas).*figure)) : Json(nullptr);
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
          {"servers", servers_json(step)},
          {"published", published_json(step)},
          {"seed", report.facts.seed},
          {"replicas", step.replicas ? step.replicas->count : 1},
          {"step_first_us", of_replicas(step, &ReplicaReport::first)},
          {"step_deviation_us", of_replicas(step, &ReplicaReport::deviation)},
          {"step_low_us", of_replicas(step, &ReplicaReport::low)},
          {"step_high_us", of_replicas(step, &ReplicaReport::high)},
          {"step_least_us", of_replicas(step, &ReplicaReport::least)},
          {"step_most_us", of_replicas(step, &ReplicaReport::most)},
          {"fault", fault_json(step)},
          {"goodput", goodput_json(step)},
          {"critical_path", step.critical_path ? path_json(*step.critical_path) : Json(nullptr)}};
}

}  // namespace syncsim
