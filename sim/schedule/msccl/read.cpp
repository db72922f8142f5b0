#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/schedule/msccl/algorithm.h"

namespace syncsim::msccl {
namespace {

bool is_element(pugi::xml_node node) { return node.type() == pugi::node_element; }

class Reader {
 public:
  explicit Reader(const XmlText& xml) : xml_(xml) {}

  Algorithm run() const {
    const pugi::xml_node root = xml_.top().find_child(is_element);
    if (std::string_view(root.name()) != "algo")
      throw xml_.error(root, fmt::format("<{}> is no plan", one_line(root.name()).substr(0, 60)),
                       "give MSCCL XML, which begins with <algo ...>");
    if (const pugi::xml_node other = beside_root(root))
      throw xml_.error(other, "stands beside the root, <algo>", "keep one of them");
    Algorithm algorithm;
    algorithm.name = attribute(root, "name").value();
    algorithm.collective = attribute(root, "coll").value();
    algorithm.protocol = protocol(root);
    algorithm.in_place = number(root, "inplace", 0, 1) == 1;
    algorithm.chunks = static_cast<std::uint32_t>(number(root, "nchunksperloop", 1, kMostChunks));
    algorithm.gpus = gpus(root);
    if (root.attribute("nchannels")) {
      algorithm.channels = static_cast<std::uint32_t>(number(root, "nchannels", 1, kMostChannels));
      require_channels(algorithm);
    }
    return algorithm;
  }

 private:
  static constexpr std::int32_t kMostChannels = 1 << 12;

  // The runtime knows these, and no others.
  std::string protocol(pugi::xml_node root) const {
    const std::string written = root.attribute("proto").value();
    for (const std::string_view known : {"", "Simple", "LL", "LL128"})
      if (written == known) return written;
    throw xml_.error(root,
                     fmt::format("proto is {}, which MSCCL does not know", in_quotes(written)),
                     "write Simple, LL or LL128");
  }

  // The runtime connects so many channels. What stays within a GPU needs none.
  void require_channels(const Algorithm& algorithm) const {
    for (const Gpu& gpu : algorithm.gpus)
      for (const ThreadBlock& block : gpu.blocks)
        if ((block.send >= 0 || block.receive >= 0) && block.channel >= algorithm.channels)
          throw error(
              block.offset,
              fmt::format("chan is {}, but nchannels is {}", block.channel, algorithm.channels),
              "number channels from 0, below nchannels");
  }

  pugi::xml_attribute attribute(pugi::xml_node at, const char* name) const {
    const pugi::xml_attribute found = at.attribute(name);
    if (!found)
      throw xml_.error(at, fmt::format("this <{}> has no {}", at.name(), name),
                       fmt::format("write it as {}=\"...\"", name));
    return found;
  }

  std::int32_t number(pugi::xml_node at, const char* name, std::int32_t least,
                      std::int32_t most) const {
    const std::string_view text = attribute(at, name).value();
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most)
      return value;
    throw xml_.error(at, fmt::format("{} is {}, which does not do", name, in_quotes(text)),
                     fmt::format("write a whole number from {} to {}", least, most));
  }

  // The children, all of which are `name`s.
  std::vector<pugi::xml_node> children(pugi::xml_node parent, std::string_view name) const {
    std::vector<pugi::xml_node> result;
    for (const pugi::xml_node child : parent.children()) {
      if (child.type() == pugi::node_comment) continue;
      if (!is_element(child) || child.name() != name)
        throw xml_.error(
            child,
            fmt::format("{} has no place in <{}>",
                        in_quotes(is_element(child) ? child.name() : child.value()), parent.name()),
            fmt::format("write <{} ...> there alone", name));
      result.push_back(child);
    }
    return result;
  }

  std::vector<Gpu> gpus(pugi::xml_node root) const {
    const std::int32_t count = number(root, "ngpus", 1, kMostGpus);
    const std::vector<pugi::xml_node> nodes = children(root, "gpu");
    if (nodes.size() != static_cast<std::size_t>(count))
      throw xml_.error(root, fmt::format("ngpus is {}, and there are {}", count, nodes.size()),
                       "describe every GPU once");
    std::vector<std::optional<Gpu>> read(nodes.size());
    for (const pugi::xml_node node : nodes) {
      const auto id = static_cast<std::size_t>(number(node, "id", 0, count - 1));
      if (read[id])
        throw xml_.error(node, fmt::format("is GPU {} for the second time", id),
                         "describe every GPU once");
      read[id] = gpu(node, static_cast<std::int32_t>(id), count);
    }
    std::vector<Gpu> result;
    for (std::optional<Gpu>& each : read) result.push_back(std::move(*each));
    return result;
  }

  Gpu gpu(pugi::xml_node node, std::int32_t id, std::int32_t count) const {
    Gpu result;
    const auto chunks = [&](const char* name) {
      return static_cast<std::uint32_t>(
          number(node, name, 0, static_cast<std::int32_t>(kMostChunks)));
    };
    result.input_chunks = chunks("i_chunks");
    result.output_chunks = chunks("o_chunks");
    result.scratch_chunks = chunks("s_chunks");
    for (const pugi::xml_node child : children(node, "tb"))
      result.blocks.push_back(block(child, id, count));
    std::stable_sort(result.blocks.begin(), result.blocks.end(),
                     [](const ThreadBlock& a, const ThreadBlock& b) { return a.id < b.id; });
    for (std::size_t i = 1; i < result.blocks.size(); ++i)
      if (result.blocks[i].id == result.blocks[i - 1].id)
        throw error(result.blocks[i].offset,
                    fmt::format("is thread block {} for the second time", result.blocks[i].id),
                    "number them from 0");
    return result;
  }

  ThreadBlock block(pugi::xml_node node, std::int32_t gpu, std::int32_t gpus) const {
    constexpr std::int32_t kMostBlocks = 1 << 16;
    ThreadBlock result;
    result.offset = offset_of(node);
    result.id = number(node, "id", 0, kMostBlocks);
    result.send = number(node, "send", -1, gpus - 1);
    result.receive = number(node, "recv", -1, gpus - 1);
    result.channel =
        static_cast<std::uint16_t>(number(node, "chan", -1, kMostChannels - 1) & 0xfff);
    if (result.send == gpu || result.receive == gpu)
      throw xml_.error(node, fmt::format("GPU {} is its own peer", gpu),
                       "use cpy and re within a GPU");
    for (const pugi::xml_node child : children(node, "step")) {
      result.steps.push_back(step(child, result));
      const std::size_t count = result.steps.size();
      if (count > 1 && result.steps[count - 1].number <= result.steps[count - 2].number)
        throw xml_.error(child,
                         fmt::format("step {} comes after step {}", result.steps[count - 1].number,
                                     result.steps[count - 2].number),
                         "number the steps of a thread block upwards");
    }
    return result;
  }

  Step step(pugi::xml_node node, const ThreadBlock& block) const {
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    Step result;
    result.offset = offset_of(node);
    result.number = number(node, "s", 0, kMost);
    result.type = type(node);
    const StepRow& needs = row(result.type);
    result.source = place(node, "srcbuf", "srcoff", needs.reads_source);
    result.destination = place(node, "dstbuf", "dstoff", needs.stores);
    const bool counts = result.type != StepType::nop;
    result.count = static_cast<std::uint32_t>(
        number(node, "cnt", counts ? 1 : -1, static_cast<std::int32_t>(kMostChunks)));
    result.dependency_block = number(node, "depid", -1, kMost);
    result.dependency_step = number(node, "deps", -1, kMost);
    result.has_dependent = number(node, "hasdep", 0, 1) == 1;
    if (needs.sends && block.send < 0)
      throw xml_.error(node,
                       fmt::format("{} sends, and its thread block has no GPU to send to",
                                   in_quotes(needs.name)),
                       "give the <tb> its send");
    if (needs.receives && block.receive < 0)
      throw xml_.error(node,
                       fmt::format("{} receives, and its thread block has no GPU to receive from",
                                   in_quotes(needs.name)),
                       "give the <tb> its recv");
    return result;
  }

  StepType type(pugi::xml_node node) const {
    const std::string_view name = attribute(node, "type").value();
    std::vector<std::string> names;
    for (const StepRow& each : step_rows()) {
      if (each.name == name) return static_cast<StepType>(names.size());
      names.emplace_back(each.name);
    }
    throw unknown_name("step type", name, names).at(xml_.place(offset_of(node)));
  }

  Place place(pugi::xml_node node, const char* buffer, const char* offset, bool needed) const {
    constexpr std::string_view kLetters = "ios";
    const std::string_view text = attribute(node, buffer).value();
    const auto letter = text.size() == 1 ? kLetters.find(text) : std::string_view::npos;
    if (letter == std::string_view::npos)
      throw xml_.error(node, fmt::format("{} is {}, which does not do", buffer, in_quotes(text)),
                       "write i, o or s");
    return {static_cast<Space>(letter),
            number(node, offset, needed ? 0 : -1, std::numeric_limits<std::int32_t>::max())};
  }

  InputError error(std::size_t offset, std::string wrong, std::string right) const {
    return {std::move(wrong), std::move(right), xml_.place(offset)};
  }

  const XmlText& xml_;
};

}  // namespace

Algorithm read_algorithm(const XmlText& xml) { return Reader(xml).run(); }

}  // namespace syncsim::msccl
