#include "sim/topology/cable_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace syncsim {
namespace {

// What one of `count` cables must have for count times it to be the whole, to the bit.
std::optional<double> share_of(double whole, int count) {
  constexpr double kUp = std::numeric_limits<double>::infinity();
  const double nearest = whole / count;
  for (const double share : {nearest, std::nextafter(nearest, 0), std::nextafter(nearest, kUp)})
    if (share * count == whole) return share;
  return std::nullopt;
}

// One of the link's cables; nothing where rounding leaves none.
std::optional<Link> one_cable(Link link) {
  const auto bandwidth = share_of(link.bandwidth.bytes_per_second, link.count);
  const auto usable = share_of(link.usable.bytes_per_second, link.count);
  if (!bandwidth || !usable) return std::nullopt;
  link.bandwidth = {*bandwidth};
  link.usable = {*usable};
  return link;
}

class LinkTypeTable {
 public:
  std::uint32_t number_of(const Link& figures) {
    const auto number = static_cast<std::uint32_t>(types_.size());
    const auto [known, is_new] = numbers_.emplace(
        Key{figures.kind, figures.bandwidth, figures.usable, figures.latency, figures.overhead,
            figures.half_duplex, figures.spread, figures.lanes, figures.generation},
        number);
    if (is_new) types_.push_back({new_name(figures.kind), figures});
    return known->second;
  }

  std::vector<CableEntries::Type> take() { return std::move(types_); }

 private:
  using Key = std::tuple<LinkKind, Bandwidth, Bandwidth, Time, Time, bool, Spread, std::uint8_t,
                         std::uint8_t>;

  std::string new_name(LinkKind kind) {
    const int number = ++of_kind_[kind];
    return number == 1 ? std::string(to_string(kind))
                       : fmt::format("{}_{}", to_string(kind), number);
  }

  std::map<Key, std::uint32_t> numbers_;
  std::map<LinkKind, int> of_kind_;
  std::vector<CableEntries::Type> types_;
};

CableTerms terms_of(const Link& there, const Link& back, LinkTypeTable& types) {
  CableTerms terms;
  terms.count = there.count;
  const auto one_there = one_cable(there);
  const auto one_back = one_cable(back);
  terms.is_bundle = !one_there || !one_back;
  terms.type = types.number_of(terms.is_bundle ? there : *one_there);
  terms.back = types.number_of(terms.is_bundle ? back : *one_back);
  return terms;
}

// How many cables join a link's ends, of all kinds.
class SharedPairs {
 public:
  explicit SharedPairs(const Topology& topology) {
    for (LinkId link = 0; link < topology.links().size(); link += 2)
      ++cables_[key(topology.links()[link])];
  }

  NameForm form_by_rule(const Link& link) const {
    return cables_.at(key(link)) > 1 ? NameForm::with_kind : NameForm::plain;
  }

 private:
  static std::uint64_t key(const Link& link) {
    const auto [low, high] = std::minmax(link.from, link.to);
    return (std::uint64_t{low} << 32) | high;
  }

  std::unordered_map<std::uint64_t, int> cables_;
};

// One after the other, when a star or pairs of ranges say the same.
std::optional<CableEntry> merged(const CableEntry& a, const CableEntry& b) {
  if (a.terms != b.terms) return std::nullopt;
  const bool same_left = a.left.size() == 1 && a.left == b.left;
  const bool same_right = a.right.size() == 1 && a.right == b.right;
  const bool pairs = a.left.size() == a.right.size() && b.left.size() == b.right.size();
  if (!same_left && !same_right && !pairs) return std::nullopt;
  const auto left = same_left ? a.left : a.left.followed_by(b.left);
  const auto right = same_right ? a.right : a.right.followed_by(b.right);
  if (!left || !right) return std::nullopt;
  return CableEntry{*left, *right, a.terms};
}

void append(std::vector<CableEntry>& entries, CableEntry entry) {
  entries.push_back(std::move(entry));
  while (entries.size() > 1) {
    auto both = merged(entries[entries.size() - 2], entries.back());
    if (!both) return;
    entries.pop_back();
    entries.back() = std::move(*both);
  }
}

// The full mesh that ends in the entry at `last`, if any, and how many entries it takes: one node
// against each of those after it, and so on to the last pair.
std::pair<std::optional<CableEntry>, std::size_t> mesh_up_to(const std::vector<CableEntry>& entries,
                                                             std::size_t last) {
  const CableEntry& end = entries[last];
  if (end.left.size() != 1 || end.right.size() != 1) return {std::nullopt, 1};
  std::optional<IdPattern> all = end.left.followed_by(end.right);
  std::size_t taken = 1;
  while (all && taken <= last) {
    const CableEntry& before = entries[last - taken];
    if (before.terms != end.terms || before.left.size() != 1 || before.right != *all) break;
    const auto more = before.left.followed_by(*all);
    if (!more) break;
    all = more;
    ++taken;
  }
  if (!all || taken == 1) return {std::nullopt, 1};
  return {CableEntry{*all, *all, end.terms, true}, taken};
}

std::vector<CableEntry> with_meshes(const std::vector<CableEntry>& entries) {
  std::vector<CableEntry> result;
  for (std::size_t left = entries.size(); left > 0;) {
    auto [mesh, taken] = mesh_up_to(entries, left - 1);
    result.push_back(mesh ? std::move(*mesh) : entries[left - 1]);
    left -= taken;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace

CableEntries cable_entries(const Topology& topology) {
  const SharedPairs shared(topology);
  LinkTypeTable types;
  std::vector<CableEntry> entries;
  for (LinkId cable = 0; cable < topology.links().size(); cable += 2) {
    const Link& there = topology.links()[cable];
    CableTerms terms = terms_of(there, topology.links()[cable + 1], types);
    const NameForm form = name_form(there);
    if (form != shared.form_by_rule(there)) terms.form = form;
    append(entries, {IdPattern(topology.nodes()[there.from].id),
                     IdPattern(topology.nodes()[there.to].id), terms});
  }
  return {types.take(), with_meshes(entries)};
}

}  // namespace syncsim
