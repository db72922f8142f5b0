#include "sim/schedule/msccl/algorithm.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "sim/base/quote.h"

namespace syncsim::msccl {
namespace {

// receives, reduces, stores, sends, reads_source
constexpr StepRow kRows[] = {
    {"s", false, false, false, true, true},     {"r", true, false, true, false, false},
    {"rcs", true, false, true, true, false},    {"rrc", true, true, true, false, true},
    {"rrs", true, true, false, true, true},     {"rrcs", true, true, true, true, true},
    {"cpy", false, false, true, false, true},   {"re", false, true, true, false, true},
    {"nop", false, false, false, false, false},
};

char letter(Space space) { return "ios"[static_cast<std::size_t>(space)]; }

// Quotes and such in the name, which is a user's text.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    if (c == '"' || c == '<' || c == '>' || c == '&')
      result += fmt::format("&#{};", static_cast<int>(c));
    else
      result += c;
  }
  return result;
}

void write_step(const Step& step, std::ostream& out) {
  fmt::print(out,
             R"(      <step s="{}" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}")"
             R"( cnt="{}" depid="{}" deps="{}" hasdep="{}"/>)"
             "\n",
             step.number, row(step.type).name, letter(step.source.space), step.source.chunk,
             letter(step.destination.space), step.destination.chunk, step.count,
             step.dependency_block, step.dependency_step, step.has_dependent ? 1 : 0);
}

void write_block(const ThreadBlock& block, std::ostream& out) {
  fmt::print(out, "    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", block.id, block.send,
             block.receive, block.channel);
  for (const Step& step : block.steps) write_step(step, out);
  out << "    </tb>\n";
}

}  // namespace

const StepRow& row(StepType type) { return kRows[static_cast<std::size_t>(type)]; }

std::span<const StepRow> step_rows() { return kRows; }

void write_algorithm(const Algorithm& algorithm, std::ostream& out) {
  fmt::print(out,
             R"(<algo name="{}" proto="{}" nchannels="{}" nchunksperloop="{}" ngpus="{}" )"
             R"(coll="{}" inplace="{}">)"
             "\n",
             escaped(algorithm.name), algorithm.protocol, algorithm.channels, algorithm.chunks,
             algorithm.gpus.size(), algorithm.collective, algorithm.in_place ? 1 : 0);
  for (std::size_t id = 0; id < algorithm.gpus.size(); ++id) {
    const Gpu& gpu = algorithm.gpus[id];
    fmt::print(out, "  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", id,
               gpu.input_chunks, gpu.output_chunks, gpu.scratch_chunks);
    for (const ThreadBlock& block : gpu.blocks) write_block(block, out);
    out << "  </gpu>\n";
  }
  out << "</algo>\n";
}

}  // namespace syncsim::msccl
