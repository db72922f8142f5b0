#include "strategies/servers.h"

#include <algorithm>
#include <cmath>

#include "strategies/overheads.h"

namespace syncsim::strategy {
namespace {

constexpr std::int64_t kMostPieces = 1'000'000;
constexpr ParticipantId kNobody = kNone;

// One piece of every shard: pieces[i] belongs to servers[i].
class PieceOfAll {
 public:
  PieceOfAll(const std::vector<Worker>& workers, const std::vector<Server>& servers,
             const std::vector<Slice>& pieces, ScheduleBuilder& builder)
      : workers_(workers), servers_(servers), pieces_(pieces), builder_(builder) {}

  void add_up() const {
    builder_.phase("add up");
    each_part([&](const Server&, const Worker& worker, ParticipantId owner, const Slice& part) {
      for (const ParticipantId rank : worker)
        if (rank != owner) builder_.reduce(rank, owner, part, Server::kAddUp);
    });
  }
  void push() const {
    builder_.phase("push");
    each_part([&](const Server& server, const Worker&, ParticipantId owner, const Slice& part) {
      if (owner != server.participant)
        builder_.reduce(owner, server.participant, part, server.channel);
    });
  }
  void push_from(ParticipantId root) const {
    builder_.phase("push");
    each_piece([&](const Server& server, const Slice& piece) {
      if (root != server.participant)
        builder_.copy(root, server.participant, piece, server.channel);
    });
  }
  void pull_to(ParticipantId root) const {
    builder_.phase("pull");
    each_piece([&](const Server& server, const Slice& piece) {
      if (root != server.participant)
        builder_.copy(server.participant, root, piece, results_of(server));
    });
  }
  // All but one who has all of it already, if there is one.
  void pull(ParticipantId who_has_it) const {
    builder_.phase("pull");
    each_part([&](const Server& server, const Worker&, ParticipantId owner, const Slice& part) {
      if (owner != server.participant && owner != who_has_it)
        builder_.copy(server.participant, owner, part, results_of(server));
    });
  }
  void hand_out(ParticipantId who_has_it) const {
    builder_.phase("hand out");
    each_part([&](const Server&, const Worker& worker, ParticipantId owner, const Slice& part) {
      for (const ParticipantId rank : worker)
        if (rank != owner && rank != who_has_it) builder_.copy(owner, rank, part, Server::kHandOut);
    });
  }

 private:
  static std::uint16_t results_of(const Server& server) {
    return static_cast<std::uint16_t>(server.channel + 1);
  }

  template <class Act>
  void each_piece(Act&& act) const {
    for (std::size_t i = 0; i < servers_.size(); ++i)
      if (pieces_[i].size() > 0) act(servers_[i], pieces_[i]);
  }
  // The ranks of a worker own equal parts of a piece, unless one of them is its server.
  template <class Act>
  void each_part(Act&& act) const {
    each_piece([&](const Server& server, const Slice& piece) {
      for (const Worker& worker : workers_) {
        if (std::find(worker.begin(), worker.end(), server.participant) != worker.end()) {
          act(server, worker, server.participant, piece);
          continue;
        }
        const std::vector<Slice> parts = builder_.split(piece, static_cast<int>(worker.size()));
        for (std::size_t i = 0; i < parts.size(); ++i)
          if (parts[i].size() > 0) act(server, worker, worker[i], parts[i]);
      }
    });
  }

  const std::vector<Worker>& workers_;
  const std::vector<Server>& servers_;
  const std::vector<Slice>& pieces_;
  ScheduleBuilder& builder_;
};

void announce_all(const std::vector<Worker>& workers, std::size_t servers, int pieces,
                  ScheduleBuilder& builder) {
  const bool both_ways = sums_everywhere(builder.collective().kind);
  std::uint64_t ranks = 0;
  std::uint64_t transfers = 0;  // of a piece, one way
  for (const Worker& worker : workers) {
    ranks += worker.size();
    transfers += worker.size() * worker.size();
  }
  const std::uint64_t lanes = transfers + ranks * (servers - 1);
  const std::uint64_t ways = both_ways ? 2 : 1;
  const std::uint64_t roots = both_ways ? 0 : 1;  // it alone pulls, or pushes
  builder.expect({.ops = (ways * transfers + roots) * servers * static_cast<std::uint64_t>(pieces),
                  .lanes = ways * lanes + roots * servers});
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
                          int pieces, ScheduleBuilder& builder) {
  if (builder.ranks() == 1) return;
  announce_all(workers, servers.size(), pieces, builder);
  const CollectiveRow& facts = row(builder.collective().kind);
  const auto root = static_cast<ParticipantId>(builder.collective().root);
  const bool from_root = facts.contributors == Who::root;
  const auto all = all_pieces(servers, pieces, builder);
  for (const std::vector<Slice>& pieces_of_all : all) {
    const PieceOfAll piece(workers, servers, pieces_of_all, builder);
    if (from_root) {
      piece.push_from(root);
    } else {
      piece.add_up();
      piece.push();
    }
    if (facts.holders == Who::root) {
      piece.pull_to(root);
    } else {
      piece.pull(from_root ? root : kNobody);
      piece.hand_out(from_root ? root : kNobody);
    }
  }
}

}  // namespace syncsim::strategy
