#include "bench/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/child.h"
#include "sim/base/error.h"

namespace syncsim::bench {
namespace {

using nlohmann::json;

constexpr int kRepetitions = 3;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Google Benchmark writes NaN for the deviation of what is always 0, which is no JSON.
std::string without_nan(const std::string& output) {
  return boost::algorithm::replace_all_copy(output, ": NaN", ": null");
}

// What is common to the repetitions' objects of figures; cpu(object) is in seconds.
template <class Cpu>
Measurement summary(const std::vector<json>& runs, Cpu&& cpu) {
  Measurement result;
  std::vector<double> times;
  for (const json& run : runs) {
    times.push_back(cpu(run));
    result.memory = std::max(result.memory, run.at("peak_bytes").get<std::uint64_t>());
  }
  result.cpu = median(times);
  result.transfers = runs.front().at("transfers").get<std::uint64_t>();
  result.simulated = runs.front().at("simulated_ps").get<double>();
  return result;
}

}  // namespace

std::vector<std::string> Bench::engine(const std::vector<std::string>& more) const {
  std::vector<std::string> words = {directory_ / "engine_bench",
                                    "--benchmark_repetitions=" + std::to_string(kRepetitions)};
  words.insert(words.end(), options_.begin(), options_.end());
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

int Bench::pass_on() const {
  const Outcome outcome = run_child(engine({}));
  fmt::print("{}", outcome.output);
  return outcome.code;
}

std::string Bench::peer_way() const {
  const std::filesystem::path peer = directory_ / "simgrid_peer";
  return std::filesystem::exists(peer) ? run_child({peer, "--way"}).output : "";
}

std::vector<std::string> Bench::names() const {
  const Outcome outcome = run_child(engine({"--benchmark_list_tests=true"}));
  if (!outcome.good())
    throw InputError("these options are not Google Benchmark's", "see engine_bench --help",
                     "bench");
  std::vector<std::string> result;
  std::istringstream lines(outcome.output);
  for (std::string line; std::getline(lines, line);) result.push_back(line);
  return result;
}

Measurement Bench::measure(const std::string& name) const {
  const Outcome outcome =
      run_child(engine({"--benchmark_filter=^" + name + "$", "--benchmark_format=json"}));
  require(outcome.good(), name + " failed");
  const json report = json::parse(without_nan(outcome.output));
  std::vector<json> runs;
  for (const json& run : report.at("benchmarks"))
    if (run.at("run_type") == "iteration") runs.push_back(run);
  require(!runs.empty(), name + " gave no figures");
  return summary(runs, [](const json& run) { return run.at("cpu_time").get<double>() / 1e3; });
}

PeerMeasurement Bench::measure_peer(const std::string& work) const {
  PeerMeasurement result;
  std::vector<json> runs;
  for (int i = 0; i < kRepetitions; ++i) {
    const Outcome outcome = run_child({directory_ / "simgrid_peer", work});
    if (outcome.signal == SIGXCPU) return {true, {}};
    require(outcome.good(), "simgrid_peer " + work + " failed");
    runs.push_back(json::parse(outcome.output));
  }
  result.figures = summary(runs, [](const json& run) { return run.at("cpu_s").get<double>(); });
  return result;
}

}  // namespace syncsim::bench
