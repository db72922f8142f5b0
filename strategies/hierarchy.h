#pragma once
// What a hierarchy's parameters come to: groups, the strategies inside of them and across, and
// collectives of parts of the ranks emitted by these, each in a scope of its own.

#include <optional>
#include <string>
#include <vector>

#include "strategies/grouped_data.h"
#include "strategies/nested.h"

namespace syncsim::strategy {

// What a group does before and after the way across.
struct Stages {
  std::optional<CollectiveKind> before;
  std::optional<CollectiveKind> after;
};
// `roots_group`: whether the group holds the collective's root.
using StagesBy = Stages (*)(Across across, CollectiveKind kind, bool roots_group);

class Hierarchy {
 public:
  // Of two groups at least. Keeps references. Throws InputError for parameters that do not fit each
  // other or the collective.
  Hierarchy(const StrategyInput& input, ScheduleBuilder& builder, const Groups& groups,
            StagesBy stages_by);

  Across across() const { return across_; }
  const std::vector<int>& leaders() const { return leaders_; }  // by group: the root, or its first

  // One stage of all groups; returns how many channels it takes, from the first on.
  int inside(const Chunk& chunk, std::optional<CollectiveKind> Stages::*stage,
             int first_channel) const;
  void go_across(const Chunk& chunk) const;

 private:
  // A collective of some of the ranks.
  struct Part {
    CollectiveKind kind;
    const std::vector<int>& ranks;
    int root;  // among them
    const Shared& shared;
  };

  void find_leaders();
  Across chosen_across() const;
  std::vector<CollectiveKind> kinds_inside(Across across) const;
  int emit_part(const NestedStrategy& strategy, const Part& part, int first_channel,
                const std::string& phase_prefix) const;

  const StrategyInput& input_;
  ScheduleBuilder& builder_;
  const Groups& groups_;
  StagesBy stages_by_;
  NestedStrategy inner_;
  NestedStrategy outer_;
  NestedStrategy hub_;  // scatters and gathers where the inner strategy does not
  CollectiveKind kind_;
  Across across_;
  int roots_group_ = 0;
  std::vector<int> leaders_;
};

}  // namespace syncsim::strategy
