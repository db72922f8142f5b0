// The public way to SimGrid: communications between hosts, started where others complete.

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Comm.hpp>
#include <vector>

#include "bench/flow_order.h"
#include "bench/simgrid_run.h"

namespace syncsim::bench {
namespace {

namespace s4u = simgrid::s4u;

class PublicRun {
 public:
  PublicRun(const FlowGraph& flows, SimgridPlatform& platform)
      : flows_(flows), platform_(platform), order_(flows), under_way_(flows.size()) {}

  double finish() {
    s4u::Activity::on_completion_cb([this](const s4u::Activity& activity) { ended(activity); });
    order_.start([this](std::uint32_t flow) { begin(flow); });
    platform_.engine().run();
    return last_;
  }

 private:
  static double now() { return s4u::Engine::get_clock(); }

  void begin(std::uint32_t id) {
    const Flow& flow = flows_[id];
    const double date = flow.bytes > 0 ? static_cast<double>(flow.start) * 1e-12
                                       : now() + static_cast<double>(flow.duration) * 1e-12;
    if (date > now()) {
      simgrid::kernel::timer::Timer::set(date, [this, id] { go(id); });
    } else {
      go(id);
    }
  }
  void go(std::uint32_t id) {
    const Flow& flow = flows_[id];
    if (flow.bytes == 0) return done(id);
    under_way_[id] =
        s4u::Comm::sendto_init(platform_.host(flow.source), platform_.host(flow.destination));
    under_way_[id]->set_payload_size(static_cast<std::uint64_t>(flow.bytes));
    under_way_[id]->set_data(reinterpret_cast<void*>(std::uintptr_t{id}));
    under_way_[id]->start();
  }
  void done(std::uint32_t id) {
    order_.finish(id, [this](std::uint32_t flow) { begin(flow); });
  }
  void ended(const s4u::Activity& activity) {
    last_ = now();
    const auto id =
        static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(activity.get_data<void>()));
    ended_ = std::move(under_way_[id]);  // our caller still uses it, but not the one before
    done(id);
  }

  const FlowGraph& flows_;
  SimgridPlatform& platform_;
  FlowOrder order_;
  std::vector<s4u::CommPtr> under_way_;  // by flow
  s4u::CommPtr ended_;
  double last_ = 0;
};

}  // namespace

std::string_view way_to_simgrid() { return "public"; }

double run_on_simgrid(const FlowGraph& flows, SimgridPlatform& platform) {
  return PublicRun(flows, platform).finish();
}

}  // namespace syncsim::bench
