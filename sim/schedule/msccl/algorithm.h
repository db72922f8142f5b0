#pragma once
// What an MSCCL file says, as it says it: GPUs, thread blocks, steps (the format that msccl-tools
// emits and the MSCCL runtime reads, github.com/microsoft/msccl-tools, msccl/language/ir.py).
//
// A thread block runs its steps one by one; it sends to one GPU and receives from one, over one
// channel. The k-th send of a (source, destination, channel) meets the k-th receive. A step whose
// `dependency` names one of another thread block comes after it.
//   s     sends the source                    r    receives into the destination
//   rcs   r, and sends the destination on     rrc  destination = received + source
//   rrs   sends received + source on          rrcs rrc, and sends the destination on
//   cpy   destination = source                re   destination += source
//   nop   waits for one more dependency

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/topology/import/xml_text.h"

namespace syncsim::msccl {

enum class Space : std::uint8_t { input, output, scratch };

struct StepRow {
  std::string_view name;
  bool receives;
  bool reduces;  // adds
  bool stores;   // at the destination
  bool sends;
  bool reads_source;
};
enum class StepType : std::uint8_t { s, r, rcs, rrc, rrs, rrcs, cpy, re, nop };
const StepRow& row(StepType type);
std::span<const StepRow> step_rows();  // in the order of StepType

// The first of a step's chunks. -1 where a step has no use for it.
struct Place {
  Space space = Space::input;
  std::int32_t chunk = -1;
};

struct Step {
  std::int32_t number = 0;
  StepType type = StepType::nop;
  Place source;
  Place destination;
  std::uint32_t count = 1;
  std::int32_t dependency_block = -1;  // its id
  std::int32_t dependency_step = -1;   // its number
  bool has_dependent = false;
  std::size_t offset = 0;  // in the text
};

struct ThreadBlock {
  std::int32_t id = 0;
  std::int32_t send = -1;  // peers
  std::int32_t receive = -1;
  std::uint16_t channel = 0;
  std::vector<Step> steps;  // numbers ascend
  std::size_t offset = 0;
};

struct Gpu {
  std::uint32_t input_chunks = 0;
  std::uint32_t output_chunks = 0;
  std::uint32_t scratch_chunks = 0;
  std::vector<ThreadBlock> blocks;  // ids ascend
};

struct Algorithm {
  std::string name;
  std::string protocol = "Simple";
  std::string collective;
  bool in_place = false;
  std::uint32_t chunks = 1;  // of the data
  std::uint32_t channels = 1;
  std::vector<Gpu> gpus;  // by id
};

inline constexpr std::uint32_t kMostChunks = 1 << 20;
inline constexpr std::int32_t kMostGpus = 1 << 16;

// Throws InputError at the line and column of what is no such file.
Algorithm read_algorithm(const XmlText& xml);
void write_algorithm(const Algorithm& algorithm, std::ostream& out);

}  // namespace syncsim::msccl
