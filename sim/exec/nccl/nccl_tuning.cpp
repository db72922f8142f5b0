#include "sim/exec/nccl/nccl_tuning.h"

#include <fmt/format.h>

#include "sim/base/json_reader.h"

namespace syncsim {
namespace {

constexpr std::array<std::string_view, kNcclAlgorithms> kAlgorithms = {"tree", "ring", "pat",
                                                                       "nvls", "nvls_tree"};
constexpr std::array<std::string_view, kNcclProtocols> kProtocols = {"ll", "ll128", "simple"};

double read_tuned(const JsonReader& json) {
  const double value = json.number();
  if (value < 0) throw json.error("a negative figure", "write 0 or more");
  return value;
}

std::vector<double> read_list(const JsonReader& json) {
  std::vector<double> list;
  for (const JsonReader& element : json.elements()) list.push_back(read_tuned(element));
  return list;
}

template <std::size_t size>
std::array<double, size> read_row(const JsonReader& json) {
  const std::vector<double> list = read_list(json);
  if (list.size() != size)
    throw json.error(fmt::format("{} figures", list.size()), fmt::format("write {}", size));
  std::array<double, size> row{};
  for (std::size_t i = 0; i < size; ++i) row[i] = list[i];
  return row;
}

ByAlgorithm read_algorithms(const JsonReader& json) {
  ByAlgorithm result{};
  for (std::size_t i = 0; i < kAlgorithms.size(); ++i)
    result[i] = read_row<kNcclProtocols>(json.required(kAlgorithms[i]));
  return result;
}

NcclGeneration read_generation(const JsonReader& json) {
  const auto by_nodes = [&](const char* key) { return read_row<3>(json.required(key)); };
  return {static_cast<int>(json.required("from").integer(0, 1000)),
          read_tuned(json.required("simple_factor")),
          read_tuned(json.required("nvls_efficiency")),
          static_cast<int>(json.required("nvls_channels").integer(0, 64)),
          read_list(json.required("intra")),
          read_list(json.required("inter")),
          by_nodes("ll"),
          by_nodes("ring_ll128"),
          by_nodes("tree_ll128"),
          by_nodes("tree"),
          by_nodes("nvls_tree")};
}

void read_ratios(const JsonReader& json, NcclTuning& tuning) {
  tuning.ring_ratio = read_row<kNcclProtocols>(json.required("ring"));
  tuning.tree_ratio = read_tuned(json.required("tree"));
  tuning.tree_protocol_ratio = read_row<kNcclProtocols>(json.required("tree_protocol"));
  tuning.tree_ll128_nodes_ratio = read_tuned(json.required("tree_ll128_nodes"));
  tuning.tree_one_gpu_ratio = read_tuned(json.required("tree_one_gpu"));
  tuning.pat_ratio = read_tuned(json.required("pat"));
}

NcclCutting read_cutting(const JsonReader& json) {
  const auto bytes = [&](const char* key) { return read_tuned(json.required(key)); };
  return {bytes("nvls_tree_chunk_bytes"),
          bytes("nvls_tree_chunk_of_many_bytes"),
          static_cast<int>(json.required("nvls_heads").integer(0, 64)),
          static_cast<int>(json.required("peer_channels").integer(0, 64)),
          bytes("least_peer_part_bytes"),
          bytes("most_peer_part_bytes")};
}

NcclTuning read_tuning(const JsonReader& json) {
  NcclTuning tuning;
  tuning.base = read_algorithms(json.required("base"));
  const JsonReader hop = json.required("hop");
  tuning.hop = {read_algorithms(hop.required("nvlink")), read_algorithms(hop.required("pci")),
                read_algorithms(hop.required("net"))};
  const JsonReader post = json.required("post");
  tuning.post = {read_tuned(post.required("intel")), read_tuned(post.required("amd")),
                 read_tuned(post.required("other"))};
  read_ratios(json.required("ratio"), tuning);
  const JsonReader correction = json.required("correction");
  tuning.correction = {read_list(correction.required("ll")),
                       read_list(correction.required("ll128")),
                       read_list(correction.required("simple"))};
  tuning.cutting = read_cutting(json.required("cutting"));
  for (const JsonReader& generation : json.required("generations").elements())
    tuning.generations.push_back(read_generation(generation));
  if (tuning.generations.empty())
    throw json.required("generations").error("no generation", "write at least one, from 0");
  return tuning;
}

}  // namespace

std::string_view to_string(NcclAlgorithm algorithm) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)];
}

std::string_view to_string(NcclProtocol protocol) {
  return kProtocols[static_cast<std::size_t>(protocol)];
}

const NcclGeneration& NcclTuning::generation(Architecture architecture) const {
  std::size_t row = 0;
  while (row + 1 < generations.size() && generations[row + 1].from <= architecture.sm) ++row;
  return generations[row];
}

NcclTuning load_nccl_tuning(const std::string& directory, Architecture architecture) {
  const JsonFile file = JsonFile::load(directory + "/nccl.json");
  return read_tuning(file.root().required(architecture.gfx != 0 ? "rccl" : "nccl"));
}

}  // namespace syncsim
