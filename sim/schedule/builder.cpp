#include "sim/schedule/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "sim/base/error.h"
#include "sim/schedule/buffers.h"
#include "sim/schedule/op_emitter.h"
#include "sim/schedule/proportion.h"
#include "sim/schedule/scopes.h"
#include "sim/schedule/scratch_space.h"

namespace syncsim {

class ScheduleBuilder::Implementation {
 public:
  Implementation(const Collective& collective, std::vector<std::string> rank_nodes, Cuts earlier,
                 const Oversight& oversight, Staging* staging = nullptr);

  std::int64_t elements_of(const Slice& slice) const;
  Schedule finish();

  const Collective collective;
  const std::uint32_t ranks;
  std::vector<std::string> participants;
  std::map<std::pair<std::string, std::vector<ParticipantId>>, ParticipantId> helpers;
  Groups groups;
  std::map<std::vector<ParticipantId>, ParticipantId> group_ids;
  Scopes scopes;
  Buffers buffers;
  ScratchSpace scratch;
  OpEmitter emitter;
  std::vector<std::string> notes;
};

ScheduleBuilder::Implementation::Implementation(const Collective& whole,
                                                std::vector<std::string> rank_nodes, Cuts earlier,
                                                const Oversight& oversight, Staging* staging)
    : collective(whole),
      ranks(static_cast<std::uint32_t>(rank_nodes.size())),
      participants(std::move(rank_nodes)),
      scopes(whole),
      buffers(std::move(earlier)),
      scratch(buffers),
      emitter(participants, groups, scopes, buffers, oversight, staging) {
  require(static_cast<std::int64_t>(ranks) == whole.ranks,
          "a schedule needs one node for every rank of its collective");
  const Slice data = buffers.add("data", whole.buffer_bytes());
  if (has_blocks(whole.kind)) buffers.cut(data.buffer, whole.block_boundaries());
}

// Elements of the scope's datatype; throws when the slice does not begin and end on one.
std::int64_t ScheduleBuilder::Implementation::elements_of(const Slice& slice) const {
  buffers.require_inside(slice);
  const std::int64_t element = scopes.current().element;
  if (slice.begin % element != 0 || slice.end % element != 0)
    throw InternalError("a split of " + buffers.describe(slice) + " off the elements of " +
                        std::to_string(element) + " B");
  return slice.size() / element;
}

Schedule ScheduleBuilder::Implementation::finish() {
  Schedule schedule;
  schedule.ranks = ranks;
  schedule.participants = std::move(participants);
  schedule.groups = std::move(groups);
  emitter.finish(schedule);
  schedule.buffers = buffers.finish();
  schedule.notes = std::move(notes);
  schedule.collectives = {{collective, 0, 0, schedule.buffers.front().chunks()}};
  return schedule;
}

ScheduleBuilder::ScheduleBuilder(const Collective& collective, std::vector<std::string> rank_nodes)
    : ScheduleBuilder(std::make_unique<Implementation>(collective, std::move(rank_nodes), Cuts{},
                                                       Oversight{})) {}

ScheduleBuilder::ScheduleBuilder(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}

ScheduleBuilder::~ScheduleBuilder() = default;

// --- The current scope.

int ScheduleBuilder::ranks() const { return collective().ranks; }

const Collective& ScheduleBuilder::collective() const {
  return implementation_->scopes.current().collective;
}

Slice ScheduleBuilder::data() const { return implementation_->scopes.current().data; }

Slice ScheduleBuilder::part(int rank) const {
  const Scope& scope = implementation_->scopes.current();
  const int n = scope.collective.ranks;
  require(!is_pairwise(scope.collective.kind), "parts of a buffer that is cut by pairs");
  require(rank >= 0 && rank < n, "the part of a rank that the scope does not have");
  const std::int64_t elements = scope.data.size() / scope.element;
  const auto offset = [&](int of_rank) {
    return scope.data.begin + share(elements, of_rank, n) * scope.element;
  };
  const Slice result = scope.parts.empty()
                           ? Slice{scope.data.buffer, offset(rank), offset(rank + 1)}
                           : scope.parts[static_cast<std::size_t>(rank)];
  implementation_->emitter.step(1);
  implementation_->buffers.cut(result);
  return result;
}

Slice ScheduleBuilder::block(int from, int to) const {
  const Scope& scope = implementation_->scopes.current();
  const Collective& whole = scope.collective;
  require(from >= 0 && from < whole.ranks && to >= 0 && to < whole.ranks,
          "the block of a rank that the scope does not have");
  const std::int64_t row = scope.data.begin + from * whole.bytes.count;
  if (whole.kind == CollectiveKind::send_recv)
    return {scope.data.buffer, row, row + whole.bytes.count};
  const auto offset = [&](int of_rank) {
    return row + share(whole.elements(), of_rank, whole.ranks) * scope.element;
  };
  return {scope.data.buffer, offset(to), offset(to + 1)};
}

const std::string& ScheduleBuilder::node_of(ParticipantId participant) const {
  const ParticipantId global = implementation_->scopes.global(participant);
  require(global < implementation_->participants.size(), "a participant that does not exist");
  return implementation_->participants[global];
}

int ScheduleBuilder::scope(const ScopeOptions& options, const std::function<void()>& emit) {
  constexpr std::uint64_t kSteps = 8;  // takes as long as so many cuts
  Implementation& own = *implementation_;
  own.emitter.step(kSteps);
  if (options.data) own.buffers.require_inside(*options.data);
  own.scopes.enter(options, own.emitter.next_op());
  own.emitter.phase_changed();
  emit();
  const int channels = own.scopes.leave();
  own.emitter.phase_changed();
  return channels;
}

// --- Participants, buffers and slices.

ParticipantId ScheduleBuilder::helper(const std::string& node) {
  auto& participants = implementation_->participants;
  const auto next = static_cast<ParticipantId>(participants.size());
  const std::vector<ParticipantId>& ranks = implementation_->scopes.current().participants;
  const auto [known, added] = implementation_->helpers.try_emplace({node, ranks}, next);
  if (added) participants.push_back(node);
  return known->second;
}

ParticipantId ScheduleBuilder::group(const std::vector<ParticipantId>& members) {
  Implementation& own = *implementation_;
  std::vector<ParticipantId> global;
  for (const ParticipantId member : members) global.push_back(own.scopes.global(member));
  std::sort(global.begin(), global.end());
  require(!global.empty() && global.back() < own.participants.size(),
          "a group of no one, or of participants that do not exist");
  require(std::adjacent_find(global.begin(), global.end()) == global.end(),
          "a group lists one participant twice");
  const auto next = kGroupBit | static_cast<ParticipantId>(own.groups.size());
  const auto [known, added] = own.group_ids.try_emplace(global, next);
  if (added) own.groups.push_back(std::move(global));
  return known->second;
}

Slice ScheduleBuilder::scratch(const std::string& name, Bytes size) {
  Implementation& own = *implementation_;
  if (!own.scopes.nested()) return own.buffers.add(name, size.count);
  return own.scratch.find(name, size.count, own.scopes.current().participants);
}

Slice ScheduleBuilder::relaxed_scratch(const std::string& name, Bytes size) {
  require(!implementation_->scopes.nested(), "a relaxed buffer in a scope");
  return implementation_->buffers.add_relaxed(name, size.count);
}

std::vector<Slice> ScheduleBuilder::split(const Slice& slice, int pieces) {
  require(pieces > 0, "a split into no pieces");
  implementation_->emitter.step(static_cast<std::uint64_t>(pieces));
  const std::int64_t elements = implementation_->elements_of(slice);
  const std::int64_t element = implementation_->scopes.current().element;
  std::vector<std::int64_t> offsets;
  offsets.reserve(static_cast<std::size_t>(pieces) + 1);
  for (int piece = 0; piece <= pieces; ++piece)
    offsets.push_back(slice.begin + share(elements, piece, pieces) * element);
  return implementation_->buffers.cut(slice.buffer, offsets);
}

std::vector<Slice> ScheduleBuilder::split(const Slice& slice, const std::vector<int>& weights) {
  implementation_->emitter.step(weights.size());
  const std::int64_t elements = implementation_->elements_of(slice);
  const std::int64_t element = implementation_->scopes.current().element;
  const std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  const bool negative = std::any_of(weights.begin(), weights.end(), [](int w) { return w < 0; });
  require(total > 0 && !negative, "the weights of a split are not negative and not all 0");
  std::vector<std::int64_t> offsets{slice.begin};
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) last = i;
    offsets.push_back(offsets.back() + share(elements, weights[i], total) * element);
  }
  std::fill(offsets.begin() + static_cast<std::ptrdiff_t>(last) + 1, offsets.end(), slice.end);
  return implementation_->buffers.cut(slice.buffer, offsets);
}

// --- Ops.

void ScheduleBuilder::phase(std::string_view name) {
  implementation_->scopes.set_phase(name);
  implementation_->emitter.phase_changed();
}

void ScheduleBuilder::expect(const Expected& following) {
  implementation_->emitter.expect(following);
}

void ScheduleBuilder::heed_watch() { implementation_->emitter.step(Pace::kSteps); }

std::uint64_t ScheduleBuilder::ops() const { return implementation_->emitter.ops(); }

OpId ScheduleBuilder::copy(ParticipantId from, ParticipantId to, const Slice& slice,
                           std::uint16_t channel) {
  return copy(from, slice, to, slice, channel);
}

OpId ScheduleBuilder::copy(ParticipantId from, const Slice& source, ParticipantId to,
                           const Slice& destination, std::uint16_t channel) {
  return implementation_->emitter.transfer(OpKind::copy, from, source, to, destination, channel);
}

OpId ScheduleBuilder::reduce(ParticipantId from, ParticipantId to, const Slice& slice,
                             std::uint16_t channel) {
  return reduce(from, slice, to, slice, channel);
}

OpId ScheduleBuilder::reduce(ParticipantId from, const Slice& source, ParticipantId to,
                             const Slice& destination, std::uint16_t channel) {
  return implementation_->emitter.transfer(OpKind::reduce, from, source, to, destination, channel);
}

OpId ScheduleBuilder::signal(ParticipantId from, ParticipantId to, std::uint16_t channel) {
  return implementation_->emitter.signal(from, to, channel);
}

OpId ScheduleBuilder::compute(ParticipantId participant, Time duration, std::uint16_t channel) {
  return implementation_->emitter.compute(participant, duration, channel);
}

OpId ScheduleBuilder::compute(ParticipantId participant, Time duration, Access access,
                              const Slice& slice, std::uint16_t channel) {
  return implementation_->emitter.compute_on(participant, duration, access, slice, channel);
}

OpId ScheduleBuilder::join(ParticipantId participant, const std::vector<OpId>& ops) {
  return implementation_->emitter.join(participant, ops);
}

void ScheduleBuilder::edge(OpId before, OpId after) {
  implementation_->emitter.edge(before, after);
}

void ScheduleBuilder::nics(std::uint16_t channel, ParticipantId participant, const NicNames& nics) {
  implementation_->emitter.set_nics(channel, participant, nics);
}

void ScheduleBuilder::channel(std::uint16_t channel, const Channel& properties) {
  implementation_->emitter.set_channel(channel, properties);
}

void ScheduleBuilder::note(std::string text) {
  std::vector<std::string>& notes = implementation_->notes;
  text.insert(0, implementation_->scopes.current().phase_prefix);
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(std::move(text));
}

Schedule build_schedule(const Collective& collective, const std::vector<std::string>& rank_nodes,
                        const std::function<void(ScheduleBuilder&)>& emit,
                        const Oversight& oversight, Reduction reduction) {
  // Cuts that copies carry from buffer to buffer may take a pass each.
  constexpr int kMostPasses = 100;
  Cuts cuts;
  Staging staging;
  const bool staged = reduction == Reduction::staged;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    staging.begin_pass();
    ScheduleBuilder builder(std::make_unique<ScheduleBuilder::Implementation>(
        collective, rank_nodes, std::move(cuts), oversight, staged ? &staging : nullptr));
    ScheduleBuilder::Implementation& own = *builder.implementation_;
    if (staged && staging.measuring()) own.buffers.give_up();
    emit(builder);
    if (!own.buffers.stale()) return own.finish();
    cuts = staged && staging.measuring() ? Cuts{} : own.buffers.take_cuts();
  }
  throw InputError(
      fmt::format("after {} passes pieces of the data still cut each other anew", kMostPasses),
      "use fewer chunks, or reductions \"on-arrival\"");
}

}  // namespace syncsim
