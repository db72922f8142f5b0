#include "sim/topology/import/nvidia_smi_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/topology/import/pasted_text.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostInWarning = 8;  // in a warning

bool within(const PathCell& cell, PathClass level) {
  return cell.path >= PathClass::pix && cell.path <= level;
}

// Devices that ways of at most `level` join, directly or over others.
std::vector<std::size_t> groups_of(const SmiMatrix& matrix, PathClass level) {
  const std::size_t count = matrix.devices.size();
  std::vector<std::size_t> group(count, count);
  std::size_t groups = 0;
  for (std::size_t first = 0; first < count; ++first) {
    if (group[first] != count) continue;
    std::vector<std::size_t> found = {first};
    group[first] = groups;
    for (std::size_t next = 0; next < found.size(); ++next)
      for (std::size_t other = 0; other < count; ++other)
        if (group[other] == count && within(matrix.between(found[next], other), level)) {
          group[other] = groups;
          found.push_back(other);
        }
    ++groups;
  }
  return group;
}

InputError contradiction(const SmiMatrix& matrix, std::size_t a, std::size_t b, PathClass level) {
  const auto name = [&](std::size_t device) { return matrix.devices[device].name; };
  std::string why = "others join them by shorter ways";
  for (std::size_t over = 0; over < matrix.devices.size(); ++over)
    if (within(matrix.between(a, over), level) && within(matrix.between(over, b), level)) {
      why = fmt::format("{}-{} is {} and {}-{} is {}", name(a), name(over),
                        to_string(matrix.between(a, over)), name(over), name(b),
                        to_string(matrix.between(over, b)));
      break;
    }
  const PathCell& cell = matrix.between(a, b);
  return InputError(fmt::format("{}-{} is {} although {}", name(a), name(b), to_string(cell), why),
                    "write classes that form a tree",
                    place_of(matrix.file, cell.line, cell.column));
}

std::vector<std::size_t> checked_groups(const SmiMatrix& matrix, PathClass level) {
  std::vector<std::size_t> group = groups_of(matrix, level);
  for (std::size_t a = 0; a < group.size(); ++a)
    for (std::size_t b = a + 1; b < group.size(); ++b)
      if (group[a] == group[b] && matrix.between(a, b).path > level)
        throw contradiction(matrix, a, b, level);
  return group;
}

std::string listed(const SmiMatrix& matrix, const std::vector<std::size_t>& devices) {
  std::string names;
  for (std::size_t i = 0; i < std::min(devices.size(), kMostInWarning); ++i)
    names += (i == 0 ? "" : ", ") + matrix.devices[devices[i]].name;
  if (devices.size() > kMostInWarning)
    names += fmt::format(" and {} more", devices.size() - kMostInWarning);
  return names;
}

// Puts islands (groups that share a cpu by their cells) onto cpus.
class Cpus {
 public:
  Cpus(const SmiMatrix& matrix, std::vector<std::string>& warnings)
      : matrix_(matrix), warnings_(warnings), island_(checked_groups(matrix, PathClass::node)) {
    const auto largest = std::max_element(island_.begin(), island_.end());
    count_ = largest == island_.end() ? 0 : *largest + 1;
    choose_affinity();
    check_affinities();
    compare();
  }

  std::vector<std::size_t> place() {
    for (std::size_t island = 0; island < count_; ++island) place(island);
    if (cpus_.size() > kMostSmiCpus)
      throw InputError(fmt::format("the devices sit on {} cpus, all SYS apart", cpus_.size()),
                       fmt::format("import at most {}", kMostSmiCpus), header());
    warn();
    std::vector<std::size_t> cpu(island_.size());
    for (std::size_t device = 0; device < cpu.size(); ++device)
      cpu[device] = cpu_of_[island_[device]];
    return cpu;
  }

 private:
  enum class Relation : unsigned char { open, apart, same };

  std::string header() const { return place_of(matrix_.file, matrix_.line, 1); }
  const std::string& affinity(std::size_t device) const { return matrix_.devices[device].*column_; }
  Relation& relation(std::size_t a, std::size_t b) { return relations_[a * count_ + b]; }

  // NUMA nodes where a row has one, else sets of cpus.
  void choose_affinity() {
    for (const SmiDevice& device : matrix_.devices)
      if (!device.numa.empty()) column_ = &SmiDevice::numa;
    affinities_.resize(count_);
    std::vector<std::size_t> first(count_);
    for (std::size_t device = 0; device < island_.size(); ++device) {
      std::string& of_island = affinities_[island_[device]];
      if (!of_island.empty() || affinity(device).empty()) continue;
      of_island = affinity(device);
      first[island_[device]] = device;
    }
    for (std::size_t device = 0; device < island_.size(); ++device)
      speaker_.push_back(affinity(device).empty() ? first[island_[device]] : device);
  }

  // The first pair whose affinities say otherwise than its cell, and how many more there are.
  void check_affinities() {
    std::string told;
    std::size_t more = 0;
    for (std::size_t a = 0; a < island_.size(); ++a)
      for (std::size_t b = a + 1; b < island_.size(); ++b) {
        if (!contradict(a, b)) continue;
        if (told.empty())
          told = contradiction_of(a, b);
        else
          ++more;
      }
    if (more > 0) told += fmt::format(" (and {} more such pairs)", more);
    if (!told.empty()) warnings_.push_back(std::move(told));
  }

  // A device without an affinity, as nics are, has that of its island.
  bool contradict(std::size_t a, std::size_t b) const {
    const std::string& one = affinity(speaker_[a]);
    const std::string& other = affinity(speaker_[b]);
    if (one.empty() || other.empty()) return false;
    const PathCell& cell = matrix_.between(a, b);
    return one == other ? cell.path == PathClass::sys : within(cell, PathClass::node);
  }

  std::string contradiction_of(std::size_t a, std::size_t b) const {
    const PathCell& cell = matrix_.between(a, b);
    const std::string& one = affinity(speaker_[a]);
    const bool two_cpus = one == affinity(speaker_[b]) && !is_node(one);
    return fmt::format("{}: {}-{} is {} although their affinities are {} and {}; took {}",
                       place_of(matrix_.file, cell.line, cell.column), matrix_.devices[a].name,
                       matrix_.devices[b].name, to_string(cell), said_of(a), said_of(b),
                       two_cpus ? "two cpus" : "one cpu");
  }

  std::string said_of(std::size_t device) const {
    const std::size_t speaker = speaker_[device];
    const std::string said = printable(affinity(speaker));
    return speaker == device ? said
                             : fmt::format("{} (that of {})", said, matrix_.devices[speaker].name);
  }

  // One NUMA node is never on two sockets, whatever the cells say; a set of them may be.
  bool is_node(const std::string& affinity) const {
    return column_ == &SmiDevice::numa &&
           affinity.find_first_not_of("0123456789") == std::string::npos;
  }

  void compare() {
    relations_.assign(count_ * count_, Relation::open);
    for (std::size_t a = 0; a < count_; ++a)
      for (std::size_t b = 0; b < count_; ++b)
        if (!affinities_[a].empty() && !affinities_[b].empty())
          relation(a, b) = affinities_[a] == affinities_[b] ? Relation::same : Relation::apart;
    for (std::size_t a = 0; a < island_.size(); ++a)
      for (std::size_t b = 0; b < island_.size(); ++b) {
        Relation& islands = relation(island_[a], island_[b]);
        if (matrix_.between(a, b).path == PathClass::sys &&
            !(islands == Relation::same && is_node(affinities_[island_[a]])))
          islands = Relation::apart;
      }
  }

  // The first cpu with an island of the same affinity, else the first that nothing excludes.
  void place(std::size_t island) {
    std::size_t open = cpus_.size();
    for (std::size_t cpu = 0; cpu < cpus_.size(); ++cpu) {
      const auto is = [&](Relation wanted) {
        return [this, island, wanted](std::size_t o) { return relation(island, o) == wanted; };
      };
      const auto& others = cpus_[cpu];
      if (std::any_of(others.begin(), others.end(), is(Relation::apart))) continue;
      if (std::any_of(others.begin(), others.end(), is(Relation::same))) return join(island, cpu);
      open = std::min(open, cpu);
    }
    if (open < cpus_.size()) guessed_.push_back(island);
    if (open == cpus_.size()) cpus_.emplace_back();
    join(island, open);
  }

  void join(std::size_t island, std::size_t cpu) {
    cpus_[cpu].push_back(island);
    cpu_of_.push_back(cpu);
  }

  void warn() {
    if (!guessed_.empty()) {
      std::vector<std::size_t> devices;
      for (std::size_t device = 0; device < island_.size(); ++device)
        if (std::binary_search(guessed_.begin(), guessed_.end(), island_[device]))
          devices.push_back(device);
      warnings_.push_back(
          fmt::format("{}: nothing names the cpu of {}; took the first that no SYS excludes",
                      header(), listed(matrix_, devices)));
    }
    if (cpus_.size() > 2)
      warnings_.push_back(fmt::format(
          "{}: {} groups of devices are SYS apart; took a cpu for each, every two joined by a "
          "socket link",
          header(), cpus_.size()));
  }

  const SmiMatrix& matrix_;
  std::vector<std::string>& warnings_;
  std::vector<std::size_t> island_;  // of each device
  std::size_t count_ = 0;            // of islands
  std::string SmiDevice::*column_ = &SmiDevice::cpus;
  std::vector<std::string> affinities_;  // of each island
  std::vector<std::size_t> speaker_;     // of each device: whose affinity counts for it
  std::vector<Relation> relations_;
  std::vector<std::vector<std::size_t>> cpus_;  // islands
  std::vector<std::size_t> cpu_of_;
  std::vector<std::size_t> guessed_;
};

// Gpus that hang on a root port of their own because NVLink hides what they share.
void warn_of_hidden(const SmiMatrix& matrix, const PcieTree& tree,
                    std::vector<std::string>& warnings) {
  const std::size_t count = matrix.devices.size();
  std::vector<std::size_t> size(count);
  for (const std::size_t group : tree.pxb) ++size[group];
  std::vector<std::size_t> hidden;
  for (std::size_t a = 0; a < count; ++a) {
    if (size[tree.pxb[a]] > 1) continue;
    for (std::size_t b = 0; b < count; ++b)
      if (tree.cpu[a] == tree.cpu[b] && matrix.between(a, b).path == PathClass::nvlink) {
        hidden.push_back(a);
        break;
      }
  }
  if (hidden.empty()) return;
  warnings.push_back(fmt::format(
      "{}: NVLink hides which PCIe switches {} share; took a root port of its own for each",
      place_of(matrix.file, matrix.line, 1), listed(matrix, hidden)));
}

}  // namespace

PcieTree pcie_tree(const SmiMatrix& matrix, std::vector<std::string>& warnings) {
  PcieTree tree;
  tree.pix = checked_groups(matrix, PathClass::pix);
  tree.pxb = checked_groups(matrix, PathClass::pxb);
  tree.cpu = Cpus(matrix, warnings).place();
  warn_of_hidden(matrix, tree, warnings);
  return tree;
}

}  // namespace syncsim
