// engine_counts: counts the engine's instructions a transfer on a few small works and compares them
// with the committed figures. Exit code 1 when a work takes over 5 % more. Counts of another build
// (compiler, flags) differ by themselves: they are shown, and fail nothing.
//   --update      commits what is counted now
//   --run NAME    simulates a work, for the counter; prints its transfers

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/callgrind.h"
#include "bench/counted_works.h"
#include "bench/table.h"
#include "sim/base/error.h"

namespace syncsim::bench {
namespace {

using nlohmann::ordered_json;

constexpr double kAllowed = 0.05;

struct Figure {
  std::string name;
  std::uint64_t transfers = 0;
  double instructions = 0;  // a transfer, to a tenth
};

int simulate(const std::string& name) {
  for (const CountedWork& work : counted_works())
    if (work.name == name) return fmt::print("{}\n", work.simulate()), 0;
  throw InputError("no work \"" + name + "\"", "the table names them");
}

Figure count(const std::string& program, const CountedWork& work) {
  const Count counted = count_instructions(kCountedFunction, {program, "--run", work.name});
  const std::uint64_t transfers = std::stoull(counted.output);
  const double each = static_cast<double>(counted.instructions) / static_cast<double>(transfers);
  return {work.name, transfers, std::round(each * 10) / 10};
}

std::vector<Figure> count_all(const std::string& program) {
  std::vector<Figure> figures;
  for (const CountedWork& work : counted_works()) figures.push_back(count(program, work));
  return figures;
}

void write_committed(const std::vector<Figure>& figures) {
  ordered_json file = {{"build", SYNCSIM_BUILD}};
  for (const Figure& figure : figures)
    file["instructions_per_transfer"][figure.name] = figure.instructions;
  std::ofstream(SYNCSIM_INSTRUCTIONS) << file.dump(2) << "\n";
}

ordered_json read_committed() {
  std::ifstream file(SYNCSIM_INSTRUCTIONS);
  if (!file)
    throw InputError("cannot be read", "./run guard --update writes it", SYNCSIM_INSTRUCTIONS);
  return ordered_json::parse(file);
}

class Comparison {
 public:
  explicit Comparison(const std::vector<Figure>& figures)
      : figures_(figures), committed_(read_committed()) {}

  void print_table() const {
    std::vector<Cells> rows = {
        {"work", "transfers", "instructions/transfer", "committed", "ratio"}};
    for (const Figure& figure : figures_)
      rows.push_back(
          {figure.name, thousands(figure.transfers), fmt::format("{:.1f}", figure.instructions),
           fmt::format("{:.1f}", committed(figure)), fmt::format("{:.3f}", ratio(figure))});
    print(rows);
  }

  // False when a work takes too many.
  bool judge() const {
    if (committed_.at("build") != SYNCSIM_BUILD) {
      fmt::print("not judged: the committed figures are of another build ({}; this is {})\n",
                 committed_.at("build").get<std::string>(), SYNCSIM_BUILD);
      return true;
    }
    const bool more = any([](double ratio) { return !(ratio <= 1 + kAllowed); });
    const bool less = any([](double ratio) { return ratio < 1 - kAllowed; });
    if (more)
      fmt::print(
          "failed: over 5 % more instructions than committed; if that is meant, "
          "./run guard --update\n");
    if (less)
      fmt::print(
          "over 5 % fewer instructions than committed: ./run guard --update keeps them so\n");
    return !more;
  }

 private:
  // NaN for a work that has none.
  double committed(const Figure& figure) const {
    return committed_.at("instructions_per_transfer").value(figure.name, std::nan(""));
  }
  double ratio(const Figure& figure) const { return figure.instructions / committed(figure); }
  template <class Test>
  bool any(Test&& test) const {
    return std::any_of(figures_.begin(), figures_.end(),
                       [&](const Figure& figure) { return test(ratio(figure)); });
  }

  const std::vector<Figure>& figures_;
  ordered_json committed_;
};

int run(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "--run") return simulate(words[1]);
  const bool update = words == std::vector<std::string>{"--update"};
  if (!words.empty() && !update)
    throw InputError("unknown options", "there is --update, or none", "guard");
  const std::vector<Figure> figures = count_all(std::filesystem::canonical("/proc/self/exe"));
  if (update) write_committed(figures);
  const Comparison comparison(figures);
  comparison.print_table();
  return comparison.judge() ? 0 : 1;
}

}  // namespace
}  // namespace syncsim::bench

int main(int argc, char** argv) {
  try {
    return syncsim::bench::run({argv + 1, argv + argc});
  } catch (const syncsim::InputError& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 2;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "guard: {}\n", failure.what());
    return 3;
  }
}
