// syncsim verify: proves a plan, ours or a stranger's.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/page_text.h"
#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/plan_summary.h"
#include "sim/cli/supervisor.h"
#include "sim/scenario/point.h"
#include "sim/schedule/plan_file.h"
#include "sim/schedule/size.h"

namespace syncsim::cli {
namespace {

using Json = nlohmann::ordered_json;

struct VerifyOptions {
  std::string plan;
  std::optional<std::string> collective;
  std::optional<std::string> root;
  std::string format = "text";
  LongRunOptions long_run;
};

PlanUse use_of(const VerifyOptions& options) {
  PlanUse use;
  if (options.collective)
    use.collective =
        from_option("--collective", [&] { return parse_collective(*options.collective); });
  if (options.root) use.root = static_cast<int>(integer_of("--root", *options.root, kMostRoot));
  return use;
}

// "rank 2" or, beyond the ranks, "helper 5".
std::string role_of(const Schedule& schedule, ParticipantId participant) {
  return participant < schedule.ranks ? "rank" : "helper";
}

Json wrong_json(const PlanName& name, const Schedule& schedule, const Violation& violation) {
  Json json = {{"valid", false}, {"plan", name.path}, {"kind", to_string(violation.kind)}};
  if (violation.participant != kNone)
    json[role_of(schedule, violation.participant)] = violation.participant;
  if (violation.chunk != kNone) json["chunk"] = violation.chunk;
  if (violation.op != kNone) json["op"] = violation.op;
  json["message"] = violation.message;
  return json;
}

void print(const PlanName& name, const Plan& plan, bool as_json) {
  if (as_json && plan.violation) {
    std::cout << wrong_json(name, plan.schedule, *plan.violation).dump(2) << "\n";
  } else if (as_json) {
    Json json = {{"valid", true}};
    json.update(plan_json(name, plan.schedule));
    std::cout << json.dump(2) << "\n";
  } else if (plan.violation) {
    std::cout << within_page(fmt::format("wrong ({}): {}: {}\n", to_string(plan.violation->kind),
                                         name.path, plan.violation->message));
  } else {
    std::cout << within_page(fmt::format("valid: {}\n", plan_text(name, plan.schedule)));
  }
}

int verify(const VerifyOptions& options) {
  const bool as_json = wants_json(options.format);
  const MemoryLimit memory = memory_limit(options.long_run);
  Supervisor supervisor(options.long_run, {Stage::checking});
  supervisor.begin_point();
  Plan plan = load_plan(options.plan, use_of(options));
  const ScheduleSize size = size_of(plan.schedule);
  require_room(memory, schedule_bytes(size) + check_bytes(size), "the proof of " + options.plan, "",
               "prove a smaller plan");
  try {
    if (!plan.violation) plan.violation = check(plan.schedule, {.watch = &supervisor});
  } catch (const Interrupted&) {
    supervisor.finish();
    std::cerr << "syncsim: interrupted\n";
    return interrupted_exit_code();
  }
  supervisor.finish();
  print({options.plan, plan.names_nodes ? "json" : "xml"}, plan, as_json);
  return plan.violation ? kClaimFailed : kGood;
}

}  // namespace

std::function<int()> declare_verify(CLI::App& app) {
  const auto options = std::make_shared<VerifyOptions>();
  app.add_option("PLAN", options->plan, "a plan: .json, or MSCCL .xml")->required();
  app.add_option("--collective", options->collective,
                 "what it must compute; needed where an XML says \"custom\"");
  app.add_option("--root", options->root, "of reduce and broadcast in XML, which names none");
  app.add_option("--format", options->format, "text or json")->capture_default_str();
  declare_long_run(app, options->long_run);
  return [options] { return verify(*options); };
}

}  // namespace syncsim::cli
