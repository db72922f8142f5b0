#include "sim/schedule/op_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/schedule/size.h"

namespace syncsim {
namespace {

constexpr const char* kColumnsKey = "op_columns";

std::vector<std::string> column_names() {
  std::vector<std::string> names{std::string(kKindColumn)};
  for (const OpColumn& column : op_columns()) names.emplace_back(column.name);
  return names;
}

const OpColumn* column_of(const std::string& name, const std::string& place) {
  if (name == kKindColumn) return nullptr;
  for (const OpColumn& column : op_columns())
    if (column.name == name) return &column;
  throw unknown_name("op column", name, column_names()).at(place);
}

}  // namespace

InputError OpRows::error(std::size_t index, std::size_t at, std::string wrong,
                         std::string right) const {
  return {std::move(wrong), std::move(right), fmt::format("{}:/ops/{}/{}", file_, index, at)};
}

void OpRows::read_columns(const nlohmann::ordered_json& root) {
  known_ = true;
  std::vector<std::string> names = column_names();
  const std::string place = fmt::format("{}:/{}", file_, kColumnsKey);
  if (const auto given = root.find(kColumnsKey); given != root.end()) {
    const bool is_text = given->is_array() && std::all_of(given->begin(), given->end(),
                                                          [](auto& e) { return e.is_string(); });
    if (!is_text) throw InputError("is no list of names", "name columns such as \"source\"", place);
    names = given->get<std::vector<std::string>>();
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string at = fmt::format("{}/{}", place, i);
    columns_.push_back(column_of(names[i], at));
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      throw InputError(fmt::format("column {} stands twice", in_quotes(names[i])), "name it once",
                       at);
  }
  if (std::find(columns_.begin(), columns_.end(), nullptr) == columns_.end())
    throw InputError("column \"kind\" is missing", "add it: every op has a kind", place);
}

void OpRows::require_columns(const JsonReader& root) {
  if (!known_) read_columns(root.raw());
  const auto given = root.optional(kColumnsKey);
  if (!given) return;
  const std::vector<std::string> keys = root.keys();
  const auto position = [&](const char* key) { return std::find(keys.begin(), keys.end(), key); };
  if (position(kColumnsKey) > position("ops"))
    throw given->error("stands after \"ops\"", "put it before: it says how they are read");
}

std::uint64_t OpRows::number(const Row& row, std::size_t index, std::size_t at,
                             std::string_view name, std::uint64_t most) const {
  const Row& value = row[at];
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= most)
    return value.get<std::uint64_t>();
  const std::string found = value.is_number() ? value.dump() : std::string("it");
  throw error(index, at, fmt::format("{} is no {}", found, name),
              fmt::format("write a whole number from 0 to {}", most));
}

OpKind OpRows::kind(const Row& value, std::size_t index, std::size_t at) const {
  const auto kinds = op_kind_names();
  const std::string name =
      value.is_string() ? value.get<std::string>() : value.dump().substr(0, 60);
  const auto found = std::find(kinds.begin(), kinds.end(), name);
  if (found != kinds.end()) return static_cast<OpKind>(found - kinds.begin());
  const InputError unknown = unknown_name("op kind", name, {kinds.begin(), kinds.end()});
  throw error(index, at, unknown.wrong(), unknown.right());
}

void OpRows::add(const nlohmann::ordered_json& root, std::size_t index, const Row& row) {
  if (!known_) read_columns(root);
  const std::string place = fmt::format("{}:/ops/{}", file_, index);
  if (!row.is_array() || row.size() < columns_.size())
    throw InputError(fmt::format("is no list of at least {} columns", columns_.size()),
                     fmt::format("write them as \"{}\" names them", kColumnsKey), place);
  if (schedule_.ops.size() >= kMostOps || row.size() > kNone - schedule_.edges.size())
    throw InputError("there are too many ops or edges", fmt::format("at most {} ops", kMostOps),
                     place);
  Op op;
  op.successors = static_cast<std::uint32_t>(schedule_.edges.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i] == nullptr)
      op.kind = kind(row[i], index, i);
    else
      columns_[i]->set(op, number(row, index, i, columns_[i]->name, columns_[i]->most));
  }
  schedule_.ops.push_back(op);
  for (std::size_t i = columns_.size(); i < row.size(); ++i)
    schedule_.edges.push_back(static_cast<OpId>(number(row, index, i, "op that waits", kMostOps)));
}

}  // namespace syncsim
