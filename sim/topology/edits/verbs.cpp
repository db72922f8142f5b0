#include "sim/topology/edits/verbs.h"

namespace syncsim {

const std::vector<EditVerb>& edit_verbs() {
  static const std::vector<EditVerb> kVerbs = {
      {"add",
       "add link:gpu0-gpu1 kind=nvlink bandwidth=25 GB/s",
       {{"kind"},
        {"bandwidth"},
        {"usable"},
        {"latency"},
        {"overhead"},
        {"count"},
        {"width"},
        {"gen"},
        {"like", Joint::blank},
        {"at", Joint::blank}},
       understand_addition},
      {"disable", "disable p2p", {}, understand_disabling},
      {"enable", "enable acs", {}, understand_enabling},
      {"limit", "limit p2p PXB", {{"to", Joint::bare}}, understand_limit},
      {"move", "move nic0 plx1", {{"to", Joint::bare}}, understand_move},
      {"oversubscribe",
       "oversubscribe link:leaf*-spine* 2",
       {{"ratio", Joint::bare}},
       understand_oversubscription},
      {kRanksVerb, "ranks gpu[0-3],gpu7", {}, understand_ranks},
      {"remove", "remove node:nic0", {}, understand_removal},
      {"scale",
       "scale kind:nvlink bandwidth 0.5",
       {{"bandwidth", Joint::blank}, {"latency", Joint::blank}},
       understand_figures},
      {kSetVerb,
       "link:a-b bandwidth=8 GB/s",
       {{"bandwidth"},
        {"latency"},
        {"count"},
        {"width"},
        {"gen"},
        {"transit_bandwidth"},
        {"reduce_bandwidth"},
        {"peer_cost"},
        {"architecture"}},
       understand_figures},
      {"use", "use nic1 for gpu0", {{"for", Joint::blank}}, understand_use},
  };
  return kVerbs;
}

const EditVerb* find_edit_verb(std::string_view name) {
  for (const EditVerb& verb : edit_verbs())
    if (verb.name == name) return &verb;
  return nullptr;
}

}  // namespace syncsim
