#include "sim/topology/machine_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sim/base/quote.h"
#include "sim/topology/kinds.h"
#include "sim/topology/machine_reader.h"
#include "sim/topology/topology_json.h"

namespace syncsim {
namespace {

std::string canonical(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path result = std::filesystem::weakly_canonical(path, failure);
  return failure ? path : result.string();
}

}  // namespace

MachineSource::MachineSource(const std::string& file, const MemoryLimit& memory,
                             std::string shelf_directory)
    : memory_(memory), shelf_directory_(std::move(shelf_directory)) {
  open_.push_back({canonical(file), file});
}

Topology::Parts MachineSource::read(const JsonReader& object) {
  return object.has("kind") ? generate_machine(object, *this) : read_machine(object, *this);
}

MachinePart MachineSource::part(const JsonReader& reference) {
  if (depth_ == kDeepest)
    throw reference.error(fmt::format("machines are nested deeper than {}", kDeepest),
                          "build this one of fewer levels");
  ++depth_;
  MachinePart part = reference.is_object() ? hold(read(reference)) : load(reference);
  --depth_;
  if (part->nodes.empty())
    throw reference.error("this machine has no nodes", "give it nodes, or leave it out");
  return part;
}

MachinePart MachineSource::hold(Topology::Parts parts) {
  held_.nodes += parts.nodes.size();
  held_.links += parts.links.size();
  return std::make_shared<const Topology::Parts>(std::move(parts));
}

MachinePart MachineSource::load(const JsonReader& reference) {
  const std::string beside = std::filesystem::path(reference.file()).parent_path().string();
  const std::string name = reference.located(
      [&] { return topology_path(reference.string(), shelf_directory_, beside); });
  const OpenFile file{canonical(name), name};
  check_open(reference, file);
  MachinePart& part = files_[file.path];
  if (part) return part;
  open_.push_back(file);
  part = hold(read(JsonFile::load(name).root()));
  open_.pop_back();
  return part;
}

void MachineSource::check_open(const JsonReader& reference, const OpenFile& file) const {
  const auto first = std::find_if(open_.begin(), open_.end(),
                                  [&](const OpenFile& open) { return open.path == file.path; });
  if (first == open_.end()) return;
  std::string cycle;
  for (auto open = first; open != open_.end(); ++open) cycle += in_quotes(open->name) + " holds ";
  throw reference.error("this machine would hold itself: " + cycle + in_quotes(file.name),
                        "take one of them out");
}

void MachineSource::require_room(const JsonReader& at, const MachineSize& size) const {
  at.located([&] {
    require_size_allowed(size);
    require_room_to_build(memory_, {size.nodes + held_.nodes, size.links + held_.links});
  });
}

}  // namespace syncsim
