#include "sim/workload/import/trace_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "sim/base/error.h"
#include "sim/workload/import/trace_windows.h"

namespace syncsim {
namespace {

using Events = std::vector<const TraceEvent*>;

constexpr std::string_view kEvaluation = "autograd::engine::evaluate_function: ";
constexpr std::string_view kGradient = "torch::autograd::AccumulateGrad";
constexpr std::string_view kStep = "ProfilerStep#";

TracePoint begin_of(const TraceEvent& event) { return {event.thread, event.begin}; }

template <class Test>
Events those(const Events& events, const Test& test) {
  Events result;
  std::ranges::copy_if(events, std::back_inserter(result),
                       [&](const TraceEvent* event) { return test(*event); });
  return result;
}

TraceWindows windows_of(const Events& events) {
  std::vector<TraceWindows::Window> windows;
  for (const TraceEvent* event : events)
    windows.push_back({event->thread, event->begin, event->end});
  return TraceWindows(std::move(windows));
}

// Of the last step, or of all where steps are not told apart. Kernels run later than their ops.
Events last_step(const std::vector<TraceEvent>& events) {
  const TraceEvent* step = nullptr;
  for (const TraceEvent& event : events)
    if (event.kind == TraceKind::annotation && event.name.starts_with(kStep) &&
        (step == nullptr || event.begin > step->begin))
      step = &event;
  Events result;
  for (const TraceEvent& event : events)
    if (step == nullptr || event.kind == TraceKind::kernel ||
        (event.begin >= step->begin && event.begin < step->end))
      result.push_back(&event);
  return result;
}

bool is_users(const TraceEvent& annotation) {
  constexpr std::array kOthers = {
      kStep, std::string_view("Optimizer."), std::string_view("DistributedDataParallel."),
      std::string_view("enumerate(DataLoader)"), std::string_view("nccl")};
  return std::ranges::none_of(
      kOthers, [&](std::string_view prefix) { return annotation.name.starts_with(prefix); });
}

class Step {
 public:
  explicit Step(Events events)
      : events_(std::move(events)),
        ops_(of(TraceKind::op)),
        evaluations_(
            those(ops_, [](const TraceEvent& op) { return op.name.starts_with(kEvaluation); })),
        op_windows_(windows_of(ops_)),
        backward_(windows_of(evaluations_)) {
    if (ops_.empty())
      throw InputError(
          "the trace holds no operators of PyTorch",
          "export one of torch.profiler with ProfilerActivity.CPU among its activities");
    if (evaluations_.empty())
      throw InputError("the trace holds no backward pass",
                       "profile a training step: forward, then loss.backward()");
    for (const TraceEvent* evaluation : evaluations_)
      backward_begin_ = std::min(backward_begin_, evaluation->begin);
    find_origins();
    find_layers();
  }

  std::vector<TracedLayer> layers() {
    for (std::size_t i = 0; i < evaluations_.size(); ++i) {
      TracedLayer& layer = layer_at(origins_[i]);
      layer.last = std::max(layer.last, evaluations_[i]->end);
    }
    for (const auto& [gradient, evaluation] : gradients())
      layer_at(origins_[evaluation]).gradients.push_back(gradient);
    const Events kernels = of(TraceKind::kernel);
    if (kernels.empty())
      add_ops();
    else
      add_kernels(kernels);
    return std::move(layers_);
  }

 private:
  Events of(TraceKind kind) const {
    return those(events_, [&](const TraceEvent& event) { return event.kind == kind; });
  }

  // By number. Among the ops that a number is on, the latest one made the node of the backward
  // pass. `late`: those that begin after the backward pass does, of a second forward pass.
  std::map<std::int64_t, TracePoint> forward_ops(bool late) const {
    std::map<std::int64_t, TracePoint> latest;
    for (const TraceEvent* op : ops_) {
      if (op->sequence == TraceEvent::kNone || (op->begin >= backward_begin_) != late ||
          backward_.innermost(begin_of(*op)))
        continue;
      TracePoint& point = latest.try_emplace(op->sequence, begin_of(*op)).first->second;
      if (op->begin > point.at) point = begin_of(*op);
    }
    return latest;
  }

  void refuse_second_pass(const std::map<std::int64_t, TracePoint>& forward) const {
    const std::map<std::int64_t, TracePoint> late = forward_ops(true);
    for (const TraceEvent* evaluation : evaluations_)
      if (late.contains(evaluation->sequence) && !forward.contains(evaluation->sequence))
        throw InputError("the trace holds several passes forward and backward, as one step",
                         "call prof.step() after each step, or trace a single one");
  }

  // Where in the forward pass each evaluation comes from. One that does not say so (AccumulateGrad)
  // belongs to the one before it on its thread; the first ones of a thread, to the end.
  void find_origins() {
    const std::map<std::int64_t, TracePoint> forward = forward_ops(false);
    if (std::ranges::none_of(evaluations_, [&](const TraceEvent* evaluation) {
          return forward.contains(evaluation->sequence);
        }))
      throw InputError(
          "no operator of the forward pass has the \"Sequence number\" of one of the backward pass",
          "profile a whole step, forward and backward, with torch.profiler");
    refuse_second_pass(forward);
    TracePoint end = forward.begin()->second;
    for (const auto& [number, point] : forward)
      if (point.at > end.at) end = point;
    for (std::size_t i = 0; i < evaluations_.size(); ++i) {
      const auto found = forward.find(evaluations_[i]->sequence);
      const bool follows = i > 0 && evaluations_[i - 1]->thread == evaluations_[i]->thread;
      if (found != forward.end())
        origins_.push_back(found->second);
      else
        origins_.push_back(follows ? origins_.back() : end);
    }
  }

  // Each with its evaluation.
  std::vector<std::pair<const TraceEvent*, std::size_t>> gradients() const {
    std::vector<std::pair<const TraceEvent*, std::size_t>> result;
    for (const TraceEvent* op : ops_)
      if (op->name == kGradient && op->elements && *op->elements > 0)
        if (const auto evaluation = backward_.innermost(begin_of(*op)))
          result.emplace_back(op, *evaluation);
    if (result.empty())
      throw InputError("the trace has no shapes of gradients",
                       "profile with record_shapes=True, of parameters that require gradients");
    std::ranges::stable_sort(result, {}, [](const auto& pair) { return pair.first->begin; });
    return result;
  }

  Events outermost_ops() const {
    std::set<std::size_t> holders;
    for (const TracePoint& origin : origins_)
      if (auto window = op_windows_.innermost(origin)) {
        while (const auto around = op_windows_.enclosing(*window)) window = around;
        holders.insert(*window);
      }
    Events result;
    for (const std::size_t holder : holders) result.push_back(ops_[holder]);
    return result;
  }

  void find_layers() {
    const Events annotations =
        those(of(TraceKind::annotation), [](const TraceEvent& event) { return is_users(event); });
    if (keep_layers(of(TraceKind::module), false) || keep_layers(annotations, false)) return;
    keep_layers(outermost_ops(), true);
    require(!layers_.empty(), "a trace with gradients has ops that they come from");
  }

  // Takes the candidates that the gradients come from for layers; false where they come from none.
  bool keep_layers(const Events& candidates, bool apart) {
    const TraceWindows windows = windows_of(candidates);
    std::set<const TraceEvent*> sources;
    std::set<std::string> names;
    for (const auto& [gradient, evaluation] : gradients())
      if (const auto window = windows.innermost(origins_[evaluation])) {
        sources.insert(candidates[*window]);
        names.insert(candidates[*window]->name);
      }
    const Events kept = those(candidates, [&](const TraceEvent& event) {
      return apart ? sources.contains(&event) : names.contains(event.name);
    });
    forward_begin_ = backward_begin_;
    for (const TraceEvent* candidate : candidates)
      forward_begin_ = std::min(forward_begin_, candidate->begin);
    if (!kept.empty()) name_layers(kept, apart);
    return !kept.empty();
  }

  // Windows of one name are one layer, unless they are to be told apart by a number.
  void name_layers(const Events& windows, bool apart) {
    std::map<std::string, std::size_t> known;
    std::map<std::string, int> counts;
    for (const TraceEvent* window : windows) {
      const std::string name =
          apart ? fmt::format("{}_{}", window->name, counts[window->name]++) : window->name;
      const auto [entry, is_new] = known.try_emplace(name, layers_.size());
      if (is_new) layers_.push_back({name, {}, {}, 0, {}});
      layer_of_window_.push_back(entry->second);
    }
    layer_windows_ = windows_of(windows);
  }

  TracedLayer& layer_at(TracePoint point) {
    std::optional<std::size_t> window = layer_windows_.innermost(point);
    if (!window) window = layer_windows_.last_begun(point);
    return layers_[window ? layer_of_window_[*window] : 0];
  }

  void add(TracePoint point, Time duration) {
    if (const auto evaluation = backward_.innermost(point))
      layer_at(origins_[*evaluation]).backward += duration;
    else if (point.at >= forward_begin_ && point.at < backward_begin_)
      layer_at(point).forward += duration;
  }

  void add_ops() {
    for (std::size_t i = 0; i < ops_.size(); ++i)
      if (!op_windows_.enclosing(i)) add(begin_of(*ops_[i]), ops_[i]->duration);
  }

  void add_kernels(const Events& kernels) {
    std::map<std::int64_t, TracePoint> launches;
    std::map<std::int64_t, TracePoint> ops;
    for (const TraceEvent* launch : of(TraceKind::launch))
      launches.emplace(launch->correlation, begin_of(*launch));
    for (const TraceEvent* op : ops_) ops.emplace(op->external, begin_of(*op));
    launches.erase(TraceEvent::kNone);
    ops.erase(TraceEvent::kNone);
    bool found_any = false;
    for (const TraceEvent* kernel : kernels) {
      auto from = launches.find(kernel->correlation);
      if (from == launches.end() && (from = ops.find(kernel->external)) == ops.end()) continue;
      found_any = true;
      if (!kernel->name.starts_with("nccl")) add(from->second, kernel->duration);
    }
    if (!found_any)
      throw InputError("the kernels of the trace say no operator that launched them",
                       "profile with ProfilerActivity.CPU and ProfilerActivity.CUDA together");
  }

  Events events_;
  Events ops_;
  Events evaluations_;  // of the backward pass, AccumulateGrad among them
  TraceWindows op_windows_;
  TraceWindows backward_;
  std::vector<TracePoint> origins_;  // of evaluations
  TraceWindows layer_windows_{{}};
  std::vector<std::size_t> layer_of_window_;
  std::vector<TracedLayer> layers_;
  std::int64_t forward_begin_ = 0;
  std::int64_t backward_begin_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

std::vector<TracedLayer> layers_of_step(const std::vector<TraceEvent>& events) {
  return Step(last_step(events)).layers();
}

}  // namespace syncsim
