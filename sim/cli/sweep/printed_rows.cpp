#include <iostream>

#include "sim/cli/sweep/rows.h"

namespace syncsim::cli {

void PrintedRows::add(std::size_t number, const std::string& row) {
  waiting_.emplace(number, row);
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
       first = waiting_.erase(first), ++next_)
    print(first->second);
  std::cout << std::flush;
}

void PrintedRows::print(const std::string& row) {
  if (!as_json_) {
    std::cout << (begun_ ? "" : format_.head()) << row;
  } else {
    std::cout << (begun_ ? ",\n" : "{\"points\": [\n") << row.substr(0, row.size() - 1);
  }
  begun_ = true;
}

void PrintedRows::finish(bool whole) {
  for (const auto& [number, row] : waiting_) print(row);
  if (as_json_)
    std::cout << (begun_ ? "\n" : "{\"points\": [")
              << "], \"whole\": " << (whole ? "true" : "false") << "}\n";
  std::cout << std::flush;
}

}  // namespace syncsim::cli
