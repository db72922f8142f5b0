#include "sim/schedule/msccl/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/base/text.h"

namespace syncsim::msccl {
namespace {

struct Connection {
  std::vector<StepId> sends;
  std::vector<StepId> receives;
};

}  // namespace

StepOrder::StepOrder(const Algorithm& algorithm, const XmlText& xml, const Layout& layout)
    : algorithm_(algorithm), xml_(xml), layout_(layout) {
  place_steps();
  find_dependencies();
  match();
  if (!violation_) sort();
}

const ThreadBlock& StepOrder::block(StepId step) const {
  const StepPlace& at = places_[step];
  return algorithm_.gpus[static_cast<std::size_t>(at.gpu)].blocks[at.block];
}

const Step& StepOrder::step(StepId step) const { return block(step).steps[places_[step].position]; }

std::string StepOrder::describe(StepId id) const {
  return fmt::format("GPU {}, thread block {}, step {} ({})", places_[id].gpu, block(id).id,
                     step(id).number, row(step(id).type).name);
}

void StepOrder::place_steps() {
  for (std::size_t gpu = 0; gpu < algorithm_.gpus.size(); ++gpu) {
    const auto& blocks = algorithm_.gpus[gpu].blocks;
    first_.emplace_back();
    for (std::uint32_t block = 0; block < blocks.size(); ++block) {
      first_.back().push_back(count());
      for (std::uint32_t position = 0; position < blocks[block].steps.size(); ++position)
        places_.push_back({static_cast<int>(gpu), block, position});
    }
  }
}

void StepOrder::find_dependencies() {
  dependencies_.assign(count(), kNone);
  for (StepId id = 0; id < count(); ++id) {
    const Step& waiting = step(id);
    if (waiting.dependency_block < 0) continue;
    const auto gpu = static_cast<std::size_t>(places_[id].gpu);
    const auto& blocks = algorithm_.gpus[gpu].blocks;
    const auto refuse = [&]() -> InputError {
      return {fmt::format("it waits for step {} of thread block {}, which does not exist",
                          waiting.dependency_step, waiting.dependency_block),
              "name a step of this GPU, or -1", xml_.place(waiting.offset)};
    };
    const auto found = std::lower_bound(
        blocks.begin(), blocks.end(), waiting.dependency_block,
        [](const ThreadBlock& block, std::int32_t number) { return block.id < number; });
    if (found == blocks.end() || found->id != waiting.dependency_block) throw refuse();
    const auto& steps = found->steps;
    const auto at = std::lower_bound(
        steps.begin(), steps.end(), waiting.dependency_step,
        [](const Step& each, std::int32_t number) { return each.number < number; });
    if (at == steps.end() || at->number != waiting.dependency_step) throw refuse();
    dependencies_[id] = first_[gpu][static_cast<std::size_t>(found - blocks.begin())] +
                        static_cast<StepId>(at - steps.begin());
  }
}

void StepOrder::match() {
  std::map<std::tuple<int, int, std::uint16_t>, Connection> connections;
  const auto add = [&](std::vector<StepId>& steps, StepId id) {
    if (!steps.empty() && places_[steps.back()].block != places_[id].block)
      throw InputError(fmt::format("shares its connection on channel {} with thread block {}",
                                   block(id).channel, block(steps.back()).id),
                       "give each of the two a channel of its own", xml_.place(block(id).offset));
    steps.push_back(id);
  };
  for (StepId id = 0; id < count(); ++id) {
    const ThreadBlock& own = block(id);
    const StepRow& does = row(step(id).type);
    const int gpu = places_[id].gpu;
    if (does.sends) add(connections[{gpu, own.send, own.channel}].sends, id);
    if (does.receives) add(connections[{own.receive, gpu, own.channel}].receives, id);
  }
  peers_.assign(count(), kNone);
  senders_.assign(count(), kNone);
  for (const auto& [key, connection] : connections) {
    if (violation_) return;
    match_connection(connection.sends, connection.receives);
  }
}

void StepOrder::match_connection(const std::vector<StepId>& sends,
                                 const std::vector<StepId>& receives) {
  for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
    if (i >= receives.size() || i >= sends.size()) {
      const bool sends_more = i < sends.size();
      violation_ = unmatched(sends_more ? sends[i] : receives[i], sends_more);
      return;
    }
    peers_[sends[i]] = receives[i];
    senders_[receives[i]] = sends[i];
    const std::uint32_t sent = step(sends[i]).count;
    const std::uint32_t taken = step(receives[i]).count;
    if (sent == taken) continue;
    violation_ = unmatched(receives[i], false);
    violation_->kind = Violation::Kind::structure;
    violation_->message = fmt::format("{} takes {}, and {} sends {}", describe(receives[i]),
                                      counted(taken, "chunk"), describe(sends[i]), sent);
    return;
  }
}

std::uint32_t StepOrder::chunk_of(StepId step, const Place& place) const {
  if (place.chunk < 0) return kNone;
  const int gpu = places_[step].gpu;
  return layout_.data_chunk(gpu,
                            layout_.at(gpu, place.space, static_cast<std::uint32_t>(place.chunk)));
}

// The rank that lacks something is the one that receives.
Violation StepOrder::unmatched(StepId id, bool sends) const {
  const bool stores = row(step(id).type).stores;
  const Place& place = stores ? step(id).destination : step(id).source;
  const int receiver = sends ? block(id).send : places_[id].gpu;
  const std::string message =
      sends ? fmt::format("{} sends to GPU {} on channel {}, which does not receive it",
                          describe(id), block(id).send, block(id).channel)
            : fmt::format("{} receives from GPU {} on channel {}, which sends nothing for it",
                          describe(id), block(id).receive, block(id).channel);
  return {Violation::Kind::missing, message, static_cast<ParticipantId>(receiver),
          chunk_of(id, place)};
}

void StepOrder::sort() {
  std::vector<std::vector<StepId>> dependents(count());
  std::vector<std::uint32_t> waits(count());
  const auto link = [&](StepId before, StepId after) {
    dependents[before].push_back(after);
    ++waits[after];
  };
  for (StepId id = 0; id < count(); ++id) {
    if (places_[id].position > 0) link(id - 1, id);
    if (dependencies_[id] != kNone) link(dependencies_[id], id);
    if (peers_[id] != kNone) link(id, peers_[id]);
  }
  for (StepId id = 0; id < count(); ++id)
    if (waits[id] == 0) sequence_.push_back(id);
  for (std::size_t next = 0; next < sequence_.size(); ++next)
    for (const StepId after : dependents[sequence_[next]])
      if (--waits[after] == 0) sequence_.push_back(after);
  if (sequence_.size() < count()) violation_ = deadlock(waits);
}

// Walks back from a step that never starts to one that it waits for, until one comes again.
Violation StepOrder::deadlock(const std::vector<std::uint32_t>& waits) const {
  const auto waits_for = [&](StepId id) {
    if (places_[id].position > 0 && waits[id - 1] > 0) return id - 1;
    if (dependencies_[id] != kNone && waits[dependencies_[id]] > 0) return dependencies_[id];
    return senders_[id];
  };
  StepId at = static_cast<StepId>(
      std::find_if(waits.begin(), waits.end(), [](std::uint32_t n) { return n > 0; }) -
      waits.begin());
  std::vector<bool> seen(count());
  for (; !seen[at]; at = waits_for(at)) seen[at] = true;
  constexpr std::size_t kMostNamed = 8;
  std::string names = describe(at);
  std::size_t length = 1;
  for (StepId each = waits_for(at); each != at; each = waits_for(each), ++length)
    if (length < kMostNamed) names += " waits for " + describe(each);
  if (length > kMostNamed) names += fmt::format(" ... ({} steps in all)", length);
  return {Violation::Kind::cycle,
          fmt::format("steps wait for each other, so that none can start: {} waits for {}", names,
                      describe(at)),
          static_cast<ParticipantId>(places_[at].gpu), chunk_of(at, step(at).destination)};
}

}  // namespace syncsim::msccl
