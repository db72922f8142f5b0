// Runs of a library, with round costs (tests/support/library_costs.json), against times reckoned by
// hand.

#include "sim/scenario/library/library_model.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>

#include "sim/topology/edits.h"
#include "tests/support/refusal.h"
#include "tests/support/shelf.h"

namespace syncsim::library_model_test {
namespace {

using Kind = CollectiveKind;
using testing::shelf;

const RunSettings kSettings{.shelf = SYNCSIM_SHELF};

LibraryTerms terms(NcclProtocol protocol, Launch launch = Launch::process_per_gpu) {
  LibraryTerms terms;
  terms.launch = launch;
  terms.pins.protocol = protocol;
  terms.costs = SYNCSIM_SOURCE_DIR "/tests/support/library_costs.json";
  return terms;
}

LibraryModel model(const Topology& machine, std::vector<std::size_t> ranks, Kind kind,
                   const LibraryTerms& terms) {
  std::vector<NodeId> nodes;
  for (const std::size_t rank : ranks) nodes.push_back(machine.ranks()[rank]);
  const Collective collective{kind, static_cast<int>(nodes.size()), Bytes{}};
  return LibraryModel(machine, nodes, collective, terms, kSettings);
}

LibraryModel of_dgx(const LibraryTerms& terms, Kind kind = Kind::allreduce) {
  return model(shelf("dgx_a100"), {0, 1, 2, 3, 4, 5, 6, 7}, kind, terms);
}

// NVLS trees of an allreduce, over InfiniBand.
LibraryModel switches_trees(const char* machine, std::size_t ranks) {
  LibraryTerms trees = terms(NcclProtocol::simple);
  trees.network = Network::infiniband;
  trees.algorithm = "nvls_tree";
  std::vector<std::size_t> first(ranks);
  std::iota(first.begin(), first.end(), std::size_t{0});
  return model(shelf(machine), first, Kind::allreduce, trees);
}

// us that so many GiB more take.
double further(const LibraryModel& model, std::int64_t from, std::int64_t to) {
  return model.at(Bytes{to << 30}).device - model.at(Bytes{from << 30}).device;
}

doctest::Approx about(double value) { return doctest::Approx(value).epsilon(1e-6); }

}  // namespace

TEST_CASE("a ring takes its steps, each with its chunk at the library's share, and a call") {
  const LibraryModel ring = of_dgx(terms(NcclProtocol::simple));
  const LibraryTime time = ring.at(Bytes{960'000'000});
  CHECK(time.algorithm == "ring");
  CHECK(time.protocol == "simple");
  CHECK(time.device == about(14 * (4 + 120e6 / 120e3)));  // of 240 GB/s one half
  CHECK(time.call == 10);
  CHECK(time.microseconds == about(10 + 14 * (4 + 1000)));
  CHECK_FALSE(time.host_bound);
}

TEST_CASE("flags beside data take half of the wire") {
  const LibraryTime time = of_dgx(terms(NcclProtocol::ll)).at(Bytes{9'600'000});
  CHECK(time.algorithm == "ring");
  CHECK(time.device == about(14 * (1 + 1.2e6 / 60e3)));
}

TEST_CASE("one process that drives all gpus needs its time for each of them") {
  const LibraryTime small = of_dgx(terms(NcclProtocol::ll, Launch::one_process)).at(Bytes{8});
  CHECK(small.host_bound);
  CHECK(small.microseconds == about(1 + 8 * 4));
  LibraryTerms old = terms(NcclProtocol::ll, Launch::one_process);
  old.version = "2.4.8";
  CHECK(of_dgx(old).at(Bytes{8}).microseconds == about(2 + 8 * 6));
  // A long call hides it.
  CHECK_FALSE(
      of_dgx(terms(NcclProtocol::simple, Launch::one_process)).at(Bytes{960'000'000}).host_bound);
}

TEST_CASE("what nobody said is assumed, and told") {
  LibraryTerms nothing = terms(NcclProtocol::simple, Launch::unknown);
  const LibraryModel one = of_dgx(nothing);
  REQUIRE(one.assumed().size() == 1);
  CHECK(one.assumed()[0] == "launch not said: one process drives all 8 gpus, as nccl-tests' -g 8");
  CHECK(one.terms().launch == Launch::one_process);
  CHECK(one.terms().library == "nccl");
  const Topology two = shelf("dgx_a100_x2");
  const LibraryModel far = model(two, {0, 8}, Kind::allreduce, nothing);
  REQUIRE(far.assumed().size() == 2);
  CHECK(far.assumed()[0] == "launch not said: a process a gpu, as under mpirun");
  CHECK(far.assumed()[1] == "network stack not said: InfiniBand");
  // A rack is many systems, none of which has all gpus.
  std::vector<std::size_t> all(72);
  std::iota(all.begin(), all.end(), std::size_t{0});
  CHECK(model(shelf("gb200_nvl72"), all, Kind::allreduce, nothing).terms().launch ==
        Launch::process_per_gpu);
  CHECK(of_dgx(terms(NcclProtocol::simple)).assumed().empty());
  CHECK(of_dgx(terms(NcclProtocol::simple, Launch::graph)).assumed()[0] ==
        "of CUDA graphs nothing is known: launched as a process a gpu");
}

TEST_CASE("over the network hops, shares and calls are the stack's") {
  const Topology machine = shelf("dgx_a100_x2");
  LibraryTerms infiniband = terms(NcclProtocol::simple);
  infiniband.network = Network::infiniband;
  // One gpu a node: a ring of two takes two steps, of 0.9 x 25 GB/s and 20 us and the fabric's own.
  const LibraryTime time =
      model(machine, {0, 8}, Kind::all_gather, infiniband).at(Bytes{900'000'000});
  CHECK(time.algorithm == "ring");
  CHECK(time.call == 15);
  CHECK(time.device == about(20 + 0.7 + 450e6 / 22.5e3));
}

TEST_CASE("a stack's row is the first whose conditions hold") {
  LibraryTerms efa = terms(NcclProtocol::ll);
  efa.network = Network::efa;
  const auto hop = [&](const char* name, std::size_t second) {
    const LibraryTime time = model(shelf(name), {0, second}, Kind::all_gather, efa).at(Bytes{8});
    return time.device;
  };
  CHECK(hop("p3dn_x4", 8) == doctest::Approx(20).epsilon(0.05));      // before sm_80
  CHECK(hop("dgx_a100_x2", 8) == doctest::Approx(10).epsilon(0.08));  // nics of 25 GB/s
  const std::vector<Edit> edits = {parse_edit("kind:network bandwidth=12.5 GB/s")};
  const Topology slow = apply_edits(shelf("dgx_a100_x2"), edits);
  CHECK(model(slow, {0, 8}, Kind::all_gather, efa).at(Bytes{8}).device ==
        doctest::Approx(50).epsilon(0.02));
  efa.version = "2.9.8";
  CHECK(model(slow, {0, 8}, Kind::all_gather, efa).at(Bytes{8}).device ==
        doctest::Approx(80).epsilon(0.02));
  efa.network = Network::tcpxo;
  CHECK(testing::refusal_of([&] {
          (void)model(shelf("dgx_a100_x2"), {0, 8}, Kind::allreduce, efa);
        }) == "nothing is known of nccl over this network stack; name another one by --network");
}

TEST_CASE("a stack on which a library was not measured is taken as it is with NCCL, and told") {
  LibraryTerms rccl;
  rccl.network = Network::tcp;
  rccl.launch = Launch::process_per_gpu;
  const LibraryModel far = model(shelf("mi300x_x2"), {0, 8}, Kind::allreduce, rccl);
  REQUIRE(far.assumed().size() == 1);
  CHECK(far.assumed()[0] == "nothing is known of rccl over this network stack: taken as with nccl");
  CHECK(far.at(Bytes{1 << 30}).microseconds > 0);
}

TEST_CASE("lines of flags over a nic have a cap, and wait for a rendezvous from a size on") {
  LibraryTerms efa = terms(NcclProtocol::ll);
  efa.network = Network::efa;
  const LibraryModel far = model(shelf("dgx_a100_x2"), {0, 8}, Kind::all_gather, efa);
  const double small = far.at(Bytes{7992}).device;
  CHECK(far.at(Bytes{8000}).device - small == doctest::Approx(7).epsilon(0.01));
  // 1 GB/s of a nic of 12.5, so 2 of one of 25.
  CHECK(far.at(Bytes{4'000'000}).device == doctest::Approx(10 + 7 + 0.7 + 2e6 / 2e3).epsilon(1e-3));
}

TEST_CASE("point to point: a cap for a pair, a call for a peer") {
  LibraryTerms infiniband = terms(NcclProtocol::simple);
  infiniband.network = Network::infiniband;
  const Topology machine = shelf("dgx_a100_x2");
  const LibraryTime pair =
      model(machine, {0, 8}, Kind::send_recv, infiniband).at(Bytes{80'000'000});
  CHECK(pair.algorithm == "send/recv");
  CHECK(pair.device == about(20 + 0.7 + 80e6 / 8e3));
  const LibraryTime all =
      model(machine, {0, 8}, Kind::all_to_all, infiniband).at(Bytes{80'000'000});
  CHECK(all.call == 10 + 5 + 3);
}

TEST_CASE("within a node two gpus have the channels that their library gives them") {
  // Of 5 GB/s each: 8 of them from 64 MiB to 128 MiB, where eight gpus share them.
  const LibraryModel pairs = of_dgx(terms(NcclProtocol::simple), Kind::send_recv);
  CHECK(pairs.at(Bytes{80'000'000}).device == about(4 + 80e6 / 40e3));
  CHECK(pairs.at(Bytes{60'000'000}).device == about(4 + 60e6 / 20e3));
  // To all at once the links bind: half of 240 GB/s, by seven gpus at 20 each.
  const LibraryModel all = of_dgx(terms(NcclProtocol::simple), Kind::all_to_all);
  CHECK(all.at(Bytes{960'000'000}).device == about(4 + 7 * 120e6 / 120e3));
  // Of four links between two of four gpus one pair has 20 of 40 GB/s.
  const LibraryModel mesh =
      model(shelf("a100_nv4_quad"), {0, 1}, Kind::send_recv, terms(NcclProtocol::simple));
  CHECK(mesh.at(Bytes{60'000'000}).device == about(5 + 60e6 / 20e3));
  CHECK(mesh.at(Bytes{600'000'000}).device == about(5 + 600e6 / 40e3));
}

TEST_CASE("of a long pipeline of switches' trees some chunks are run, and tell the others") {
  const LibraryModel two = switches_trees("hgx_h100_x16", 16);
  // 128 chunks of 16 MiB are run, and by each nic of 45 GB/s an eighth goes to the other node,
  // while stages in nodes keep them waiting a little.
  const double least = (2 << 27) / 45e3;
  CHECK(further(two, 2, 4) >= least);
  CHECK(further(two, 2, 4) < 1.12 * least);
  CHECK(further(two, 8, 16) == about(4 * further(two, 4, 6)));
}

TEST_CASE("racks that NVLink joins reach each other by few of their nics, where trees go on") {
  const LibraryModel racks = switches_trees("gb200_racks_x20", 144);
  CHECK(further(racks, 4, 8) == doctest::Approx((std::int64_t{4} << 30) / 360e3).epsilon(0.02));
}

TEST_CASE("an algorithm is pinned, or a strategy runs in its place") {
  LibraryTerms pinned = terms(NcclProtocol::simple);
  pinned.algorithm = "tree";
  CHECK(of_dgx(pinned).at(Bytes{1 << 30}).algorithm == "tree");
  CHECK(of_dgx(terms(NcclProtocol::simple)).at(Bytes{1 << 30}).algorithm == "ring");
  pinned.algorithm = "one_shot";  // seven eighths of the bytes seven times, into each gpu
  const LibraryTime time = of_dgx(pinned).at(Bytes{960'000'000});
  CHECK(time.algorithm == "one_shot");
  CHECK(time.device == about(4 + 7 * 960e6 / 120e3));
  pinned.algorithm = "pat";
  CHECK(testing::refusal_of([&] { (void)of_dgx(pinned).at(Bytes{8}); }) ==
        "algorithm pat is nothing that the library would run here; pin another one, or none");
}

TEST_CASE("a ring of very many ranks takes as long as its steps, run on some of the nodes") {
  LibraryTerms infiniband = terms(NcclProtocol::simple);
  infiniband.network = Network::infiniband;
  const Topology machine = shelf("hgx_h100_x16");
  std::vector<std::size_t> all(128);
  for (std::size_t rank = 0; rank < all.size(); ++rank) all[rank] = rank;
  const double whole = model(machine, all, Kind::all_gather, infiniband).at(Bytes{1 << 30}).device;
  all.resize(32);
  const double half = model(machine, all, Kind::all_gather, infiniband).at(Bytes{1 << 28}).device;
  CHECK(whole / half == doctest::Approx(127.0 / 31).epsilon(0.02));
}

TEST_CASE("a chain forwards chunks that are no larger than the library's") {
  const LibraryModel chain = of_dgx(terms(NcclProtocol::simple), Kind::broadcast);
  // 12 channels of 1 MB: 18 MB are two chunks, seven hops of the first, and the second right
  // behind.
  CHECK(chain.at(Bytes{18'000'000}).device == about(7 * (4 + 9e6 / 120e3) + 9e6 / 120e3));
  CHECK(chain.at(Bytes{12'000'000}).device == about(7 * (4 + 12e6 / 120e3)));
}

TEST_CASE("of no library nothing costs anything, and links run at their usable rates") {
  LibraryTerms none = terms(NcclProtocol::simple);
  none.library = "none";
  const LibraryTime time = of_dgx(none).at(Bytes{960'000'000});
  CHECK(time.call == 0);
  CHECK(time.microseconds == doctest::Approx(14 * 120e6 / 240e3).epsilon(0.01));
}

TEST_CASE("a schedule for which there is no room is refused before it is made") {
  RunSettings settings = kSettings;
  settings.memory = {1'000'000, "there is 1 MB", nullptr};
  const Topology machine = shelf("dgx_a100");
  const LibraryModel all(machine, machine.ranks(), {Kind::all_to_all, 8, Bytes{}},
                         terms(NcclProtocol::simple), settings);
  const std::string refusal = testing::refusal_of([&] { all.at(Bytes{1 << 20}); });
  CHECK(refusal.starts_with("one_shot on 8 ranks needs about "));
  CHECK(refusal.find("there is 1 MB; use fewer ranks or chunks") != refusal.npos);
}

TEST_CASE("one rank, and nothing to move, take no time") {
  CHECK(model(shelf("dgx_a100"), {0}, Kind::allreduce, terms(NcclProtocol::ll))
            .at(Bytes{8})
            .microseconds == 0);
  CHECK(of_dgx(terms(NcclProtocol::ll)).at(Bytes{0}).microseconds == 0);
}

}  // namespace syncsim::library_model_test
