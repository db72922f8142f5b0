#pragma once
// MSCCL plans as others write them, put together step by step.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace syncsim::testing {

struct XmlStep {
  std::string type = {};
  std::string source = "i-1";       // buffer and offset: "i3"
  std::string destination = "o-1";  // the same
  int count = 1;
  int block = -1;  // that it waits for
  int step = -1;
  int has_dependent = 0;
};

struct XmlBlock {
  int send = -1;
  int receive = -1;
  std::vector<XmlStep> steps = {};
  int channel = 0;
};

struct XmlPlan {
  std::string collective = {};
  bool in_place = true;
  int chunks = 1;
  std::vector<std::vector<XmlBlock>> gpus = {};
  int scratch = 0;

  // One element a line, so that places in messages are easy to count.
  std::string text() const {
    std::string result = fmt::format(
        R"(<algo name="test" proto="Simple" nchannels="{}" nchunksperloop="{}" ngpus="{}")"
        R"( coll="{}" inplace="{}">)"
        "\n",
        channels(), chunks, gpus.size(), collective, in_place ? 1 : 0);
    for (std::size_t id = 0; id < gpus.size(); ++id) {
      result += fmt::format("<gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", id,
                            chunks, chunks, scratch);
      for (std::size_t block = 0; block < gpus[id].size(); ++block)
        result += text_of(gpus[id][block], block);
      result += "</gpu>\n";
    }
    return result + "</algo>\n";
  }

 private:
  int channels() const {
    int count = 1;
    for (const std::vector<XmlBlock>& blocks : gpus)
      for (const XmlBlock& block : blocks) count = std::max(count, block.channel + 1);
    return count;
  }
  static std::string text_of(const XmlBlock& block, std::size_t id) {
    std::string result = fmt::format("<tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", id,
                                     block.send, block.receive, block.channel);
    for (std::size_t i = 0; i < block.steps.size(); ++i) {
      const XmlStep& step = block.steps[i];
      result += fmt::format(
          R"(<step s="{}" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}" cnt="{}")"
          R"( depid="{}" deps="{}" hasdep="{}"/>)"
          "\n",
          i, step.type, step.source.substr(0, 1), step.source.substr(1),
          step.destination.substr(0, 1), step.destination.substr(1), step.count, step.block,
          step.step, step.has_dependent);
    }
    return result + "</tb>\n";
  }
};

inline std::string in(int chunk) { return fmt::format("i{}", chunk); }
inline std::string out(int chunk) { return fmt::format("o{}", chunk); }
inline std::string scratch(int chunk) { return fmt::format("s{}", chunk); }
inline XmlStep send(const std::string& place) { return {"s", place, place}; }

// Sums go round once and results once; every step but the ends passes on what it receives.
inline XmlPlan ring_allreduce(int ranks) {
  XmlPlan plan{"allreduce", true, ranks};
  for (int rank = 0; rank < ranks; ++rank) {
    XmlBlock block{(rank + 1) % ranks, (rank + ranks - 1) % ranks};
    const auto chunk = [&](int behind) { return in(((rank - behind) % ranks + ranks) % ranks); };
    block.steps.push_back(send(chunk(0)));
    for (int i = 1; i < ranks; ++i) block.steps.push_back({"rrcs", chunk(i), chunk(i)});
    for (int i = 0; i + 2 < ranks; ++i) block.steps.push_back({"rcs", chunk(i), chunk(i)});
    block.steps.push_back({"r", chunk(ranks - 2), chunk(ranks - 2)});
    plan.gpus.push_back({block});
  }
  return plan;
}

// Everybody sends every rank its part, into scratch; sums its own; sends the sum to all. One thread
// block a peer; the sums are in the first, after nops that wait for the others.
inline XmlPlan allpairs_allreduce(int ranks) {
  XmlPlan plan{"allreduce", true, ranks};
  plan.scratch = ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<XmlBlock> blocks;
    for (int other = 1; other < ranks; ++other) {
      const int peer = (rank + other) % ranks;
      XmlBlock block{peer, peer};
      block.steps.push_back({"s", in(peer), scratch(rank)});
      block.steps.push_back({"r", in(rank), scratch(peer), 1, -1, -1, 1});
      blocks.push_back(block);
    }
    for (int other = 1; other < ranks; ++other) {
      const int peer = (rank + other) % ranks;
      if (other > 1) blocks[0].steps.push_back({"nop", "i-1", "o-1", 0, other - 1, 1});
      blocks[0].steps.push_back({"re", scratch(peer), in(rank), 1, -1, -1, other == ranks - 1});
    }
    const int summed = static_cast<int>(blocks[0].steps.size()) - 1;
    for (int other = 1; other < ranks; ++other) {
      const int peer = (rank + other) % ranks;
      XmlBlock& block = blocks[static_cast<std::size_t>(other - 1)];
      block.steps.push_back(
          {"s", in(rank), in(rank), 1, other == 1 ? -1 : 0, other == 1 ? -1 : summed});
      block.steps.push_back({"r", in(peer), in(peer)});
    }
    plan.gpus.push_back(blocks);
  }
  return plan;
}

// Out of place: each copies its chunk to its place, and sends it to all.
inline XmlPlan direct_allgather(int ranks) {
  XmlPlan plan{"allgather", false, ranks};
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<XmlBlock> blocks{{-1, -1, {{"cpy", in(0), out(rank)}}}};
    for (int other = 1; other < ranks; ++other) {
      const int peer = (rank + other) % ranks;
      blocks.push_back({peer, peer, {{"s", in(0), out(rank)}, {"r", out(peer), out(peer)}}});
    }
    plan.gpus.push_back(blocks);
  }
  return plan;
}

// In place, of two GPUs: what each sends is overwritten by what it receives.
inline XmlPlan exchange() {
  XmlPlan plan{"allreduce", true, 1};
  for (const int peer : {1, 0})
    plan.gpus.push_back({{peer, peer, {send(in(0)), {"rrc", in(0), in(0)}}}});
  return plan;
}

}  // namespace syncsim::testing
