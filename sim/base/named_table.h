#pragma once
// A visible, sorted list of things with names: strategies, collectives, formats, executors. `list`,
// help and did-you-mean all come from it. A Row has members `name` and `description`.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"

namespace syncsim {

// The candidate closest to `name` (edit distance with swaps of neighbours, case-insensitive, at
// most a third of its length and at least one edit allowed, some character kept), or "" when none
// is close. Ties go to the earlier candidate.
std::string closest(std::string_view name, const std::vector<std::string>& candidates);

// The error for an unknown name. wrong: `unknown strategy "rign"`; right: `did you mean "ring"?`
// or, when nothing is close, `choose one of central_cpu, ring` (at most 12 are listed).
InputError unknown_name(std::string_view what, std::string_view name,
                        const std::vector<std::string>& candidates);

template <class Row>
class NamedTable {
 public:
  // `what` names the kind of thing in messages ("strategy"). Rows are sorted by name here.
  NamedTable(std::string what, std::vector<Row> rows)
      : what_(std::move(what)), rows_(std::move(rows)) {
    std::sort(rows_.begin(), rows_.end(),
              [](const Row& a, const Row& b) { return std::string_view(a.name) < b.name; });
  }

  const std::vector<Row>& rows() const { return rows_; }
  const std::string& what() const { return what_; }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const Row& row : rows_) result.emplace_back(row.name);
    return result;
  }

  // nullptr when there is no such row.
  const Row* find(std::string_view name) const {
    for (const Row& row : rows_)
      if (row.name == name) return &row;
    return nullptr;
  }

  // Throws unknown_name when there is no such row.
  const Row& at(std::string_view name) const {
    if (const Row* row = find(name)) return *row;
    throw unknown_name(what_, name, names());
  }

 private:
  std::string what_;
  std::vector<Row> rows_;
};

}  // namespace syncsim
