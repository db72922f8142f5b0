#include "sim/topology/drawing/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/base/quote.h"
#include "sim/topology/id_pattern.h"

namespace syncsim::drawing {
namespace {

// Bytes of the UTF-8 character that `text` begins with, 0 where it is none.
std::size_t character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t size = byte(0) < 0x80             ? 1
                           : (byte(0) & 0xE0) == 0xC0 ? 2
                           : (byte(0) & 0xF0) == 0xE0 ? 3
                           : (byte(0) & 0xF8) == 0xF0 ? 4
                                                      : 0;
  if (size == 0 || size > text.size() || byte(0) == 0xC0 || byte(0) == 0xC1) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return size;
}

std::string valid(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = character_at(text);
    result += size == 0 ? "?" : text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

// An id around its last number: "node12/" 7 "x". Without a number all is head.
struct Numbered {
  std::string head;
  std::string tail;
  std::uint64_t number = 0;
  bool has_number = false;
};

Numbered numbered(const std::string& id) {
  constexpr const char* kDigits = "0123456789";
  const auto last = id.find_last_of(kDigits);
  if (last == id.npos) return {id, "", 0, false};
  const auto before = id.find_last_not_of(kDigits, last);
  const std::size_t first = before == id.npos ? 0 : before + 1;
  const std::string digits = id.substr(first, last + 1 - first);
  if (digits.size() > 18 || (digits.size() > 1 && digits[0] == '0')) return {id, "", 0, false};
  return {id.substr(0, first), id.substr(last + 1), std::stoull(digits), true};
}

// "0-2,5" of sorted numbers.
std::string spans(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t first = 0, next = 0; first < numbers.size(); first = next) {
    for (next = first + 1; next < numbers.size() && numbers[next] == numbers[next - 1] + 1;) ++next;
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[first]);
    if (next - first > 1) text += fmt::format("-{}", numbers[next - 1]);
  }
  return text;
}

constexpr std::string_view kNames[] = {"GPU",         "CPU",      "NIC",           "box",
                                       "PCIe switch", "NVSwitch", "network switch"};

std::string rate(double bytes_per_second) { return to_string(Bandwidth{bytes_per_second}); }

bool differ(double a, double b) { return std::abs(a - b) > 1e-9 * std::max(a, b); }

double mean(double carried, double rate) { return rate > 0 ? carried / rate : 0; }

// As it is written.
bool is_uneven(double hottest, double carried, double rate) {
  return hottest >= kIdle && percent(hottest) != percent(mean(carried, rate));
}

std::string one_way_heat(double hottest, double carried, double rate) {
  return (is_uneven(hottest, carried, rate) ? percent(mean(carried, rate)) + ", up to " : "") +
         percent(hottest);
}

constexpr std::size_t kManyAlike = 6;  // or all, where they are at least
constexpr std::size_t kAllAlike = 3;

// By kind, what many bundles of it would be labelled with.
std::array<std::string, 7> common_labels(const Picture& picture) {
  std::array<std::map<std::string, std::size_t>, 7> counts;
  for (const Bundle& bundle : picture.bundles)
    ++counts[static_cast<std::size_t>(bundle.kind)][rate_text(bundle)];
  std::array<std::string, 7> common;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    std::size_t most = counts[kind].size() == 1 ? kAllAlike : kManyAlike;
    for (const auto& [label, count] : counts[kind]) {
      const bool longer = !common[kind].empty() && label.size() >= common[kind].size();
      if (count < most || (count == most && longer)) continue;
      common[kind] = label;
      most = count;
    }
  }
  return common;
}

std::string times(std::size_t cables) { return fmt::format("{} x", cables); }

std::string rate_label(const Picture& picture, const Bundle& bundle) {
  const std::string label = rate_text(bundle);
  const std::string& common = picture.common_labels[static_cast<std::size_t>(bundle.kind)];
  if (label == common) return "";
  if (label == fmt::format("{} x {}", bundle.cables, common)) return times(bundle.cables);
  const Figure& a = picture.figures[bundle.a];
  const Figure& b = picture.figures[bundle.b];
  const std::string share = is_leaf(a.role)   ? share_text(bundle, a)
                            : is_leaf(b.role) ? share_text(bundle, b)
                                              : "";
  return share.empty() ? label : label + "\n" + share;
}

std::string heat_label(const Bundle& bundle) {
  if (std::max(bundle.hottest_there, bundle.hottest_back) < kIdle) return "";
  const auto& curve = bundle.curves.front();
  return bundle.curves.size() > 1 ? heat_text(bundle, curve.back(), curve.front())
                                  : heat_text(bundle, curve.front(), curve.back());
}

std::string one_way(const Bundle& bundle, double sum) {
  if (bundle.cables == 1) return rate(sum);
  if (differ(bundle.least, bundle.most))
    return fmt::format("{} cables, {}", bundle.cables, rate(sum));
  return fmt::format("{} x {}", bundle.cables, rate(bundle.least));
}

}  // namespace

std::string shown(std::string_view text, std::size_t most) {
  const std::string line = one_line(valid(text));
  const std::size_t size = characters(line);
  if (size <= most) return line;
  const std::size_t half = (most - 3) / 2;
  return line.substr(0, prefix_of(line, half)) + "..." + line.substr(prefix_of(line, size - half));
}

std::string ranges(std::span<const std::string> ids) {
  const auto patterns = compressed({ids.begin(), ids.end()});
  if (patterns.size() == 1) return patterns.front();
  std::vector<std::pair<Numbered, std::vector<std::uint64_t>>> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const std::string& id : ids) {
    const Numbered parts = numbered(id);
    const auto [place, first] = places.emplace(std::pair(parts.head, parts.tail), groups.size());
    if (first) groups.push_back({parts, {}});
    if (parts.has_number) groups[place->second].second.push_back(parts.number);
  }
  std::string text;
  for (auto& [parts, numbers] : groups) {
    std::sort(numbers.begin(), numbers.end());
    const bool many = numbers.size() > 1;
    text += (text.empty() ? "" : ", ") + parts.head + (many ? "[" : "") + spans(numbers) +
            (many ? "]" : "") + parts.tail;
  }
  return text;
}

std::string counted(std::size_t count, Role role) {
  const std::string name(kNames[static_cast<std::size_t>(role)]);
  const bool hisses = name.back() == 'h' || name.back() == 'x';
  return fmt::format("{} {}{}", count, name, count == 1 ? "" : hisses ? "es" : "s");
}

std::string rate_text(const Bundle& bundle) {
  if (!differ(bundle.there, bundle.back)) return one_way(bundle, bundle.there);
  const std::string cables = bundle.cables > 1 ? fmt::format("{} cables, ", bundle.cables) : "";
  return fmt::format("{}{}, back {}", cables, rate(bundle.there), rate(bundle.back));
}

std::string share_text(const Bundle& bundle, const Figure& figure) {
  if (figure.count < 2 || bundle.cables % figure.count != 0) return "";
  return fmt::format("{} a {}", bundle.cables / figure.count,
                     kNames[static_cast<std::size_t>(figure.role)]);
}

std::string percent(double utilization) { return fmt::format("{:.0f} %", utilization * 100); }

bool has_uneven_heat(const Bundle& bundle) {
  return is_uneven(bundle.hottest_there, bundle.carried_there, bundle.there) ||
         is_uneven(bundle.hottest_back, bundle.carried_back, bundle.back);
}

std::string heat_text(const Bundle& bundle, Spot from, Spot to) {
  const std::string there = one_way_heat(bundle.hottest_there, bundle.carried_there, bundle.there);
  const std::string back = one_way_heat(bundle.hottest_back, bundle.carried_back, bundle.back);
  if (there == back || bundle.half_duplex) return there;
  const bool level = std::abs(to.x - from.x) > 2 * std::abs(to.y - from.y);
  const bool forward = level ? to.x > from.x : to.y > from.y;
  std::string text;
  const auto add = [&](std::string_view arrow, bool is_there) {
    if ((is_there ? bundle.hottest_there : bundle.hottest_back) < kIdle) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : "\n", arrow, is_there ? there : back);
  };
  add(level ? "→" : "↑", forward);
  add(level ? "←" : "↓", !forward);
  return text;
}

void label_bundles(Picture& picture, const DrawingOptions& options, std::size_t most) {
  if (!options.heat) picture.common_labels = common_labels(picture);
  std::size_t labels = 0;
  for (Bundle& bundle : picture.bundles) {
    bundle.label = options.heat ? heat_label(bundle) : rate_label(picture, bundle);
    if (!bundle.label.empty()) ++labels;
  }
  if (labels <= most) return;
  for (Bundle& bundle : picture.bundles) bundle.label.clear();
  picture.unlabelled = true;
}

}  // namespace syncsim::drawing
