#include "sim/topology/import/hwloc_cables.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "sim/base/quote.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostObjects = 1024;
constexpr std::int64_t kMostMegabytes = 1'000'000'000;  // a second

struct Object {
  HwlocEnd end = HwlocEnd::gpu;
  std::int64_t index = 0;  // gp_index
};

class MatrixReader {
 public:
  MatrixReader(const XmlText& xml, XmlWarnings& warnings, pugi::xml_node matrix, LinkKind kind)
      : xml_(xml), warnings_(warnings), matrix_(matrix), kind_(kind) {}

  void read(std::vector<HwlocCable>& cables) {
    const auto count =
        static_cast<std::size_t>(number(matrix_.attribute("nbobjs").value(), kMostObjects));
    for (const std::string_view word : words("indexes", count)) objects_.push_back(object(word));
    std::vector<double> values;
    for (const std::string_view word : words("u64values", count * count))
      values.push_back(static_cast<double>(number(word, kMostMegabytes)));
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a + 1; b < count; ++b)
        add(cables, a, b, values[a * count + b], values[b * count + a]);
  }

 private:
  InputError error(std::string wrong, std::string right) const {
    return xml_.error(matrix_, std::move(wrong), std::move(right));
  }

  std::int64_t number(std::string_view text, std::int64_t most) const {
    std::int64_t value = -1;
    const char* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, value);
    if (failure == std::errc() && stop == end && value >= 0 && value <= most) return value;
    throw error(fmt::format("{} stands in a matrix", in_quotes(text)),
                fmt::format("write a whole number up to {}", most));
  }

  // Of all elements of this name, which hold ten each.
  std::vector<std::string_view> words(const char* name, std::size_t count) const {
    std::vector<std::string_view> result;
    for (const pugi::xml_node element : matrix_.children(name)) {
      std::string_view text = element.text().get();
      while (result.size() <= count) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        if (text.empty()) break;
        const std::size_t length = std::min(text.find_first_of(" \t\r\n"), text.size());
        result.push_back(text.substr(0, length));
        text.remove_prefix(length);
      }
    }
    if (result.size() == count) return result;
    throw error(fmt::format("a matrix has {} {} in <{}>",
                            result.size() > count ? fmt::format("more than {}", count)
                                                  : fmt::format("{}", result.size()),
                            result.size() == 1 ? "word" : "words", name),
                fmt::format("write {}", count));
  }

  // "OSDev:30", or "30" where all are of one type.
  Object object(std::string_view word) const {
    const std::size_t colon = word.find(':');
    const std::string_view type = colon == word.npos
                                      ? std::string_view(matrix_.attribute("type").value())
                                      : word.substr(0, colon);
    const HwlocEnd end = type == "OSDev"    ? HwlocEnd::gpu
                         : type == "PCIDev" ? HwlocEnd::nvswitch
                                            : HwlocEnd::cpu;
    constexpr std::int64_t kMostIndex = 1'000'000'000'000;
    return {end, number(word.substr(colon == word.npos ? 0 : colon + 1), kMostIndex)};
  }

  void add(std::vector<HwlocCable>& cables, std::size_t a, std::size_t b, double there,
           double back) {
    if (there == 0 && back == 0) return;
    if (objects_[a].end != HwlocEnd::gpu) {
      std::swap(a, b);
      std::swap(there, back);
    }
    if (objects_[a].end != HwlocEnd::gpu) return;
    if (there == 0 || back == 0) {
      warnings_.add(offset_of(matrix_),
                    "two objects are joined in one direction; took it both ways");
      there = back = std::max(there, back);
    }
    cables.push_back({offset_of(matrix_), kind_, objects_[a].index, objects_[b].end,
                      objects_[b].index, there, back});
  }

  const XmlText& xml_;
  XmlWarnings& warnings_;
  pugi::xml_node matrix_;
  LinkKind kind_;
  std::vector<Object> objects_;
};

}  // namespace

std::vector<HwlocCable> read_hwloc_cables(const XmlText& xml, XmlWarnings& warnings) {
  std::vector<HwlocCable> cables;
  for (const pugi::xml_node child : xml.top().child("topology").children()) {
    const std::string_view name = child.attribute("name").value();
    if (!std::string_view(child.name()).starts_with("distances2")) continue;
    if (name == "NVLinkBandwidth")
      MatrixReader(xml, warnings, child, LinkKind::nvlink).read(cables);
    if (name == "XGMIBandwidth") MatrixReader(xml, warnings, child, LinkKind::xgmi).read(cables);
  }
  return cables;
}

}  // namespace syncsim
