#include "sim/scenario/plan_strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sim/base/text.h"
#include "sim/schedule/plan_file.h"

namespace syncsim {
namespace {

constexpr std::string_view kPlanPrefix = "plan:";

std::vector<std::string> names_of(const Topology& machine, const std::vector<NodeId>& nodes) {
  std::vector<std::string> names;
  for (const NodeId node : nodes) names.push_back(machine.nodes()[node].id);
  return names;
}

// The point's ranks, in the plan's order where that names the same nodes.
std::vector<NodeId> ranks_of(const Plan& plan, const Point& point, const Setting& setting) {
  const auto count = static_cast<std::ptrdiff_t>(plan.schedule.ranks);
  const std::string needed = counted(plan.schedule.ranks, "rank");
  if (plan.schedule.ranks != setting.ranks.size())
    throw InputError(
        fmt::format("the plan is for {}, the point has {}", needed, setting.ranks.size()),
        fmt::format("choose {}, or make the plan anew", needed));
  if (!plan.names_nodes || !point.ranks.empty()) return setting.ranks;
  const std::vector<std::string>& all = plan.schedule.participants;
  const std::vector<std::string> planned(all.begin(), all.begin() + count);
  const std::vector<std::string> own = names_of(setting.machine, setting.ranks);
  if (!std::is_permutation(planned.begin(), planned.end(), own.begin(), own.end()))
    return setting.ranks;
  std::vector<NodeId> ranks;
  for (const std::string& name : planned) ranks.push_back(setting.machine.node(name));
  return ranks;
}

void require_node(const Topology& machine, const std::string& id, const std::string& what) {
  if (!machine.find_node(id))
    throw InputError(fmt::format("{} {} of the plan is no node of {}", what, id, machine.name()),
                     "run it on a machine that has it, or make the plan anew");
}

void place_on(const Topology& machine, const std::vector<NodeId>& ranks, Schedule& schedule) {
  for (std::size_t i = 0; i < schedule.participants.size(); ++i) {
    if (i < ranks.size())
      schedule.participants[i] = machine.nodes()[ranks[i]].id;
    else
      require_node(machine, schedule.participants[i], "helper");
  }
  for (const ChannelNics& given : schedule.nics)
    for (const std::string& nic : {given.nics.out, given.nics.in})
      if (!nic.empty()) require_node(machine, nic, "nic");
}

void prove(const Plan& plan, const std::string& path, Watch* watch) {
  const auto violation = plan.violation ? plan.violation : check(plan.schedule, {.watch = watch});
  if (violation)
    throw InputError("the plan is wrong: " + violation->message,
                     "mend it; \"syncsim verify\" proves a plan", path);
}

}  // namespace

bool is_plan(std::string_view strategy) { return strategy.starts_with(kPlanPrefix); }

std::string plan_path(std::string_view strategy) {
  return std::string(strategy.substr(kPlanPrefix.size()));
}

std::string plan_strategy(const std::string& path) { return std::string(kPlanPrefix) + path; }

void require_plan_path(std::string_view strategy) {
  if (plan_path(strategy).empty()) throw InputError("\"plan:\" names no file", "write plan:FILE");
}

std::string strategy_reference(const JsonReader& json) {
  const std::string name = json.string();
  if (!is_plan(name) || plan_path(name).empty()) return name;
  const auto directory = std::filesystem::path(json.file()).parent_path();
  return plan_strategy((directory / plan_path(name)).string());
}

PlannedSchedule planned_schedule(const Point& point, const Setting& setting,
                                 const RunSettings& settings) {
  refuse_parameters(point, "a plan");
  if (point.reduction == Reduction::staged)
    throw InputError("a plan says by itself how it adds up", "leave the reduction out",
                     point.place("reduction"));
  const std::string path = plan_path(point.strategy);
  const Collective& wanted = setting.collective;
  Plan plan = at_file(point, "strategy", path, [&] {
    return load_plan(path, {wanted.kind, wanted.bytes, wanted.datatype, wanted.root});
  });
  prove(plan, path, settings.watch);
  return placed([&] { return path; },
                [&]() -> PlannedSchedule {
                  std::vector<NodeId> ranks = ranks_of(plan, point, setting);
                  place_on(setting.machine, ranks, plan.schedule);
                  return {std::move(plan.schedule), std::move(ranks)};
                });
}

}  // namespace syncsim
