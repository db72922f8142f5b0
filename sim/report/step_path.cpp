#include "sim/report/step_path.h"

#include <algorithm>

namespace syncsim {
namespace {

// What an op adds to the path.
struct Share {
  OpId op = 0;
  Time start;
  Time finish;
};

OpId slowest_backward(const std::vector<StepPlan::RankOps>& ranks, const Timeline& timeline) {
  OpId slowest = ranks.front().backward_end;
  for (const StepPlan::RankOps& rank : ranks)
    if (timeline.ops[rank.backward_end].finish > timeline.ops[slowest].finish)
      slowest = rank.backward_end;
  return slowest;
}

// In order of time.
std::vector<Share> shares_of(OpId op, Time begin, const Timeline& timeline, HeldUp& held_up) {
  std::vector<Share> shares;
  for (Time until = timeline.ops[op].finish; op != kNone && until > begin;) {
    const OpId before = held_up.by(op);
    const Time let_go = before == kNone ? Time{} : timeline.ops[before].finish;
    const Time from = std::min(until, std::max(begin, let_go));
    if (from < until) shares.push_back({op, from, until});
    until = from;
    op = before;
  }
  std::reverse(shares.begin(), shares.end());
  return shares;
}

PathKind kind_of(PartOfStep part) {
  switch (part.part) {
    case StepPart::pause:
      return PathKind::pause;
    case StepPart::forward:
    case StepPart::backward:
    case StepPart::update:
      return PathKind::compute;
    default:
      return PathKind::transfer;
  }
}

class Joiner {
 public:
  Joiner(const Topology& machine, const Schedule& schedule, HeldUp& held_up, const StepNames& names,
         Time begin)
      : machine_(machine), schedule_(schedule), held_up_(held_up), names_(names), begin_(begin) {}

  void add(const Share& share) {
    const Op& op = schedule_.ops[share.op];
    const PartOfStep part = names_.part_of(share.op);
    const PathKind kind = kind_of(part);
    const std::string node =
        op.kind == OpKind::compute ? schedule_.participants[op.source] : std::string();
    if (path_.pieces.empty() || part.part != part_ || node != path_.pieces.back().node) {
      path_.pieces.push_back({kind, "", node, {}, share.start - begin_, {}});
      part_ = part.part;
      first_ = part.index;
    }
    PathPiece& piece = path_.pieces.back();
    piece.what = names_.of(part_, first_, part.index);
    piece.finish = share.finish - begin_;
    if (op.kind != OpKind::compute) piece.hops.push_back(hop_of(op, share));
    Time& sum = kind == PathKind::compute    ? path_.compute
                : kind == PathKind::transfer ? path_.transfer
                                             : path_.pause;
    sum += share.finish - share.start;
  }
  StepPath take() { return std::move(path_); }

 private:
  PathHop hop_of(const Op& op, const Share& share) {
    PathHop hop{nodes_of(schedule_, op.source),
                nodes_of(schedule_, op.destination),
                {},
                schedule_.bytes(op),
                share.start - begin_,
                share.finish - begin_};
    for (const LinkId link : held_up_.route(op).links)
      hop.links.push_back(machine_.links()[link].name);
    return hop;
  }

  const Topology& machine_;
  const Schedule& schedule_;
  HeldUp& held_up_;
  const StepNames& names_;
  Time begin_;
  StepPath path_;
  StepPart part_ = StepPart::forward;  // of the last piece
  std::uint32_t first_ = 0;            // its first layer or bucket
};

}  // namespace

StepPath step_path(const Topology& machine, const Schedule& schedule, const StepPlan& plan,
                   const Timeline& timeline, HeldUp& held_up, const StepNames& names,
                   std::size_t step) {
  const OpId last = slowest_backward(plan.ranks[step], timeline);
  const Time begin =
      step == 0 ? Time{} : timeline.ops[slowest_backward(plan.ranks[step - 1], timeline)].finish;
  Joiner joiner(machine, schedule, held_up, names, begin);
  for (const Share& share : shares_of(last, begin, timeline, held_up)) joiner.add(share);
  return joiner.take();
}

}  // namespace syncsim
