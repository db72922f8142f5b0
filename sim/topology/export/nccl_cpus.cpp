#include "sim/topology/export/nccl_cpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>

#include "sim/topology/export/nccl_figures.h"

namespace syncsim {
namespace {

constexpr std::string_view kIntelAlone = "socket_intel_skl";  // one socket: any of Intel's will do
constexpr std::string_view kArm = "socket_arm";

class CpuTexts {
 public:
  CpuTexts(const Topology& topology, const LinkRates& rates, const PciTree& tree,
           NcclLosses& losses)
      : topology_(topology),
        rates_(rates),
        tree_(tree),
        cpus_(tree.cpus),
        losses_(losses),
        host_(cpus_.size()),
        has_c2c_(cpus_.size()) {
    std::iota(host_.begin(), host_.end(), std::size_t{0});
    for (LinkId link = 0; link < topology.links().size(); ++link) {
      const Link& way = topology.links()[link];
      if (way.kind == LinkKind::socket && link % 2 == 0) sort_out(link);
      if (way.kind == LinkKind::c2c && kind(way.from) == NodeKind::cpu)
        has_c2c_[place(link)] = true;
    }
  }

  std::vector<NcclCpuText> run() {
    for (const LinkId link : sockets_) unite(place(link), place(link ^ 1));
    unite_by_gpus();
    pick_rows();
    compare();
    std::vector<NcclCpuText> texts(cpus_.size());
    const std::vector<std::int64_t> numas = numa_nodes();
    for (std::size_t i = 0; i < cpus_.size(); ++i) {
      texts[i].numa = numas[i];
      texts[i].host = find(i);
      if (!rows_[i].empty()) texts[i].model = cpu_of_row(rows_[i]);
    }
    return texts;
  }

 private:
  double intel_cost() const { return rates_.peer_cost(kIntelVendor); }

  const Node& node(std::size_t cpu) const { return topology_.nodes()[cpus_[cpu]]; }
  NodeKind kind(NodeId node) const { return topology_.nodes()[node].kind; }

  void sort_out(LinkId link) {
    const Link& cable = topology_.links()[link];
    if (kind(cable.from) == NodeKind::cpu && kind(cable.to) == NodeKind::cpu)
      sockets_.push_back(link);
    else
      losses_.add(topology_.cable_name(link),
                  "a socket link that does not join two cpus is left out");
  }

  // Of the cpu that the link leaves.
  std::size_t place(LinkId link) const {
    const auto found = std::lower_bound(cpus_.begin(), cpus_.end(), topology_.links()[link].from);
    return static_cast<std::size_t>(found - cpus_.begin());
  }

  std::size_t find(std::size_t cpu) const {
    while (host_[cpu] != cpu) cpu = host_[cpu];
    return cpu;
  }

  // The lower number stands for both, so trees stay flat along the order of links.
  void unite(std::size_t one, std::size_t other) {
    const std::size_t a = find(one);
    const std::size_t b = find(other);
    host_[std::max(a, b)] = std::min(a, b);
  }

  // Cables from gpu to gpu stay in one machine; NVSwitches join several.
  void unite_by_gpus() {
    for (LinkId number = 0; number < topology_.links().size(); number += 2) {
      const Link& link = topology_.links()[number];
      if (link.kind != LinkKind::nvlink && link.kind != LinkKind::xgmi) continue;
      if (kind(link.from) != NodeKind::gpu || kind(link.to) != NodeKind::gpu) continue;
      const auto& one = tree_.of[link.from];
      const auto& other = tree_.of[link.to];
      if (one && other && !cpus_.empty()) unite(one->root, other->root);
    }
  }

  void pick_rows() {
    rows_.resize(cpus_.size());
    std::vector<const Link*> fastest(cpus_.size());
    for (const LinkId link : sockets_)
      for (const LinkId way : {link, link ^ 1}) {
        const Link*& best = fastest[place(way)];
        if (best == nullptr || best->usable < topology_.links()[way].usable)
          best = &topology_.links()[way];
      }
    for (std::size_t i = 0; i < cpus_.size(); ++i) pick_row(i, fastest[i]);
  }

  // Of the vendor that the peer cost tells, unless only the other's has these figures. What has C2C
  // is ARM, unless another has these figures: of Intel and others no such cpu is known.
  void pick_row(std::size_t cpu, const Link* fastest) {
    const double cost = node(cpu).peer_cost;
    bool intel = cost == intel_cost();
    if (fastest != nullptr) {
      const RowFigures own = row_figures(rates_, *fastest, socket_rows(intel), 1);
      const RowFigures other = row_figures(rates_, *fastest, socket_rows(!intel), 1);
      rows_[cpu] = !own.exact && other.exact ? other.row : own.row;
      if (!own.exact && other.exact) intel = !intel;
      if (!own.exact && !other.exact && !intel && has_c2c_[cpu]) rows_[cpu] = kArm;
    } else if (intel) {
      rows_[cpu] = kIntelAlone;
    } else if (has_c2c_[cpu]) {
      rows_[cpu] = kArm;
    }
    if (const double taken = intel ? intel_cost() : 1; cost != taken)
      losses_.add(node(cpu).id, fmt::format("a peer cost of {} is read as {}", cost, taken));
  }

  // What a reader will take for each socket link.
  void compare() {
    std::vector<std::size_t> cpus_of(cpus_.size());
    std::vector<std::size_t> links_of(cpus_.size());
    for (std::size_t i = 0; i < cpus_.size(); ++i) ++cpus_of[find(i)];
    for (const LinkId link : sockets_) {
      ++links_of[find(place(link))];
      const Link& one = rates_.link(rows_[place(link)]);
      const Link& other = rates_.link(rows_[place(link ^ 1)]);
      const Link& taken = one.usable <= other.usable ? one : other;
      const Link& there = topology_.links()[link];
      if (there.bandwidth != taken.bandwidth || there.usable != taken.usable || there.count != 1)
        losses_.add(topology_.cable_name(link),
                    fmt::format("{} ({} usable) is written as a cpu whose socket links have {} "
                                "({} usable)",
                                to_string(there.bandwidth), to_string(there.usable),
                                to_string(taken.bandwidth), to_string(taken.usable)));
    }
    for (std::size_t i = 0; i < cpus_.size(); ++i)
      if (cpus_of[i] > 1 && links_of[i] < cpus_of[i] * (cpus_of[i] - 1) / 2)
        losses_.add(node(i).id,
                    "not all cpus that it reaches are joined in pairs, as a reader takes them");
  }

  // From "cpu3", where all are named so and differ.
  std::vector<std::int64_t> numa_nodes() const {
    constexpr std::string_view kBegin = "cpu";
    std::vector<std::int64_t> numas;
    for (std::size_t i = 0; i < cpus_.size(); ++i) {
      const std::string& id = node(i).id;
      std::int64_t numa = -1;
      const char* end = id.data() + id.size();
      const bool named = id.starts_with(kBegin);
      if (named && std::from_chars(id.data() + kBegin.size(), end, numa).ptr == end && numa >= 0 &&
          numa <= 1'000'000)
        numas.push_back(numa);
    }
    if (std::set(numas.begin(), numas.end()).size() == cpus_.size()) return numas;
    numas.resize(cpus_.size());
    std::iota(numas.begin(), numas.end(), 0);
    return numas;
  }

  const Topology& topology_;
  const LinkRates& rates_;
  const PciTree& tree_;
  const std::vector<NodeId>& cpus_;
  NcclLosses& losses_;
  std::vector<LinkId> sockets_;
  std::vector<std::size_t> host_;  // union-find
  std::vector<bool> has_c2c_;
  std::vector<std::string_view> rows_;  // empty: not said
};

}  // namespace

std::vector<NcclCpuText> nccl_cpu_texts(const Topology& topology, const LinkRates& rates,
                                        const PciTree& tree, NcclLosses& losses) {
  return CpuTexts(topology, rates, tree, losses).run();
}

}  // namespace syncsim
