#include "sim/topology/import/nccl_attributes.h"

#include <fmt/format.h>

#include <charconv>

#include "sim/base/quote.h"
#include "sim/base/text.h"

namespace syncsim {
namespace {

// None when the text does not begin with a number or goes on behind it.
std::optional<std::int64_t> whole_number(const NcclReading& reading, pugi::xml_node at,
                                         const char* name, NumberRange range) {
  const std::string_view text = attribute(at, name);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc() && value >= range.least && value <= range.most) return value;
  throw reading.xml.error(at, fmt::format("{} is {}", name, in_quotes(text)),
                          fmt::format("write a number from {} to {}", range.least, range.most));
}

}  // namespace

std::string_view attribute(pugi::xml_node at, const char* name) {
  return trimmed(at.attribute(name).value());
}

std::optional<std::int64_t> number_of(const NcclReading& reading, pugi::xml_node at,
                                      const char* name, NumberRange range) {
  const std::string_view text = attribute(at, name);
  if (text.empty()) return std::nullopt;
  const auto value = whole_number(reading, at, name, range);
  if (!value)
    reading.warnings.add(offset_of(at), fmt::format("{} is {}, no whole number; took it as missing",
                                                    name, in_quotes(text)));
  return value;
}

std::int64_t number_or(const NcclReading& reading, pugi::xml_node at, const char* name,
                       NumberRange range, std::int64_t otherwise) {
  const std::string_view text = attribute(at, name);
  if (!text.empty())
    if (const auto value = whole_number(reading, at, name, range)) return *value;
  const std::string found = text.empty() ? "missing" : in_quotes(text) + ", no whole number";
  reading.warnings.add(offset_of(at), fmt::format("{} is {}; took {}", name, found, otherwise));
  return otherwise;
}

std::optional<bool> flag_of(const NcclReading& reading, pugi::xml_node at, const char* name) {
  const auto value = number_of(reading, at, name, {-1, 1'000'000});
  return value ? std::optional(*value > 0) : std::nullopt;
}

std::optional<std::uint64_t> hexadecimal_of(pugi::xml_node at, const char* name) {
  std::string_view text = attribute(at, name);
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void leave_out(const NcclReading& reading, pugi::xml_node at, std::string_view why) {
  reading.warnings.add(offset_of(at), fmt::format("{}; left it out", why));
}

void leave_out_stray(const NcclReading& reading, pugi::xml_node child) {
  if (child.type() != pugi::node_element)
    leave_out(reading, child, "text stands between the elements");
  else
    leave_out(reading, child,
              fmt::format("element {} has no place in {}", in_quotes(child.name()),
                          in_quotes(child.parent().name())));
}

}  // namespace syncsim
