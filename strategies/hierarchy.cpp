#include "strategies/hierarchy.h"

#include <algorithm>
#include <map>

namespace syncsim::strategy {
namespace {

using Kind = CollectiveKind;

// More levels stand above the lowest one.
NestedStrategy outer_strategy(const StrategyInput& input, const Groups& groups) {
  if (groups.above.empty()) return nested_strategy(input, "outer");
  std::map<std::string, std::string> parameters = input.parameters.all();
  parameters["groups"] = groups.above;
  parameters["chunks"] = "1";
  return {input, "outer", "hierarchical", parameters};
}

std::ptrdiff_t position(const std::vector<int>& ranks, int rank) {
  return std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
}

}  // namespace

Hierarchy::Hierarchy(const StrategyInput& input, ScheduleBuilder& builder, const Groups& groups,
                     StagesBy stages_by)
    : input_(input),
      builder_(builder),
      groups_(groups),
      stages_by_(stages_by),
      inner_(nested_strategy(input, "inner")),
      outer_(outer_strategy(input, groups)),
      hub_(input, "inner", "central_gpu", {}),
      kind_(builder.collective().kind == Kind::barrier ? Kind::allreduce
                                                       : builder.collective().kind),
      across_(chosen_across()) {
  find_leaders();
  outer_.require_does(kind_);
  builder.note("groups: " + description(groups) +
               (across_ == Across::rails ? ", across by rails" : ", across by leaders"));
}

void Hierarchy::find_leaders() {
  const int root = builder_.collective().root;
  for (std::size_t group = 0; group < groups_.ranks.size(); ++group) {
    const std::vector<int>& ranks = groups_.ranks[group];
    const bool roots = position(ranks, root) < std::ssize(ranks);
    if (roots) roots_group_ = static_cast<int>(group);
    leaders_.push_back(roots ? root : ranks.front());
  }
}

Across Hierarchy::chosen_across() const {
  const std::string_view chosen = input_.parameters.choice("across", {"auto", "rails", "leader"});
  const bool fit = groups_.equal() || !has_blocks(kind_);
  if (chosen == "rails" && !fit)
    throw input_.parameters.error("across",
                                  "rails of " + std::string(to_string(kind_)) +
                                      " need groups of one size, but there are " +
                                      description(groups_),
                                  "write across=leader, or other groups");
  const std::vector<Kind> needed = kinds_inside(Across::rails);
  const bool done =
      std::all_of(needed.begin(), needed.end(), [&](Kind kind) { return inner_.does(kind); });
  const Across across =
      chosen == "rails" || (chosen == "auto" && fit && done) ? Across::rails : Across::leader;
  for (const Kind kind : kinds_inside(across))
    if (kind != Kind::gather && kind != Kind::scatter) inner_.require_does(kind);
  return across;
}

std::vector<CollectiveKind> Hierarchy::kinds_inside(Across across) const {
  std::vector<Kind> result;
  for (const bool roots_group : {false, true}) {
    const Stages stages = stages_by_(across, kind_, roots_group);
    if (stages.before) result.push_back(*stages.before);
    if (stages.after) result.push_back(*stages.after);
  }
  return result;
}

int Hierarchy::inside(const Chunk& chunk, std::optional<CollectiveKind> Stages::*stage,
                      int first_channel) const {
  int channels = 0;
  for (std::size_t group = 0; group < groups_.ranks.size(); ++group) {
    const bool roots = static_cast<int>(group) == roots_group_;
    const std::optional<Kind> kind = stages_by_(across_, kind_, roots).*stage;
    if (!kind) continue;
    const std::vector<int>& ranks = groups_.ranks[group];
    const auto leader = static_cast<int>(position(ranks, leaders_[group]));
    const Shared& shared = has_blocks(*kind) ? chunk.of_group[group] : Shared{chunk.data};
    channels =
        std::max(channels, emit_part(inner_.does(*kind) ? inner_ : hub_,
                                     {*kind, ranks, leader, shared}, first_channel, "inner "));
  }
  return channels;
}

void Hierarchy::go_across(const Chunk& chunk) const {
  int first_channel = 0;
  for (const Rail& rail : chunk.rails) {
    const int channels =
        emit_part(outer_, {kind_, rail.ranks, roots_group_, rail.shared}, first_channel, "outer ");
    if (!groups_.equal()) first_channel += channels;  // rails have ranks in common
  }
}

int Hierarchy::emit_part(const NestedStrategy& strategy, const Part& part, int first_channel,
                         const std::string& phase_prefix) const {
  const Slice& data = part.shared.data;
  if (part.ranks.size() == 1 || data.size() == 0) return 0;
  const Collective collective{part.kind,
                              static_cast<int>(part.ranks.size()),
                              {data.size()},
                              builder_.collective().datatype,
                              part.root};
  return strategy.emit(builder_, {.ranks = {part.ranks.begin(), part.ranks.end()},
                                  .data = data,
                                  .collective = collective,
                                  .parts = part.shared.parts,
                                  .channel_base = static_cast<std::uint16_t>(first_channel),
                                  .phase_prefix = phase_prefix});
}

}  // namespace syncsim::strategy
