// The direct way to SimGrid: no activities, no actors, no callbacks.

#include <cstdint>
#include <functional>
#include <queue>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <utility>

#include "bench/flow_order.h"
#include "bench/simgrid_run.h"
#include "src/kernel/EngineImpl.hpp"
#include "src/kernel/resource/NetworkModel.hpp"

namespace syncsim::bench {
namespace {

using simgrid::kernel::resource::Action;

class DirectRun {
 public:
  DirectRun(const FlowGraph& flows, SimgridPlatform& platform)
      : flows_(flows),
        platform_(platform),
        engine_(*platform.engine().get_impl()),
        model_(*platform.zone().get_impl()->get_network_model()),
        order_(flows) {}

  double finish() {
    engine_.presolve();
    order_.start([this](std::uint32_t flow) { begin(flow); });
    double last = 0;
    while (engine_.solve(alarms_.empty() ? kNoLimit : alarms_.top().first) >= 0) {
      if (collect()) last = now();
      ring();
    }
    return last;
  }

 private:
  static constexpr double kNoLimit = -1;
  static constexpr double kSlack = 1e-12;  // seconds, of the clock's rounding
  using Alarm = std::pair<double, std::uint32_t>;

  static double now() { return simgrid::s4u::Engine::get_clock(); }

  void begin(std::uint32_t id) {
    const Flow& flow = flows_[id];
    const double date = flow.bytes > 0 ? static_cast<double>(flow.start) * 1e-12
                                       : now() + static_cast<double>(flow.duration) * 1e-12;
    if (date > now()) {
      alarms_.emplace(date, id);
    } else {
      go(id);
    }
  }
  void go(std::uint32_t id) {
    const Flow& flow = flows_[id];
    if (flow.bytes == 0) return done(id);
    Action* const action =
        model_.communicate(platform_.host(flow.source), platform_.host(flow.destination),
                           static_cast<double>(flow.bytes), -1);
    action->set_data(reinterpret_cast<void*>(std::uintptr_t{id}));
  }
  void done(std::uint32_t id) {
    order_.finish(id, [this](std::uint32_t flow) { begin(flow); });
  }
  // Hands on the flows that have ended; false when none has.
  bool collect() {
    bool any = false;
    while (Action* const action = model_.extract_done_action()) {
      const auto id =
          static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(action->get_data()));
      action->unref();
      done(id);
      any = true;
    }
    return any;
  }
  void ring() {
    while (!alarms_.empty() && alarms_.top().first <= now() + kSlack) {
      const std::uint32_t id = alarms_.top().second;
      alarms_.pop();
      go(id);
    }
  }

  const FlowGraph& flows_;
  SimgridPlatform& platform_;
  simgrid::kernel::EngineImpl& engine_;
  simgrid::kernel::resource::NetworkModel& model_;
  FlowOrder order_;
  std::priority_queue<Alarm, std::vector<Alarm>, std::greater<>> alarms_;
};

}  // namespace

std::string_view way_to_simgrid() { return "direct"; }

double run_on_simgrid(const FlowGraph& flows, SimgridPlatform& platform) {
  return DirectRun(flows, platform).finish();
}

}  // namespace syncsim::bench
