// syncsim list: what there is, one line each, from the same tables that the program uses.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/page_text.h"
#include "sim/base/quote.h"
#include "sim/cli/command.h"
#include "sim/cli/listings.h"

namespace syncsim::cli {
namespace {

// The name on the left, beside it the rest, as many lines as it takes.
std::string beside(const std::string& name, std::size_t width, const std::string& text) {
  std::string result;
  std::string left = name;
  for (const std::string& line : wrapped(text, kPageWidth - width - 1)) {
    result += fmt::format("{:<{}} {}\n", left, width, line);
    left.clear();
  }
  return result;
}

std::string as_text(const std::vector<Entry>& entries) {
  std::size_t width = 16;
  for (const Entry& entry : entries) width = std::max(width, entry.name.size());
  std::string text;
  for (const Entry& entry : entries) {
    text += beside(entry.name, width, entry.description);
    for (const ParameterRow& row : entry.parameters)
      text += beside("", width + 2,
                     fmt::format("{}={}: {}", row.name, row.default_value, row.description));
  }
  return text;
}

using Json = nlohmann::ordered_json;

Json as_json(const ParameterRow& row) {
  Json json = {
      {"name", row.name}, {"default", row.default_value}, {"description", row.description}};
  if (!row.tried.empty()) json["tried"] = row.tried;
  return json;
}

std::string as_json(const std::string& what, const std::vector<Entry>& entries) {
  Json list = Json::array();
  for (const Entry& entry : entries) {
    Json item = {{"name", entry.name}, {"description", entry.description}};
    for (const ParameterRow& row : entry.parameters) item["parameters"].push_back(as_json(row));
    if (entry.choice) item["choice"] = true;
    list.push_back(std::move(item));
  }
  return Json{{what, std::move(list)}}.dump(2) + "\n";
}

}  // namespace

std::function<int()> declare_list(CLI::App& app) {
  const auto what = std::make_shared<std::string>();
  const auto format = std::make_shared<std::string>("text");
  app.add_option("WHAT", *what,
                 fmt::format("one of {}; without it, these", fmt::join(listings().names(), ", ")));
  app.add_option("--format", *format, "text or json")->capture_default_str();
  return [what, format] {
    const std::vector<Entry> found =
        what->empty() ? listing_entries() : listings().at(*what).entries();
    const std::string key = what->empty() ? "lists" : *what;
    std::cout << (wants_json(*format) ? as_json(key, found) : as_text(found)) << std::flush;
    return kGood;
  };
}

}  // namespace syncsim::cli
