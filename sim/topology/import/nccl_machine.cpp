// A tidied NCCL system as nodes and links, in this order: gpus by rank, cpus, PCIe switches and
// nics as the text has them (nics by the number of their first port), the NVSwitch, the network.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "sim/base/quote.h"
#include "sim/topology/import/nccl_names.h"
#include "sim/topology/import/nccl_system.h"
#include "sim/topology/link_type.h"

namespace syncsim {
namespace {

class NcclMachine {
 public:
  NcclMachine(const NcclReading& reading, const NcclSystem& system)
      : reading_(reading), rates_(reading.options.rates), system_(system) {}

  Topology::Parts build() {
    node_of_.resize(system_.devices.size());
    sort_gpus();
    sort_nics();
    add_nodes();
    join_tree();
    join_sockets();
    join_nccl_gpus(reading_, system_, {gpus_, node_of_, cpus_}, parts_);
    join_c2c();
    join_network();
    set_direct_access();
    return std::move(parts_);
  }

 private:
  const NcclDevice& device(std::size_t number) const { return system_.devices[number]; }

  void warn(std::size_t offset, std::string text) {
    reading_.warnings.add(offset, std::move(text));
  }

  // Cpu by cpu, as the text has them.
  std::vector<std::size_t> devices_of(NcclKind kind) const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < system_.devices.size(); ++i)
      if (!device(i).gone && device(i).kind == kind) result.push_back(i);
    std::stable_sort(result.begin(), result.end(),
                     [&](std::size_t a, std::size_t b) { return device(a).cpu < device(b).cpu; });
    return result;
  }

  // Sorts the gpus by a number of theirs, when all have one and no two the same.
  bool sort_gpus_by(std::optional<std::int64_t> NcclDevice::*number, std::string_view name) {
    std::set<std::int64_t> seen;
    std::size_t known = 0;
    const NcclDevice* twice = nullptr;
    for (const std::size_t gpu : gpus_) {
      const auto value = device(gpu).*number;
      if (!value || *value < 0) continue;
      ++known;
      if (!seen.insert(*value).second && twice == nullptr) twice = &device(gpu);
    }
    if (twice != nullptr)
      warn(twice->offset, fmt::format("{} {} stands at several GPUs; took no order by {}", name,
                                      *(twice->*number), name));
    else if (known > 0 && known < gpus_.size())
      warn(device(gpus_.front()).offset,
           fmt::format("{} is missing at some GPUs; took no order by {}", name, name));
    if (seen.size() != gpus_.size()) return false;
    std::sort(gpus_.begin(), gpus_.end(), [&](std::size_t a, std::size_t b) {
      return *(device(a).*number) < *(device(b).*number);
    });
    return true;
  }

  void sort_gpus() {
    gpus_ = devices_of(NcclKind::gpu);
    if (!sort_gpus_by(&NcclDevice::rank, "rank")) sort_gpus_by(&NcclDevice::dev, "dev");
  }

  void sort_nics() {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    nics_ = devices_of(NcclKind::nic);
    const auto first_port = [&](std::size_t nic) {
      std::int64_t first = device(nic).ports.empty() ? kLast : kLast - 1;
      for (const NcclPort& port : device(nic).ports)
        first = std::min(first, port.dev.value_or(first));
      return first;
    };
    std::stable_sort(nics_.begin(), nics_.end(),
                     [&](std::size_t a, std::size_t b) { return first_port(a) < first_port(b); });
  }

  NodeId add(std::string id, NodeKind kind) {
    Node node;
    node.id = std::move(id);
    node.kind = kind;
    node.forwards = kind != NodeKind::gpu;
    parts_.nodes.push_back(std::move(node));
    return static_cast<NodeId>(parts_.nodes.size() - 1);
  }

  void add_nodes() {
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      node_of_[gpus_[i]] = add(fmt::format("gpu{}", i), NodeKind::gpu);
      parts_.ranks.push_back(node_of_[gpus_[i]]);
    }
    add_cpus();
    switches_ = devices_of(NcclKind::bridge);
    for (std::size_t i = 0; i < switches_.size(); ++i)
      node_of_[switches_[i]] = add(fmt::format("plx{}", i), NodeKind::switch_);
    for (std::size_t i = 0; i < nics_.size(); ++i)
      node_of_[nics_[i]] = add(fmt::format("nic{}", i), NodeKind::nic);
  }

  // Named by NUMA node, where these differ.
  void add_cpus() {
    std::set<std::int64_t> numas;
    for (const NcclCpu& cpu : system_.cpus)
      if (cpu.numa >= 0) numas.insert(cpu.numa);
    const bool by_numa = numas.size() == system_.cpus.size();
    if (!by_numa && system_.cpus.size() > 1)
      warn(system_.cpus.front().offset,
           fmt::format("{}; numbered the cpus in file order", flaw_of_numas()));
    for (std::size_t i = 0; i < system_.cpus.size(); ++i) {
      const NcclCpu& cpu = system_.cpus[i];
      const auto number = by_numa ? cpu.numa : static_cast<std::int64_t>(i);
      cpus_.push_back(add(fmt::format("cpu{}", number), NodeKind::cpu));
      parts_.nodes.back().peer_cost = cpu.peer_cost;
    }
  }

  // Why they are no names: each host counts its own, or they are wrong.
  std::string flaw_of_numas() const {
    std::set<std::size_t> hosts;
    std::set<std::pair<std::size_t, std::int64_t>> places;
    for (const NcclCpu& cpu : system_.cpus) {
      hosts.insert(cpu.host);
      if (cpu.numa >= 0) places.emplace(cpu.host, cpu.numa);
    }
    if (places.size() == system_.cpus.size())
      return fmt::format("numaid is doubled, as host_hash tells of {} hosts", hosts.size());
    return "numaid is missing, negative or doubled";
  }

  void join_tree() {
    for (const auto* numbers : {&gpus_, &switches_, &nics_})
      for (const std::size_t number : *numbers) {
        const NcclDevice& below = device(number);
        const NodeId above = below.parent ? node_of_[*below.parent] : cpus_[below.cpu];
        add_cable(parts_, node_of_[number], above, rates_.pcie(below.generation, below.width));
      }
  }

  void join_sockets() {
    for (std::size_t i = 0; i < cpus_.size(); ++i)
      for (std::size_t k = i + 1; k < cpus_.size(); ++k) {
        if (system_.cpus[i].host != system_.cpus[k].host) continue;
        const Link& one = rates_.link(system_.cpus[i].socket);
        const Link& other = rates_.link(system_.cpus[k].socket);
        add_cable(parts_, cpus_[i], cpus_[k], one.usable <= other.usable ? one : other);
      }
  }

  void join_c2c() {
    for (const std::size_t gpu : gpus_) {
      if (!device(gpu).c2c) continue;
      Link link;
      link.kind = LinkKind::c2c;
      link.bandwidth = link.usable = *device(gpu).c2c;
      link.count = device(gpu).c2c_count;
      add_cable(parts_, node_of_[gpu], cpus_[device(gpu).cpu], link);
    }
  }

  // A bundle has one rate.
  void warn_of_unequal_ports(const NcclDevice& nic, double sum) {
    const auto slower = [](const NcclPort& a, const NcclPort& b) { return a.rate < b.rate; };
    const auto [least, most] = std::minmax_element(nic.ports.begin(), nic.ports.end(), slower);
    if (least->rate == most->rate) return;
    constexpr double kMegabits = 8e-6;
    const std::size_t count = nic.ports.size();
    warn(nic.offset,
         fmt::format("the ports of a nic have {:.0f} to {:.0f} Mbit/s; took {} of {:.0f}, which is "
                     "as much in all",
                     least->rate.bytes_per_second * kMegabits,
                     most->rate.bytes_per_second * kMegabits, count,
                     sum * kMegabits / static_cast<double>(count)));
  }

  // All ports of a nic as one bundle, at what kernels get of 100 Gbit/s.
  Link ports_link(const NcclDevice& nic) {
    Link link = rates_.link("network_100g");
    const double share = link.usable.bytes_per_second;
    const double of = link.bandwidth.bytes_per_second;
    double sum = 0;
    for (const NcclPort& port : nic.ports) {
      sum += port.rate.bytes_per_second;
      link.latency = std::max(link.latency, port.latency);
    }
    link.bandwidth = {sum};
    link.usable = {sum * share / of};
    link.count = static_cast<int>(nic.ports.size());
    warn_of_unequal_ports(nic, sum);
    return link;
  }

  void join_network() {
    std::optional<NodeId> network;
    for (const std::size_t nic : nics_) {
      if (device(nic).ports.empty()) {
        warn(device(nic).offset,
             "a nic has no <net>, so its network speed is not known; took no network link");
        continue;
      }
      if (!network) {
        network = add("net0", NodeKind::switch_);
        parts_.nodes.back().forwards = false;
      }
      add_cable(parts_, node_of_[nic], *network, ports_link(device(nic)));
    }
    if (network) join_hosts(*network);
  }

  // What joins several hosts is not in the file.
  void join_hosts(NodeId network) {
    std::set<std::size_t> hosts;
    for (const NcclCpu& cpu : system_.cpus) hosts.insert(cpu.host);
    if (hosts.size() < 2) return;
    parts_.nodes[network].forwards = true;
    warn(
        system_.cpus.front().offset,
        fmt::format("host_hash tells of {} hosts, and nothing says how their nics are joined; took "
                    "one switch between them all, net0",
                    hosts.size()));
  }

  // GPUDirect: off where no GPU or no port has it.
  void set_direct_access() {
    const auto denies = [](const std::optional<bool>& direct) { return direct == false; };
    const bool no_gpu = std::all_of(gpus_.begin(), gpus_.end(),
                                    [&](std::size_t gpu) { return denies(device(gpu).direct); });
    std::size_t ports = 0;
    std::vector<std::size_t> denying;  // where
    for (const std::size_t nic : nics_)
      for (const NcclPort& port : device(nic).ports) {
        ++ports;
        if (denies(port.direct)) denying.push_back(device(nic).offset);
      }
    parts_.routing.gdr = ports == 0 || (!no_gpu && denying.size() < ports);
    if (!parts_.routing.gdr) return;
    for (const std::size_t offset : denying)
      warn(offset, "gdr is 0 here and not elsewhere; took 1 for all");
  }

  const NcclReading& reading_;
  const LinkRates& rates_;
  const NcclSystem& system_;
  Topology::Parts parts_;
  std::vector<std::size_t> gpus_, switches_, nics_;  // numbers of devices, in order of nodes
  std::vector<NodeId> node_of_;                      // by number of device
  std::vector<NodeId> cpus_;                         // by number of cpu
};

}  // namespace

Topology::Parts nccl_machine(const NcclReading& reading, const NcclSystem& system) {
  return NcclMachine(reading, system).build();
}

}  // namespace syncsim
