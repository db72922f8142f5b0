#include "sim/topology/import/nccl_ring_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <pugixml.hpp>
#include <set>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/topology/import/nccl_rings.h"
#include "sim/topology/import/xml_text.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostRingSteps = 100'000'000;  // of all rings
constexpr int kMostGraphElements = 600'000;           // more than kMostGraphBytes have room for
constexpr const char* kRing = "4";                    // NCCL_TOPO_PATTERN_RING
constexpr const char* kCrossed = "2";                 // of crossnic

bool is_element(pugi::xml_node node) { return node.type() == pugi::node_element; }

// A channel's GPUs in order, by rank where they say it, or else by dev.
struct Channel {
  pugi::xml_node node;
  std::vector<std::int64_t> gpus;
  std::vector<pugi::xml_node> nets = {};
};

struct RingGraph {
  std::vector<Channel> channels;
  bool has_ranks = true;
  bool has_nets = false;
  bool is_crossed = false;
};

std::optional<std::int64_t> whole_number(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = is_hex ? text.substr(2) : text;
  std::int64_t value = -1;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size() || value < 0)
    return std::nullopt;
  return value;
}

// Of a gpu or a net.
std::int64_t number_of(const XmlText& file, pugi::xml_node gpu, const char* name) {
  const pugi::xml_attribute attribute = gpu.attribute(name);
  if (!attribute)
    throw file.error(gpu, fmt::format("this {} has no {}", gpu.name(), name),
                     fmt::format(R"(write such as <{} dev="0"/>)", gpu.name()));
  if (const auto value = whole_number(attribute.value())) return *value;
  throw file.error(gpu, fmt::format("{} is no {}", in_quotes(attribute.value()), name),
                   R"(write a whole number, such as "0" or "0xa")");
}

pugi::xml_node ring_graph_of(const XmlText& file) {
  const pugi::xml_node root = file.top().find_child(is_element);
  if (std::string_view(root.name()) != "graphs")
    throw file.error(root, fmt::format("<{}> holds no rings", one_line(root.name()).substr(0, 60)),
                     "give what NCCL_GRAPH_DUMP_FILE wrote: <graphs>");
  if (const pugi::xml_node other = beside_root(root))
    throw file.error(other, "stands beside the root, <graphs>", "keep one of them");
  pugi::xml_node ring;
  for (const pugi::xml_node graph : root.children("graph")) {
    if (std::string_view(graph.attribute("pattern").value()) != kRing) continue;
    if (ring) throw file.error(graph, "is a second graph of pattern 4, the ring", "keep one");
    ring = graph;
  }
  if (!ring)
    throw file.error(root, "holds no ring, a graph of pattern 4",
                     "give what NCCL_GRAPH_DUMP_FILE wrote");
  return ring;
}

// One number for every GPU: `name` is that of its attribute.
void read_numbers(const XmlText& file, const char* name, RingGraph& graph) {
  for (Channel& channel : graph.channels) {
    std::set<std::int64_t> seen;
    for (const pugi::xml_node gpu : channel.node.children("gpu")) {
      channel.gpus.push_back(number_of(file, gpu, name));
      if (!seen.insert(channel.gpus.back()).second)
        throw file.error(gpu,
                         fmt::format("the channel names {} {} twice", name, channel.gpus.back()),
                         "name every GPU of the node once");
    }
  }
}

RingGraph read_ring_graph(const XmlText& file) {
  const pugi::xml_node node = ring_graph_of(file);
  RingGraph graph;
  graph.is_crossed = std::string_view(node.attribute("crossnic").value()) == kCrossed;
  for (const pugi::xml_node channel : node.children("channel")) {
    graph.channels.push_back({channel, {}});
    for (const pugi::xml_node net : channel.children("net"))
      graph.channels.back().nets.push_back(net);
    graph.has_nets = graph.has_nets || !graph.channels.back().nets.empty();
    for (const pugi::xml_node gpu : channel.children("gpu"))
      graph.has_ranks = graph.has_ranks && gpu.attribute("rank");
  }
  const auto stated = whole_number(node.attribute("nchannels").value());
  if (std::ssize(graph.channels) > kMostNcclChannels)
    throw file.error(node, fmt::format("the graph holds {} channels", graph.channels.size()),
                     fmt::format("give at most {}", kMostNcclChannels));
  if (graph.channels.empty() || stated != std::ssize(graph.channels))
    throw file.error(
        node,
        fmt::format("nchannels is {}, but the graph's channels number {}",
                    in_quotes(node.attribute("nchannels").value()), graph.channels.size()),
        "make them agree, with one channel at least");
  read_numbers(file, graph.has_ranks ? "rank" : "dev", graph);
  return graph;
}

// The node's GPUs, ascending; every channel passes all of them.
std::vector<std::int64_t> gpus_of(const XmlText& file, const RingGraph& graph) {
  std::vector<std::int64_t> gpus = graph.channels.front().gpus;
  std::sort(gpus.begin(), gpus.end());
  for (const Channel& channel : graph.channels) {
    std::vector<std::int64_t> sorted = channel.gpus;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty())
      throw file.error(channel.node, "the channel holds no gpu", "name every GPU of the node once");
    if (sorted != gpus)
      throw file.error(channel.node, "the channel passes other GPUs than the first one",
                       "name every GPU of the node once");
  }
  return gpus;
}

void require_fit(const XmlText& file, const RingGraph& graph, const std::vector<std::int64_t>& gpus,
                 int ranks) {
  const pugi::xml_node place = graph.channels.front().node;
  const auto size = static_cast<int>(gpus.size());
  if (ranks % size != 0)
    throw file.error(place,
                     fmt::format("the rings pass {} GPUs, but the run has {} ranks", size, ranks),
                     "choose as many ranks as ran, or a multiple over several nodes");
  if (ranks != size && !graph.has_nets)
    throw file.error(
        place,
        fmt::format("the rings stay on {} GPUs without a net, but the run has {} ranks", size,
                    ranks),
        "choose as many ranks as ran");
  if (std::ssize(graph.channels) * ranks > kMostRingSteps)
    throw file.error(place,
                     fmt::format("{} channels on {} ranks are more than {} steps",
                                 graph.channels.size(), ranks, kMostRingSteps),
                     "use fewer ranks or channels");
  if (graph.has_ranks && gpus.back() != size - 1)
    throw file.error(
        place,
        fmt::format("the rings name rank {}, but the node's are 0 to {}", gpus.back(), size - 1),
        "give the file of the first node");
}

// The number of a channel's first or last nic, at one of the ranks that it comes to or goes from.
int nic_at(const XmlText& file, pugi::xml_node net, int rank, const RingRanks& ranks) {
  const std::int64_t dev = number_of(file, net, "dev");
  try {
    return nic_number(dev, rank, ranks);
  } catch (const InputError& failure) {
    throw file.error(net, failure.wrong(), failure.right());
  }
}

// Adds the ranks of one node, in a channel's order. The nics of a node that is alone are of no use,
// but are to be there, unless it has none.
void pass_node(const XmlText& file, const Channel& channel, const std::vector<std::int64_t>& gpus,
               const RingRanks& ranks, Ring& ring) {
  const std::size_t first = ring.order.size();
  for (const std::int64_t gpu : channel.gpus) {
    const auto found = std::lower_bound(gpus.begin(), gpus.end(), gpu);
    ring.order.push_back(static_cast<int>(first) + static_cast<int>(found - gpus.begin()));
  }
  if (ranks.nics.empty()) return;
  const bool is_alone = gpus.size() == static_cast<std::size_t>(ranks.count);
  if (!is_alone) ring.nics.resize(ring.order.size());
  if (channel.nets.empty() || (is_alone && ranks.nics.front() == 0)) return;
  const int in = nic_at(file, channel.nets.front(), ring.order[first], ranks);
  const int out = nic_at(file, channel.nets.back(), ring.order.back(), ranks);
  if (is_alone) return;
  ring.nics[first].in = in;
  ring.nics.back().out = out;
}

}  // namespace

std::vector<Ring> graph_rings(std::string_view text, const std::string& name,
                              const RingRanks& ranks) {
  if (text.size() > static_cast<std::size_t>(kMostGraphBytes))
    throw InputError(fmt::format("has more than {} bytes, too many for rings", kMostGraphBytes),
                     "give what NCCL_GRAPH_DUMP_FILE wrote", name);
  const XmlText file(text, name, {kMostGraphElements});
  const RingGraph graph = read_ring_graph(file);
  const std::vector<std::int64_t> gpus = gpus_of(file, graph);
  require_fit(file, graph, gpus, ranks.count);
  const int nodes = ranks.count / static_cast<int>(gpus.size());
  const bool crosses = graph.is_crossed && graph.channels.size() % 2 == 0;
  std::vector<Ring> rings(graph.channels.size());
  for (std::size_t channel = 0; channel < rings.size(); ++channel)
    for (int node = 0; node < nodes; ++node) {
      const std::size_t passed = crosses && node % 2 == 1 ? channel ^ 1 : channel;
      pass_node(file, graph.channels[passed], gpus, ranks, rings[channel]);
    }
  return rings;
}

}  // namespace syncsim
