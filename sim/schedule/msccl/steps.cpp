#include "sim/schedule/msccl/steps.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace syncsim::msccl {
namespace {

struct StepRef {
  ParticipantId gpu = 0;
  std::uint32_t block = kNone;
  std::uint32_t step = 0;

  bool known() const { return block != kNone; }
};

struct DraftStep {
  Step step;
  std::vector<OpId> sends = {};     // one at most; what waits on behalf of which op
  std::vector<OpId> receives = {};  // or does locally
  bool adds_from_scratch = false;   // the second half of a receive that is kept apart
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waits = {};  // (block, step)
};

struct DraftBlock {
  EndList list;
  std::vector<DraftStep> steps = {};
};

bool overlap(const UnitRange& a, const UnitRange& b) {
  return a.first.space == b.first.space &&
         a.first.chunk < b.first.chunk + static_cast<std::int32_t>(b.count) &&
         b.first.chunk < a.first.chunk + static_cast<std::int32_t>(a.count);
}

class Drafter {
 public:
  Drafter(const Schedule& schedule, bool merging, Units& units)
      : schedule_(schedule),
        units_(units),
        waits_(waits_without_joins(schedule)),
        turns_(take_turns(schedule, waits_, units)),
        arrivals_(schedule.ops.size()),
        departures_(schedule.ops.size()),
        dependents_(schedule.ops.size()) {
    for (OpId id = 0; id < waits_.size(); ++id)
      for (const OpId before : waits_[id]) dependents_[before].push_back(id);
    for (auto& lists : thread_blocks(schedule, waits_, merging)) {
      gpus_.emplace_back();
      for (EndList& list : lists) gpus_.back().push_back({std::move(list)});
    }
  }

  std::vector<std::vector<ThreadBlock>> run() {
    for (ParticipantId gpu = 0; gpu < gpus_.size(); ++gpu)
      for (std::uint32_t block = 0; block < gpus_[gpu].size(); ++block) draft(gpu, block);
    for (OpId id = 0; id < schedule_.ops.size(); ++id) {
      if (only_waits(op(id))) continue;
      for (const OpId before : waits_[id]) wait(before, id);
      for (const OpId before : turns_.before[id]) wait_for_turn(before, id);
    }
    std::vector<std::vector<ThreadBlock>> result;
    for (std::vector<DraftBlock>& blocks : gpus_) result.push_back(numbered(blocks));
    return result;
  }

 private:
  const Op& op(OpId id) const { return schedule_.ops[id]; }
  DraftStep& at(const StepRef& ref) { return gpus_[ref.gpu][ref.block].steps[ref.step]; }

  void draft(ParticipantId gpu, std::uint32_t block) {
    DraftBlock& drafted = gpus_[gpu][block];
    for (const End& end : drafted.list.ends) {
      if (end.kind == End::Kind::send)
        draft_send(gpu, block, end.op);
      else
        draft_arrival(gpu, block, end);
    }
  }

  StepRef push(ParticipantId gpu, std::uint32_t block, DraftStep step) {
    std::vector<DraftStep>& steps = gpus_[gpu][block].steps;
    steps.push_back(std::move(step));
    return {gpu, block, static_cast<std::uint32_t>(steps.size() - 1)};
  }

  static Step step_of(StepType type, const Place& from, const Place& to, std::uint32_t count) {
    Step step;
    step.type = type;
    step.source = from;
    step.destination = to;
    step.count = count;
    return step;
  }

  void draft_send(ParticipantId gpu, std::uint32_t block, OpId id) {
    const UnitRange from = units_.source(op(id));
    std::vector<DraftStep>& steps = gpus_[gpu][block].steps;
    if (!steps.empty() && goes_on_at_once(gpu, block, steps.back(), id)) {
      Step& last = steps.back().step;
      last.type = last.type == StepType::r ? StepType::rcs : StepType::rrcs;
      steps.back().sends = {id};
      departures_[id] = {gpu, block, static_cast<std::uint32_t>(steps.size() - 1)};
      return;
    }
    const UnitRange to = units_.destination(op(id));
    departures_[id] =
        push(gpu, block, {step_of(StepType::s, from.first, to.first, from.count), {id}});
  }

  // Whether a send is all that comes after what the step receives, and nothing else.
  bool goes_on_at_once(ParticipantId gpu, std::uint32_t block, const DraftStep& last,
                       OpId id) const {
    if (last.step.type != StepType::r && last.step.type != StepType::rrc) return false;
    const UnitRange from = units_.source(op(id));
    const Place& there = last.step.destination;
    if (there.space != from.first.space || there.chunk != from.first.chunk ||
        last.step.count != from.count)
      return false;
    const bool waits_within = std::all_of(waits_[id].begin(), waits_[id].end(), [&](OpId before) {
      const Meeting meeting = meeting_of(before, id);
      const StepRef& arrival = arrivals_[before];
      return !meeting.departs ||
             (meeting.arrived && arrival.known() && arrival.gpu == gpu && arrival.block == block);
    });
    return waits_within && std::all_of(dependents_[id].begin(), dependents_[id].end(),
                                       [&](OpId after) { return needs_no_departure(id, after); });
  }

  // It waits for the arrival, or overwrites what was sent, which keeps the order by itself.
  bool needs_no_departure(OpId sent, OpId after) const {
    const Op& it = op(sent);
    if (meeting_of(sent, after).arrived) return true;
    return op(after).destination == it.source &&
           overlap(units_.destination(op(after)), units_.source(it)) && !turns_.apart[after];
  }

  void draft_arrival(ParticipantId gpu, std::uint32_t block, const End& end) {
    const Op& it = op(end.op);
    const UnitRange from = units_.source(it);
    const UnitRange to = units_.destination(it);
    const bool adds = it.kind == OpKind::reduce && !turns_.first[end.op];
    if (end.kind == End::Kind::local) {
      const StepType type = adds ? StepType::re : StepType::cpy;
      arrivals_[end.op] =
          push(gpu, block, {step_of(type, from.first, to.first, to.count), {}, {end.op}});
    } else if (turns_.apart[end.op]) {
      const Place scratch = units_.new_scratch(to.count);
      push(gpu, block, {step_of(StepType::r, from.first, scratch, to.count)});
      arrivals_[end.op] = push(
          gpu, block, {step_of(StepType::re, scratch, to.first, to.count), {}, {end.op}, true});
    } else {
      const Place& source = adds ? to.first : from.first;
      const StepType type = adds ? StepType::rrc : StepType::r;
      arrivals_[end.op] =
          push(gpu, block, {step_of(type, source, to.first, to.count), {}, {end.op}});
    }
  }

  // At which GPU the one waits for the other, and for which end with which.
  struct Meeting {
    bool arrived;  // else departed
    bool departs;  // else arrives
  };
  Meeting meeting_of(OpId before, OpId after) const {
    const Op& first = op(before);
    const Op& then = op(after);
    const bool arrived = then.source == first.destination || then.destination == first.destination;
    const ParticipantId gpu = arrived ? first.destination : first.source;
    return {arrived, then.source == gpu && then.source != then.destination};
  }

  void wait(OpId before, OpId after) {
    const auto [arrived, departs] = meeting_of(before, after);
    const StepRef& done = arrived ? arrivals_[before] : departures_[before];
    const StepRef& waiting = departs ? departures_[after] : arrivals_[after];
    if (done.block != waiting.block || !is_implied(before, arrived, after, departs, waiting))
      add_wait(done, waiting);
  }

  // Of two steps of one block.
  bool is_implied(OpId before, bool arrived, OpId after, bool departs, const StepRef& waiting) {
    const bool is_local =
        op(after).source == op(after).destination || at(waiting).adds_from_scratch;
    if (arrived && (departs || is_local)) return true;
    if (departs) return false;
    const bool was_local = op(before).source == op(before).destination;
    if (arrived && !was_local) return false;
    const UnitRange written = units_.destination(op(after));
    return overlap(written, units_.source(op(before))) ||
           (was_local && overlap(written, units_.destination(op(before))));
  }

  void wait_for_turn(OpId before, OpId after) {
    if (arrivals_[before].block != arrivals_[after].block)
      add_wait(arrivals_[before], arrivals_[after]);
  }

  void add_wait(const StepRef& done, const StepRef& waiting) {
    at(waiting).waits.emplace_back(done.block, done.step);
    at(done).step.has_dependent = true;
  }

  // Numbers the steps, with nops for more than one wait each.
  static std::vector<ThreadBlock> numbered(std::vector<DraftBlock>& blocks) {
    std::vector<std::vector<std::int32_t>> numbers;
    for (DraftBlock& block : blocks) {
      numbers.emplace_back();
      std::int32_t next = 0;
      for (DraftStep& step : block.steps) {
        std::sort(step.waits.begin(), step.waits.end());
        step.waits.erase(std::unique(step.waits.begin(), step.waits.end()), step.waits.end());
        next += std::max(static_cast<std::int32_t>(step.waits.size()) - 1, 0);
        numbers.back().push_back(next++);
      }
    }
    std::vector<ThreadBlock> result;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      ThreadBlock block;
      block.id = static_cast<std::int32_t>(i);
      block.send = blocks[i].list.send;
      block.receive = blocks[i].list.receive;
      block.channel = blocks[i].list.channel;
      for (DraftStep& draft : blocks[i].steps) put(draft, numbers, block.steps);
      result.push_back(std::move(block));
    }
    return result;
  }

  static void put(const DraftStep& draft, const std::vector<std::vector<std::int32_t>>& numbers,
                  std::vector<Step>& steps) {
    for (std::size_t i = 0; i < std::max<std::size_t>(draft.waits.size(), 1); ++i) {
      const bool is_last = i + 1 >= draft.waits.size();
      Step step = is_last ? draft.step : step_of(StepType::nop, {}, {Space::output, -1}, 0);
      step.number = static_cast<std::int32_t>(steps.size());
      if (!draft.waits.empty()) {
        const auto [block, position] = draft.waits[i];
        step.dependency_block = static_cast<std::int32_t>(block);
        step.dependency_step = numbers[block][position];
      }
      steps.push_back(step);
    }
  }

  const Schedule& schedule_;
  Units& units_;
  std::vector<std::vector<OpId>> waits_;  // by op
  Turns turns_;
  std::vector<std::vector<DraftBlock>> gpus_;
  std::vector<StepRef> arrivals_;              // by op: where its data have come to their place
  std::vector<StepRef> departures_;            // by op
  std::vector<std::vector<OpId>> dependents_;  // by op
};

}  // namespace

std::vector<std::vector<ThreadBlock>> steps_of(const Schedule& schedule, bool merging,
                                               Units& units) {
  return Drafter(schedule, merging, units).run();
}

}  // namespace syncsim::msccl
