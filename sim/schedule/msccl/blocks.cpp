#include "sim/schedule/msccl/blocks.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "sim/schedule/check_order.h"
#include "sim/schedule/msccl/steps.h"

namespace syncsim::msccl {
namespace {

class BlockMaker {
 public:
  BlockMaker(const Schedule& schedule, const std::vector<std::vector<OpId>>& before, bool merging)
      : schedule_(schedule), before_(before), order_(schedule), merging_(merging) {
    positions_.assign(schedule.ops.size(), kNone);
    before_in_lane_.assign(schedule.ops.size(), kNone);
    for (OpId op = 0; op < schedule.ops.size(); ++op)
      if (const OpId next = order_.next_in_lane(op); next != kNone) before_in_lane_[next] = op;
  }

  std::vector<std::vector<EndList>> run() {
    lanes_.resize(schedule_.ranks);
    for (OpId position = 0; position < schedule_.ops.size(); ++position) add(order_.at(position));
    std::vector<std::vector<EndList>> result;
    for (ParticipantId rank = 0; rank < schedule_.ranks; ++rank) result.push_back(blocks_of(rank));
    return result;
  }

 private:
  using Key = std::tuple<std::int32_t, std::int32_t, std::uint16_t>;  // send, receive, channel

  void add(OpId id) {
    const Op& op = schedule_.ops[id];
    if (only_waits(op)) return;
    const auto from = static_cast<std::int32_t>(op.source);
    const auto to = static_cast<std::int32_t>(op.destination);
    if (from == to) return add_end(op.source, {-1, -1, op.channel}, {id, End::Kind::local});
    add_end(op.source, {to, -1, op.channel}, {id, End::Kind::send});
    add_end(op.destination, {-1, from, op.channel}, {id, End::Kind::receive});
  }

  void add_end(ParticipantId rank, const Key& key, End end) { lanes_[rank][key].push_back(end); }

  std::vector<EndList> blocks_of(ParticipantId rank) {
    std::map<Key, std::vector<End>>& lanes = lanes_[rank];
    std::vector<EndList> blocks;
    std::set<Key> done;
    const auto put = [&](const Key& key, std::vector<End> ends) {
      const auto [send, receive, channel] = key;
      blocks.push_back({send, receive, channel, std::move(ends)});
    };
    for (const auto& [key, ends] : lanes) {
      const auto [send, receive, channel] = key;
      if (!merging_ || receive < 0) continue;
      const Key partner = best_partner(lanes, ends, channel, done);
      if (partner == key) continue;
      done.insert({key, partner});
      put({std::get<0>(partner), receive, channel}, merged(lanes.at(partner), ends));
    }
    for (auto& [key, ends] : lanes)
      if (!done.contains(key)) put(key, std::move(ends));
    std::sort(blocks.begin(), blocks.end(), [](const EndList& a, const EndList& b) {
      return std::tie(a.send, a.receive, a.channel) < std::tie(b.send, b.receive, b.channel);
    });
    return blocks;
  }

  // The lane out of this channel that waits most often for what comes in; the lane in itself where
  // there is none.
  Key best_partner(const std::map<Key, std::vector<End>>& lanes, const std::vector<End>& receives,
                   std::uint16_t channel, const std::set<Key>& done) {
    for (std::uint32_t i = 0; i < receives.size(); ++i) positions_[receives[i].op] = i;
    const Op& first = schedule_.ops[receives.front().op];
    Key best{-1, static_cast<std::int32_t>(first.source), channel};
    std::size_t most = 0;
    for (const auto& [key, sends] : lanes) {
      if (std::get<0>(key) < 0 || std::get<2>(key) != channel || done.contains(key)) continue;
      std::size_t waits = 0;
      for (const End& send : sends)
        for (const OpId before : before_[send.op])
          if (positions_[before] != kNone) ++waits;
      if (waits > most) std::tie(best, most) = std::pair(key, waits);
    }
    for (const End& end : receives) positions_[end.op] = kNone;
    return best;
  }

  // What each send needs of the lane in, by whatever way, comes right before it.
  std::vector<End> merged(const std::vector<End>& sends, const std::vector<End>& receives) {
    std::vector<std::uint32_t> needs(schedule_.ops.size());  // how many of the receives
    for (std::uint32_t i = 0; i < receives.size(); ++i) positions_[receives[i].op] = i;
    for (OpId position = 0; position < needs.size(); ++position) {
      const OpId op = order_.at(position);
      const auto need = [&](OpId before) {
        const std::uint32_t own = positions_[before] == kNone ? 0 : positions_[before] + 1;
        needs[op] = std::max({needs[op], needs[before], own});
      };
      for (const OpId before : before_[op]) need(before);
      if (before_in_lane_[op] != kNone) need(before_in_lane_[op]);
    }
    for (const End& end : receives) positions_[end.op] = kNone;
    std::vector<End> result;
    std::uint32_t taken = 0;
    for (const End& send : sends) {
      for (; taken < needs[send.op]; ++taken) result.push_back(receives[taken]);
      result.push_back(send);
    }
    result.insert(result.end(), receives.begin() + taken, receives.end());
    return result;
  }

  const Schedule& schedule_;
  const std::vector<std::vector<OpId>>& before_;
  checking::Order order_;
  std::vector<OpId> before_in_lane_;
  bool merging_;
  std::vector<std::map<Key, std::vector<End>>> lanes_;  // by rank
  std::vector<std::uint32_t> positions_;                // by op, of the lane in that is looked at
};

}  // namespace

std::vector<std::vector<EndList>> thread_blocks(const Schedule& schedule,
                                                const std::vector<std::vector<OpId>>& before,
                                                bool merging) {
  return BlockMaker(schedule, before, merging).run();
}

}  // namespace syncsim::msccl
