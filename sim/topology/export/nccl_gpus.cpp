#include "sim/topology/export/nccl_gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/topology/export/nccl_figures.h"
#include "sim/topology/import/nccl_names.h"

namespace syncsim {
namespace {

constexpr int kMostLinksOfSm70 = 6;  // two generations have the same figures

bool is_fast(LinkKind kind) { return kind == LinkKind::nvlink || kind == LinkKind::xgmi; }

class GpuTexts {
 public:
  GpuTexts(const Topology& topology, const LinkRates& rates, const PciTree& tree,
           NcclLosses& losses)
      : topology_(topology),
        rates_(rates),
        tree_(tree),
        losses_(losses),
        texts_(topology.nodes().size()),
        rows_(topology.nodes().size()),
        links_of_(topology.nodes().size()) {
    for (LinkId link = 0; link < topology.links().size(); ++link)
      if (is_fast(topology.links()[link].kind) &&
          kind(topology.links()[link].from) == NodeKind::gpu)
        links_of_[topology.links()[link].from].push_back(link);
  }

  std::vector<NcclGpuText> run() {
    for (NodeId gpu = 0; gpu < rows_.size(); ++gpu)
      if (!links_of_[gpu].empty()) pick_row(gpu);
    for (LinkId link = 0; link < topology_.links().size(); link += 2) write(link);
    compare_switches();
    return std::move(texts_);
  }

 private:
  NodeKind kind(NodeId node) const { return topology_.nodes()[node].kind; }

  void lose(LinkId link, std::string what) {
    losses_.add(topology_.cable_name(link), std::move(what));
  }

  // By its fastest cable, of the kind that most of its cables have.
  void pick_row(NodeId gpu) {
    const Link* fastest = nullptr;
    std::int64_t count = 0;
    bool sharp = false;
    for (const LinkId number : links_of_[gpu]) {
      const Link& link = topology_.links()[number];
      count += link.count;
      sharp |= topology_.nodes()[link.to].abilities.reduce;
      if (fastest == nullptr || speed(*fastest) < speed(link)) fastest = &link;
    }
    const bool xgmi = fastest->kind == LinkKind::xgmi;
    std::vector<std::string_view> rows = xgmi ? xgmi_rows() : nvlink_rows();
    if (count > kMostLinksOfSm70) std::reverse(rows.begin(), rows.end());
    if (sharp && !xgmi)
      std::erase_if(rows, [](std::string_view row) { return *sm_of_row(row) < kSharpGeneration; });
    rows_[gpu] = row_figures(rates_, *fastest, rows).row;
    texts_[gpu].generation = xgmi ? fmt::format(R"( gcn="{}")", *gcn_of_row(rows_[gpu]))
                                  : fmt::format(R"( sm="{}")", *sm_of_row(rows_[gpu]));
  }

  static double speed(const Link& link) { return link.usable.bytes_per_second / link.count; }

  void write(LinkId link) {
    const Link& cable = topology_.links()[link];
    if (cable.kind == LinkKind::c2c) return write_c2c(link);
    if (!is_fast(cable.kind)) return;
    if (kind(cable.from) == NodeKind::gpu && kind(cable.to) == NodeKind::gpu)
      return write_peers(link);
    const LinkId out = kind(cable.from) == NodeKind::gpu ? link : link ^ 1;
    const NodeId gpu = topology_.links()[out].from;
    const NodeId far = topology_.links()[out].to;
    const bool to_switch = kind(far) == NodeKind::switch_;
    const bool to_cpu = kind(far) == NodeKind::cpu && is_root(gpu, far);
    if (kind(gpu) != NodeKind::gpu || cable.kind != LinkKind::nvlink || !(to_switch || to_cpu))
      return lose(link, "a cable that joins neither two gpus nor a gpu and a switch is left out");
    if (!sm_of_row(rows_[gpu])) return lose(link, "NVLink beside xGMI is left out");
    texts_[gpu].cables.push_back({"nvlink", far, count_of(link, rows_[gpu]), {}});
  }

  bool is_root(NodeId gpu, NodeId cpu) const {
    const auto& place = tree_.of[gpu];
    return place && !tree_.cpus.empty() && tree_.cpus[place->root] == cpu;
  }

  void write_peers(LinkId link) {
    const Link& cable = topology_.links()[link];
    const bool xgmi = cable.kind == LinkKind::xgmi;
    const std::string_view one = rows_[cable.from];
    const std::string_view other = rows_[cable.to];
    if (gcn_of_row(one).has_value() != xgmi || gcn_of_row(other).has_value() != xgmi)
      return lose(link, "NVLink beside xGMI is left out");
    // As a reader does, who sees the lower number first.
    const bool first = rates_.link(one).usable <= rates_.link(other).usable;
    const int count = count_of(link, first ? one : other);
    for (const LinkId way : {link, link ^ 1})
      texts_[topology_.links()[way].from].cables.push_back(
          {xgmi ? "xgmi" : "nvlink", topology_.links()[way].to, count, {}});
  }

  int count_of(LinkId link, std::string_view row) {
    const Link& cable = topology_.links()[link];
    const RowFigures figures = figures_in_row(rates_, cable, row);
    if (!figures.exact)
      lose(link, fmt::format("{} x {} ({} usable) is written as {} x {} ({} usable)", cable.count,
                             to_string(Bandwidth{cable.bandwidth.bytes_per_second / cable.count}),
                             to_string(Bandwidth{cable.usable.bytes_per_second / cable.count}),
                             figures.count, to_string(rates_.link(row).bandwidth),
                             to_string(rates_.link(row).usable)));
    return figures.count;
  }

  void write_c2c(LinkId link) {
    const LinkId out = kind(topology_.links()[link].from) == NodeKind::gpu ? link : link ^ 1;
    const Link& cable = topology_.links()[out];
    if (kind(cable.from) != NodeKind::gpu || !is_root(cable.from, cable.to))
      return lose(link, "a C2C link to another than the gpu's own cpu is left out");
    const int count = std::min(cable.count, kMostNcclCables);
    const double each = std::round(cable.bandwidth.bytes_per_second / 1e6 / count);
    if (each * 1e6 * count != cable.bandwidth.bytes_per_second || cable.usable != cable.bandwidth ||
        count != cable.count)
      lose(link, fmt::format("{} x {} ({} usable) is written as {} x {:.0f} MB/s", cable.count,
                             to_string(Bandwidth{cable.bandwidth.bytes_per_second / cable.count}),
                             to_string(Bandwidth{cable.usable.bytes_per_second / cable.count}),
                             count, each));
    texts_[cable.from].cables.push_back({"c2c", cable.to, count, Bandwidth{each * 1e6}});
  }

  // A reader sees one switch, and takes its abilities from the generation of the gpus.
  void compare_switches() {
    std::vector<bool> seen(topology_.nodes().size());
    int switches = 0;
    bool sharp = true;
    for (const NcclGpuText& text : texts_)
      for (const NcclCableText& cable : text.cables) {
        if (kind(cable.target) != NodeKind::switch_) continue;
        if (!seen[cable.target]) ++switches;
        seen[cable.target] = true;
        const auto row = rows_[static_cast<std::size_t>(&text - texts_.data())];
        sharp &= *sm_of_row(row) >= kSharpGeneration;
      }
    if (switches > 1) losses_.add("", fmt::format("{} NVSwitches are read as one", switches));
    for (NodeId node = 0; node < seen.size(); ++node)
      if (seen[node] && topology_.nodes()[node].abilities != Abilities{sharp, sharp})
        losses_.add(topology_.nodes()[node].id,
                    sharp ? "a reader takes it to reduce and multicast"
                          : "a reader takes it not to reduce and multicast");
  }

  const Topology& topology_;
  const LinkRates& rates_;
  const PciTree& tree_;
  NcclLosses& losses_;
  std::vector<NcclGpuText> texts_;
  std::vector<std::string_view> rows_;  // of gpus with such cables, by node
  std::vector<std::vector<LinkId>> links_of_;
};

}  // namespace

std::vector<NcclGpuText> nccl_gpu_texts(const Topology& topology, const LinkRates& rates,
                                        const PciTree& tree, NcclLosses& losses) {
  return GpuTexts(topology, rates, tree, losses).run();
}

}  // namespace syncsim
