#include "strategies/servers.h"

#include <algorithm>
#include <cmath>

#include "sim/schedule/proportion.h"
#include "strategies/overheads.h"

namespace syncsim::strategy {
namespace {

constexpr std::int64_t kMostPieces = 1'000'000;
constexpr ParticipantId kNobody = kNone;

// One piece of every shard: pieces[i] belongs to servers[i].
class PieceOfAll {
 public:
  PieceOfAll(const std::vector<Worker>& workers, const std::vector<Server>& servers,
             const std::vector<Slice>& pieces, const ServerSteps& steps, ScheduleBuilder& builder)
      : workers_(workers), servers_(servers), pieces_(pieces), steps_(steps), builder_(builder) {}

  void add_up() const {
    builder_.phase("add up");
    each_part([&](const Part& part) {
      for (const ParticipantId rank : part.worker)
        if (rank != part.owner) builder_.reduce(rank, part.owner, part.slice, Server::kAddUp);
    });
  }
  void push() const {
    if (!steps_.cpus.empty()) to_cpus();
    builder_.phase("push");
    each_part([&](const Part& part) {
      if (part.port != part.server.participant)
        builder_.reduce(part.port, part.server.participant, part.slice, part.server.channel);
    });
  }
  void push_from(ParticipantId root) const {
    const ParticipantId port = port_of(root);
    if (port != root) builder_.phase("to the CPU");
    each_piece([&](const Server& server, const Slice& piece) {
      if (root != port && root != server.participant)
        builder_.copy(root, port, piece, Server::kToCpu);
    });
    builder_.phase("push");
    each_piece([&](const Server& server, const Slice& piece) {
      if (root != server.participant && port != server.participant)
        builder_.copy(port, server.participant, piece, server.channel);
    });
  }
  void update() const {
    if (steps_.update.ps == 0) return;
    builder_.phase("update");
    each_piece([&](const Server& server, const Slice& piece) {
      const Time time{share(steps_.update.ps, piece.size(), builder_.data().size())};
      builder_.compute(server.participant, time, Access::modifies, piece, Server::kUpdate);
    });
  }
  void pull_to(ParticipantId root) const {
    const ParticipantId port = port_of(root);
    builder_.phase("pull");
    each_piece([&](const Server& server, const Slice& piece) {
      if (root != server.participant && port != server.participant)
        builder_.copy(server.participant, port, piece, results_of(server));
    });
    if (port != root) builder_.phase("from the CPU");
    each_piece([&](const Server& server, const Slice& piece) {
      if (root != port && root != server.participant)
        builder_.copy(port, root, piece, Server::kFromCpu);
    });
  }
  // All but one who has all of it already, if there is one.
  void pull(ParticipantId who_has_it) const {
    builder_.phase("pull");
    each_part([&](const Part& part) {
      if (part.port != part.server.participant && part.owner != who_has_it)
        builder_.copy(part.server.participant, part.port, part.slice, results_of(part.server));
    });
    if (steps_.cpus.empty()) return;
    builder_.phase("from the CPU");
    each_part([&](const Part& part) {
      if (part.port != part.owner && part.owner != who_has_it)
        builder_.copy(part.port, part.owner, part.slice, Server::kFromCpu);
    });
  }
  void hand_out(ParticipantId who_has_it) const {
    builder_.phase("hand out");
    each_part([&](const Part& part) {
      for (const ParticipantId rank : part.worker)
        if (rank != part.owner && rank != who_has_it)
          builder_.copy(part.owner, rank, part.slice, Server::kHandOut);
    });
  }

 private:
  // Of a piece, what one rank of a worker owns.
  struct Part {
    const Server& server;
    const Worker& worker;
    ParticipantId owner;
    ParticipantId port;  // who pushes and pulls it: the owner, or the worker's CPU
    Slice slice;
  };

  static std::uint16_t results_of(const Server& server) {
    return static_cast<std::uint16_t>(server.channel + 1);
  }
  // A CPU that is the server adds up, others hand on.
  void to_cpus() const {
    builder_.phase("to the CPU");
    each_part([&](const Part& part) {
      if (part.port == part.owner) return;
      if (part.port == part.server.participant)
        builder_.reduce(part.owner, part.port, part.slice, Server::kToCpu);
      else
        builder_.copy(part.owner, part.port, part.slice, Server::kToCpu);
    });
  }
  ParticipantId port_of(ParticipantId root) const {
    for (std::size_t i = 0; i < steps_.cpus.size(); ++i)
      if (holds(workers_[i], root)) return steps_.cpus[i];
    return root;
  }
  static bool holds(const Worker& worker, ParticipantId who) {
    return std::find(worker.begin(), worker.end(), who) != worker.end();
  }

  template <class Act>
  void each_piece(Act&& act) const {
    for (std::size_t i = 0; i < servers_.size(); ++i)
      if (pieces_[i].size() > 0) act(servers_[i], pieces_[i]);
  }
  // The ranks of a worker own equal parts of a piece, or its first all of it; where one of them is
  // its server, that one.
  template <class Act>
  void each_part(Act&& act) const {
    each_piece([&](const Server& server, const Slice& piece) {
      for (std::size_t w = 0; w < workers_.size(); ++w) {
        const Worker& worker = workers_[w];
        if (holds(worker, server.participant)) {
          act(Part{server, worker, server.participant, server.participant, piece});
          continue;
        }
        const std::size_t owners = steps_.on_one ? 1 : worker.size();
        const std::vector<Slice> parts = builder_.split(piece, static_cast<int>(owners));
        for (std::size_t i = 0; i < parts.size(); ++i)
          if (parts[i].size() > 0)
            act(Part{server, worker, worker[i], steps_.cpus.empty() ? worker[i] : steps_.cpus[w],
                     parts[i]});
      }
    });
  }

  const std::vector<Worker>& workers_;
  const std::vector<Server>& servers_;
  const std::vector<Slice>& pieces_;
  const ServerSteps& steps_;
  ScheduleBuilder& builder_;
};

void announce_all(const std::vector<Worker>& workers, std::size_t servers, int pieces,
                  const ServerSteps& steps, ScheduleBuilder& builder) {
  const bool both_ways = sums_everywhere(builder.collective().kind);
  const std::uint64_t hops = steps.cpus.empty() ? 1 : 2;  // from a rank to the server
  std::uint64_t owners = 0;
  std::uint64_t transfers = 0;  // of a piece, one way
  for (const Worker& worker : workers) {
    const std::uint64_t own = steps.on_one ? 1 : worker.size();
    owners += own;
    transfers += own * (worker.size() - 1 + hops);
  }
  const std::uint64_t lanes = transfers + owners * (servers - 1);
  const std::uint64_t ways = both_ways ? 2 : 1;
  const std::uint64_t roots = both_ways ? 0 : hops;  // it alone pulls, or pushes
  const std::uint64_t updates = steps.update.ps > 0 ? 1 : 0;
  builder.expect(
      {.ops = (ways * transfers + roots + updates) * servers * static_cast<std::uint64_t>(pieces),
       .lanes = ways * lanes + (roots + updates) * servers});
}

// [piece][server]
std::vector<std::vector<Slice>> all_pieces(const std::vector<Server>& servers, int pieces,
                                           ScheduleBuilder& builder) {
  std::vector<int> weights;
  for (const Server& server : servers) weights.push_back(server.weight);
  std::vector<std::vector<Slice>> result(static_cast<std::size_t>(pieces));
  for (const Slice& shard : builder.split(builder.data(), weights)) {
    const std::vector<Slice> cut = builder.split(shard, pieces);
    for (std::size_t i = 0; i < cut.size(); ++i) result[i].push_back(cut[i]);
  }
  return result;
}

std::vector<NodeHop> pushes(const StrategyInput& input, const std::vector<Server>& servers,
                            const ScheduleBuilder& builder) {
  std::vector<NodeHop> hops;
  for (const Server& server : servers) {
    const NodeId node = input.topology.node(builder.node_of(server.participant));
    for (const NodeId rank : input.ranks)
      if (rank != node) hops.push_back({rank, node});
  }
  return hops;
}

}  // namespace

int piece_count(const StrategyInput& input, const std::vector<Server>& servers,
                const ScheduleBuilder& builder) {
  if (input.parameters.text("chunks") != "auto")
    return static_cast<int>(input.parameters.integer("chunks", 1, kMostPieces));
  constexpr std::int64_t kBytes = 4'096'000;
  constexpr std::int64_t kMost = 256;
  const std::int64_t bytes = builder.data().size();
  const auto pieces = static_cast<double>(std::min(kMost, (bytes + kBytes - 1) / kBytes));
  const double cost = overhead_bytes(input, pushes(input, servers, builder));
  const double worth = cost > 0 ? std::sqrt(static_cast<double>(bytes) / cost) : pieces;
  return static_cast<int>(std::max(1.0, std::min(pieces, worth)));
}

void emit_through_servers(const std::vector<Worker>& workers, const std::vector<Server>& servers,
                          int pieces, ScheduleBuilder& builder, const ServerSteps& steps) {
  if (builder.ranks() == 1) return;
  announce_all(workers, servers.size(), pieces, steps, builder);
  const CollectiveRow& facts = row(builder.collective().kind);
  const auto root = static_cast<ParticipantId>(builder.collective().root);
  const bool from_root = facts.contributors == Who::root;
  const auto all = all_pieces(servers, pieces, builder);
  for (const std::vector<Slice>& pieces_of_all : all) {
    const PieceOfAll piece(workers, servers, pieces_of_all, steps, builder);
    if (from_root) {
      piece.push_from(root);
    } else {
      piece.add_up();
      piece.push();
    }
    piece.update();
    if (facts.holders == Who::root) {
      piece.pull_to(root);
    } else {
      piece.pull(from_root ? root : kNobody);
      piece.hand_out(from_root ? root : kNobody);
    }
  }
}

}  // namespace syncsim::strategy
