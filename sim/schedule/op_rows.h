#pragma once
// The rows of "ops" in a plan's JSON, put into the schedule one by one as they are read.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/schedule/op_columns.h"

namespace syncsim {

class OpRows {
 public:
  // Keeps references.
  OpRows(Schedule& schedule, const std::string& file) : schedule_(schedule), file_(file) {}

  // `root` holds what stands before "ops"; the first row decides which columns there are.
  void add(const nlohmann::ordered_json& root, std::size_t index,
           const nlohmann::ordered_json& row);
  // Refuses "op_columns" that stands after the rows, and reads it where there are none.
  void require_columns(const JsonReader& root);

 private:
  using Row = nlohmann::ordered_json;

  void read_columns(const nlohmann::ordered_json& root);
  std::uint64_t number(const Row& row, std::size_t index, std::size_t at, std::string_view name,
                       std::uint64_t most) const;
  OpKind kind(const Row& value, std::size_t index, std::size_t at) const;
  InputError error(std::size_t index, std::size_t at, std::string wrong, std::string right) const;

  Schedule& schedule_;
  const std::string& file_;
  bool known_ = false;
  std::vector<const OpColumn*> columns_;  // nullptr: the kind
};

}  // namespace syncsim
