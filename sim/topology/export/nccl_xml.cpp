#include "sim/topology/export/nccl_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sim/base/error.h"
#include "sim/topology/export/nccl_cpus.h"
#include "sim/topology/export/nccl_figures.h"
#include "sim/topology/export/nccl_gpus.h"
#include "sim/topology/export/nccl_losses.h"
#include "sim/topology/export/nccl_tree.h"
#include "sim/topology/import/nccl_names.h"
#include "sim/topology/import/xml_text.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostWrittenCpus = 1024;  // the importer's
constexpr std::size_t kDeepest = 58;     // the importer's, less what stands around the switches
constexpr int kMostPorts = 128;          // of a nic: MAX_SUBS in NCCL's xml.h
constexpr double kFastestWritten = 1e7;  // Mbit/s, the importer's
constexpr std::string_view kLooseFigures = R"(link_speed="8.0 GT/s PCIe" link_width="16")";

class Writer {
 public:
  Writer(const Topology& topology, const LinkRates& rates)
      : topology_(topology), rates_(rates), tree_(pci_tree(topology)) {
    if (topology.nodes_of_kind(NodeKind::gpu).empty())
      throw InputError("there is no gpu", "NCCL's format tells of machines with gpus");
    if (tree_.cpus.size() > kMostWrittenCpus)
      throw InputError(fmt::format("there are {} cpus", tree_.cpus.size()),
                       fmt::format("write machines of at most {}", kMostWrittenCpus));
  }

  Exported write() {
    cpus_ = nccl_cpu_texts(topology_, rates_, tree_, losses_);
    gpus_ = nccl_gpu_texts(topology_, rates_, tree_, losses_);
    number();
    find_silent_nics();
    line(0, R"(<system version="1">)");
    for (std::size_t root = 0; root < std::max<std::size_t>(cpus_.size(), 1); ++root)
      write_cpu(root);
    line(0, "</system>");
    find_nccl_losses(topology_, tree_, several_hosts(), losses_);
    return {std::move(text_), losses_.lines()};
  }

 private:
  const Node& node(NodeId id) const { return topology_.nodes()[id]; }

  void line(std::size_t depth, std::string_view text) {
    if (!text.starts_with("</") && ++elements_ > kMostXmlElements)
      throw InputError(fmt::format("the machine takes more than {} elements", kMostXmlElements),
                       "write one of its boxes");
    fmt::format_to(std::back_inserter(text_), "{:{}}{}\n", "", 2 * depth, text);
  }

  void number() {
    ranks_.assign(topology_.nodes().size(), -1);
    devs_.assign(topology_.nodes().size(), 0);
    ports_.resize(topology_.nodes().size());
    for (std::size_t rank = 0; rank < topology_.ranks().size(); ++rank)
      ranks_[topology_.ranks()[rank]] = static_cast<int>(rank);
    int gpus = 0;
    for (NodeId id = 0; id < topology_.nodes().size(); ++id)
      if (node(id).kind == NodeKind::gpu) devs_[id] = gpus++;
    for (LinkId link = 0; link < topology_.links().size(); ++link)
      if (topology_.links()[link].kind == LinkKind::network &&
          node(topology_.links()[link].from).kind == NodeKind::nic)
        ports_[topology_.links()[link].from].push_back(link);
    int nets = 0;
    for (NodeId id = 0; id < topology_.nodes().size(); ++id)
      if (node(id).kind == NodeKind::nic) {
        devs_[id] = nets;
        nets += ports_of(id);
      }
  }

  int ports_of(NodeId nic) const {
    std::int64_t ports = 0;
    for (const LinkId link : ports_[nic]) ports += topology_.links()[link].count;
    if (ports <= kMostPorts) return static_cast<int>(ports);
    throw InputError(fmt::format("{} has {} network ports, and NCCL reads {} of a nic",
                                 node(nic).id, ports, kMostPorts),
                     R"(lower the "count" of its network links)");
  }

  // A reader numbers nics without ports as they stand, so a nic must come before a switch with a
  // later one below it. By node: the first such nic there.
  void find_silent_nics() {
    first_silent_.resize(topology_.nodes().size());
    for (NodeId id = 0; id < topology_.nodes().size(); ++id) {
      if (node(id).kind != NodeKind::nic || !ports_[id].empty() || !tree_.of[id]) continue;
      first_silent_[id] = id;
      for (auto above = tree_.of[id]->above; above && !first_silent_[*above];) {
        first_silent_[*above] = id;
        above = tree_.of[*above] ? tree_.of[*above]->above : std::nullopt;
      }
    }
  }

  std::vector<NodeId> in_order(const std::vector<NodeId>& siblings) const {
    std::vector<NodeId> silent;
    for (const NodeId id : siblings)
      if (first_silent_[id] == id) silent.push_back(id);
    std::vector<NodeId> result;
    auto next = silent.begin();
    for (const NodeId id : siblings) {
      if (first_silent_[id] == id) continue;
      while (next != silent.end() && first_silent_[id] && *next < *first_silent_[id])
        result.push_back(*next++);
      result.push_back(id);
    }
    result.insert(result.end(), next, silent.end());
    return result;
  }

  // Invented, one a node.
  static std::string bus_id(NodeId id) {
    return fmt::format("{:04x}:{:02x}:00.0", (id + 1) >> 8, (id + 1) & 0xff);
  }

  bool several_hosts() const {
    return std::any_of(cpus_.begin(), cpus_.end(),
                       [](const NcclCpuText& cpu) { return cpu.host != 0; });
  }

  std::string cpu_attributes(std::size_t root) const {
    if (cpus_.empty()) return R"( numaid="0")";
    const NcclCpuText& cpu = cpus_[root];
    std::string text = fmt::format(R"( numaid="{}")", cpu.numa);
    if (several_hosts()) text += fmt::format(R"( host_hash="0x{:x}")", cpu.host);
    if (!cpu.model) return text;
    text += fmt::format(R"( arch="{}")", cpu.model->arch);
    if (!cpu.model->vendor.empty())
      text += fmt::format(R"( vendor="{}" familyid="{}" modelid="{}")", cpu.model->vendor,
                          cpu.model->family, cpu.model->model);
    return text;
  }

  void write_cpu(std::size_t root) {
    std::vector<NodeId> below;
    if (!tree_.cpus.empty()) below = tree_.below[tree_.cpus[root]];
    for (const NodeId loose : tree_.loose)
      if (tree_.of[loose]->root == root) below.push_back(loose);
    std::sort(below.begin(), below.end());
    line(1, fmt::format("<cpu{}{}>", cpu_attributes(root), below.empty() ? "/" : ""));
    if (below.empty()) return;
    for (const NodeId device : in_order(below)) write_device(device, 2);
    line(1, "</cpu>");
  }

  void write_device(NodeId id, std::size_t depth) {
    if (depth > kDeepest)
      throw InputError(fmt::format("{} is nested too deep in PCIe switches", node(id).id),
                       "no PCI tree is that deep");
    const NodeKind kind = node(id).kind;
    const std::string_view pci_class = kind == NodeKind::switch_ ? "0x060400"
                                       : kind == NodeKind::nic   ? "0x020000"
                                                                 : gpu_class(id);
    const bool empty = kind == NodeKind::switch_ ? tree_.below[id].empty()
                                                 : kind == NodeKind::nic && ports_[id].empty();
    line(depth, fmt::format(R"(<pci busid="{}" class="{}" {}{}>)", bus_id(id), pci_class,
                            link_figures(id), empty ? "/" : ""));
    if (empty) return;
    if (kind == NodeKind::gpu) write_gpu(id, depth + 1);
    if (kind == NodeKind::nic) write_nic(id, depth + 1);
    for (const NodeId child : in_order(tree_.below[id])) write_device(child, depth + 1);
    line(depth, "</pci>");
  }

  std::string_view gpu_class(NodeId id) const {
    return gpus_[id].generation.starts_with(" gcn") ? "0x038000" : "0x030200";
  }

  // A reader takes a gpu, or a switch above one, at generation 1 to be idle, and gives it another.
  bool may_look_idle(NodeId id) const {
    const auto is_gpu = [&](NodeId below) { return node(below).kind == NodeKind::gpu; };
    const auto& below = tree_.below[id];
    return is_gpu(id) || std::any_of(below.begin(), below.end(), is_gpu);
  }

  void tell_of_idle(LinkId link, const PcieFigures& figures) {
    losses_.add(topology_.cable_name(link),
                figures.generation == 1
                    ? std::string("a reader takes generation 1 for that of a GPU at rest, and "
                                  "another in its place")
                    : fmt::format("generation 1 is written as {} x{}, as a reader takes it for "
                                  "that of a GPU at rest",
                                  link_speed(figures.generation), figures.width));
  }

  std::string link_figures(NodeId id) {
    const PciTree::Place& place = *tree_.of[id];
    if (!place.above) {
      losses_.add(node(id).id, fmt::format("no PCIe link leads to a cpu; wrote {}", kLooseFigures));
      return std::string(kLooseFigures);
    }
    Link up = topology_.links()[place.link];
    const bool idle = may_look_idle(id) && up.generation == 1;
    if (idle || up.count != 1) up.lanes = up.generation = 0;  // the nearest that can be read back
    const PcieFigures figures = pcie_figures(rates_, up);
    if (idle || (may_look_idle(id) && figures.generation == 1)) tell_of_idle(place.link, figures);
    if (!figures.exact || up.count != 1) {
      const Link written = rates_.pcie(figures.generation, figures.width);
      losses_.add(
          topology_.cable_name(place.link),
          fmt::format("{} ({} usable) is written as {} x{}, {} ({} usable)",
                      to_string(up.bandwidth), to_string(up.usable), link_speed(figures.generation),
                      figures.width, to_string(written.bandwidth), to_string(written.usable)));
    }
    return fmt::format(R"(link_speed="{}" link_width="{}")", link_speed(figures.generation),
                       figures.width);
  }

  int direct() const { return topology_.routing().gdr ? 1 : 0; }

  void write_gpu(NodeId id, std::size_t depth) {
    const NcclGpuText& text = gpus_[id];
    const std::string rank = ranks_[id] < 0 ? "" : fmt::format(R"( rank="{}")", ranks_[id]);
    line(depth, fmt::format(R"(<gpu dev="{}"{}{} gdr="{}"{}>)", devs_[id], text.generation, rank,
                            direct(), text.cables.empty() ? "/" : ""));
    if (text.cables.empty()) return;
    for (const NcclCableText& cable : text.cables) line(depth + 1, cable_element(cable));
    line(depth, "</gpu>");
  }

  std::string cable_element(const NcclCableText& cable) const {
    if (cable.element == "c2c")
      return fmt::format(R"(<c2c count="{}" bw="{:.0f}"/>)", cable.count,
                         cable.each.bytes_per_second / 1e6);
    const NodeKind far = node(cable.target).kind;
    const std::string_view far_class = far == NodeKind::switch_ ? "0x068000"
                                       : far == NodeKind::cpu   ? "0x068001"
                                                                : gpu_class(cable.target);
    return fmt::format(R"(<{} target="{}" count="{}" tclass="{}"/>)", cable.element,
                       bus_id(cable.target), cable.count, far_class);
  }

  void write_nic(NodeId id, std::size_t depth) {
    line(depth, "<nic>");
    int dev = devs_[id];
    for (const LinkId number : ports_[id]) {
      const Link& link = topology_.links()[number];
      // In whole Mbit/s; the last port takes what the others cannot share evenly.
      auto rest =
          std::max<std::int64_t>(std::llround(std::min(link.bandwidth.bytes_per_second * 8e-6,
                                                       kFastestWritten * link.count)),
                                 1);
      if (static_cast<double>(rest) * 1e6 / 8 != link.bandwidth.bytes_per_second)
        losses_.add(topology_.cable_name(number),
                    fmt::format("{} is written as {} Mbit/s", to_string(link.bandwidth), rest));
      for (int left = link.count; left > 0; --left) {
        const std::int64_t speed = left == 1 ? rest : std::max<std::int64_t>(rest / left, 1);
        rest = std::max<std::int64_t>(rest - speed, 1);
        line(depth + 1, fmt::format(R"(<net name="nic{}" dev="{}" speed="{}" port="1" )"
                                    R"(latency="{:.6f}" gdr="{}"/>)",
                                    dev, dev, speed, microseconds(link.latency), direct()));
        ++dev;
      }
    }
    line(depth, "</nic>");
  }

  const Topology& topology_;
  const LinkRates& rates_;
  PciTree tree_;
  std::string text_;
  int elements_ = 0;
  NcclLosses losses_;
  std::vector<NcclCpuText> cpus_;
  std::vector<NcclGpuText> gpus_;  // by node
  std::vector<std::optional<NodeId>> first_silent_;
  std::vector<int> ranks_;                  // by node, -1: none
  std::vector<int> devs_;                   // of gpus and first ports, by node
  std::vector<std::vector<LinkId>> ports_;  // network links of nics, by node
};

}  // namespace

Exported nccl_xml(const Topology& topology, const LinkRates& rates) {
  refuse_cluster(topology);
  return Writer(topology, rates).write();
}

}  // namespace syncsim
