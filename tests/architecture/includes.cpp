#include "tests/architecture/includes.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace syncsim::testing {
namespace {

struct Include {
  int line = 0;
  std::string path;
};

bool is_ours(const std::string& path) {
  return path.starts_with("sim/") || path.starts_with("strategies/");
}

// Drops `word`, and the blanks before it, off the front of `line`; says whether it stood there.
bool take(std::string_view& line, std::string_view word) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == line.npos || !line.substr(begin).starts_with(word)) return false;
  line.remove_prefix(begin + word.size());
  return true;
}

// What the line includes: all in quotes, and ours in angle brackets; "" for other lines.
std::string included(std::string_view line) {
  if (!take(line, "#") || !take(line, "include")) return "";
  if (take(line, "\"")) return std::string(line.substr(0, line.find('"')));
  if (!take(line, "<")) return "";
  const std::string path(line.substr(0, line.find('>')));
  return is_ours(path) ? path : "";
}

std::vector<Include> includes_of(const std::string& text) {
  std::vector<Include> result;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
    if (const std::string path = included(line); !path.empty()) result.push_back({number, path});
  return result;
}

std::string judge(const std::string& file, const Include& include, const Sources& sources,
                  const Layers& layers) {
  const std::string what =
      file + ":" + std::to_string(include.line) + " includes " + include.path + ": ";
  if (!sources.contains(include.path)) return what + "there is no such file";
  const std::string from = layer_of(file);
  const std::string to = layer_of(include.path);
  if (file.starts_with("sim/") && to == "strategies") return what + "sim/ never sees strategies/";
  if (from == to || layers.at(from).contains(to)) return "";
  return what + from + " does not lie above " + to;
}

// Depth first; a file met again while it is open closes a cycle.
class Cycles {
 public:
  explicit Cycles(const Sources& sources) : sources_(sources) {}

  std::vector<std::string> find() {
    for (const auto& [file, text] : sources_) visit(file);
    return found_;
  }

 private:
  void visit(const std::string& file) {
    if (!seen_.insert(file).second) return;
    open_.push_back(file);
    for (const Include& include : includes_of(sources_.at(file))) {
      const auto start = std::find(open_.begin(), open_.end(), include.path);
      if (start != open_.end()) {
        report(start);
      } else if (sources_.contains(include.path)) {
        visit(include.path);
      }
    }
    open_.pop_back();
  }

  void report(std::vector<std::string>::const_iterator start) {
    std::string cycle = "cycle: ";
    for (auto file = start; file != open_.end(); ++file) cycle += *file + " -> ";
    found_.push_back(cycle + *start);
  }

  const Sources& sources_;
  std::set<std::string> seen_;
  std::vector<std::string> open_;
  std::vector<std::string> found_;
};

void close_over(const std::string& layer, const Layers& direct, std::set<std::string>& below) {
  const auto found = direct.find(layer);
  if (found == direct.end()) throw std::runtime_error("layer " + layer + " is not declared");
  for (const std::string& next : found->second)
    if (below.insert(next).second) close_over(next, direct, below);
}

}  // namespace

std::string layer_of(const std::string& path) {
  if (path.starts_with("strategies/")) return "strategies";
  if (!path.starts_with("sim/")) return "";
  const auto end = path.find('/', 4);
  return end == path.npos ? "" : path.substr(4, end - 4);
}

Layers declared_layers(const std::string& cmake) {
  const std::string call = "syncsim_layer(";
  Layers result;
  for (auto at = cmake.find(call); at != cmake.npos; at = cmake.find(call, at + 1)) {
    const auto begin = at + call.size();
    std::istringstream words(cmake.substr(begin, cmake.find(')', begin) - begin));
    std::string name;
    words >> name;
    std::set<std::string>& below = result[name];
    std::string keyword;
    for (std::string word; words >> word;) {
      if (std::isupper(static_cast<unsigned char>(word[0])) != 0 && word.find(':') == word.npos) {
        keyword = word;
      } else if (keyword == "LAYERS") {
        below.insert(word);
      }
    }
  }
  return result;
}

Layers closed(const Layers& direct) {
  Layers result;
  for (const auto& [layer, below] : direct) {
    close_over(layer, direct, result[layer]);
    if (result[layer].contains(layer)) throw std::runtime_error(layer + " lies below itself");
  }
  return result;
}

std::vector<std::string> violations(const Sources& sources, const Layers& layers) {
  std::vector<std::string> result;
  for (const auto& [file, text] : sources) {
    if (!layers.contains(layer_of(file))) {
      result.push_back(file + " is in no layer");
      continue;
    }
    for (const Include& include : includes_of(text))
      if (const std::string wrong = judge(file, include, sources, layers); !wrong.empty())
        result.push_back(wrong);
  }
  const std::vector<std::string> cycles = Cycles(sources).find();
  result.insert(result.end(), cycles.begin(), cycles.end());
  return result;
}

}  // namespace syncsim::testing
