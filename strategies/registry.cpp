// The visible list of strategies: one row each. `list`, did-you-mean, the checks and the
// laws all read it.

#include "strategies/strategies.h"

namespace syncsim {
namespace {

const std::vector<CollectiveKind> kSums = {
    CollectiveKind::allreduce,      CollectiveKind::reduce,     CollectiveKind::broadcast,
    CollectiveKind::reduce_scatter, CollectiveKind::all_gather, CollectiveKind::barrier};
const std::vector<CollectiveKind> kEveryCollective = {
    CollectiveKind::allreduce,      CollectiveKind::reduce,     CollectiveKind::broadcast,
    CollectiveKind::reduce_scatter, CollectiveKind::all_gather, CollectiveKind::gather,
    CollectiveKind::scatter,        CollectiveKind::all_to_all, CollectiveKind::send_recv,
    CollectiveKind::barrier};

std::vector<Strategy> rows() {
  return {
      {"central_cpu",
       "every rank sends to a CPU, which adds up and sends back",
       {{"cpu", "auto", "node that aggregates; auto: the machine's first CPU"}},
       kEveryCollective,
       strategy::emit_central_cpu},
      {"central_gpu",
       "every rank sends to one GPU, which adds up and sends back",
       {{"root", "auto", "rank that aggregates; auto: the collective's root"}},
       kEveryCollective,
       strategy::emit_central_gpu},
      {"distributed",
       "each GPU aggregates its own partition of the data, all at once",
       {},
       kEveryCollective,
       strategy::emit_distributed},
      {"packed_trees",
       "spanning trees packed into the machine, chunks travelling up and down all of them at once",
       {{"chunks", "auto",
         "pieces of a tree's share; auto: 64 a level of the tree, of at least 4 KiB"}},
       {CollectiveKind::allreduce, CollectiveKind::reduce, CollectiveKind::broadcast,
        CollectiveKind::barrier},
       strategy::emit_packed_trees},
      {"ring",
       "chunks travel around rings found in the machine",
       {{"rings", "auto",
         "rank orders such as \"0,1,2,3 x2; 0,2,1,3\", with nics \"nic0>0,1>nic1\"; auto: found in "
         "the machine"},
        {"directions", "one", "one, or both: half of the data runs against the ring"},
        {"chunks", "auto",
         "pieces a ring's data is cut into; auto: one a rank; 1: the naive ring"}},
       kSums,
       strategy::emit_ring},
  };
}

}  // namespace

const NamedTable<Strategy>& strategies() {
  static const NamedTable<Strategy> table("strategy", rows());
  return table;
}

}  // namespace syncsim
