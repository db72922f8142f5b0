// Puts the statements of a log together into rings.

#include "sim/topology/import/nccl_ring_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "sim/base/error.h"

namespace syncsim {
namespace {

// The fewest ranks of a list that NCCL cut: 20, the last of them torn.
constexpr std::size_t kFewestCut = 19;
constexpr const char* kOneRun = "keep the lines of one communicator and one run";
constexpr const char* kAllRanks =
    "give the output of all ranks with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH, or what "
    "NCCL_GRAPH_DUMP_FILE wrote";

// One step of a channel's ring.
struct Step {
  int channel = 0;
  int from = 0;
  int to = 0;
  int line = 0;
  friend auto operator<=>(const Step&, const Step&) = default;
};

class Assembly {
 public:
  Assembly(const RingLog& log, const std::string& file, int ranks)
      : log_(log), file_(file), ranks_(ranks) {
    for (const RingStatement& statement : log.statements)
      if (is_of_run(statement.communicator)) add(statement);
    std::sort(steps_.begin(), steps_.end());
  }

  std::vector<Ring> rings(const RingRanks& ranks) const {
    std::vector<Ring> result;
    for (std::vector<int>& order : orders()) result.push_back({std::move(order)});
    if (!ranks.nics.empty()) add_nics(ranks, result);
    return result;
  }

 private:
  bool is_of_run(int communicator) const { return communicator == 0 || communicator == ranks_; }

  std::vector<std::vector<int>> orders() const {
    if (steps_.empty()) throw no_ring();
    std::vector<std::vector<int>> result;
    for (std::span<const Step> left = steps_; !left.empty();) {
      const int channel = left.front().channel;
      if (channel != static_cast<int>(result.size())) throw missing(result.size());
      const auto end = std::find_if(left.begin(), left.end(),
                                    [&](const Step& step) { return step.channel != channel; });
      const auto count = static_cast<std::size_t>(end - left.begin());
      result.push_back(turn(left.first(count)));
      left = left.subspan(count);
    }
    if (result.size() < static_cast<std::size_t>(channels_)) throw missing(result.size());
    return result;
  }

  // Of a channel's step, at its sender and its receiver.
  void add_nics(const RingRanks& ranks, std::vector<Ring>& rings) const {
    std::map<std::tuple<int, int, int, bool>, const NetStatement*> first;
    for (const NetStatement& net : log_.nets)
      if (is_of_run(net.communicator))
        first.try_emplace({net.channel, net.from, net.to, net.sends}, &net);
    for (std::size_t channel = 0; channel < rings.size(); ++channel) {
      Ring& ring = rings[channel];
      const std::size_t size = ring.order.size();
      ring.nics.resize(size);
      const auto nic_of = [&](std::size_t i, bool sends) {
        const auto step = std::tuple(static_cast<int>(channel), ring.order[i % size],
                                     ring.order[(i + 1) % size], sends);
        const auto net = first.find(step);
        return net == first.end() ? -1 : number_of(*net->second, ranks);
      };
      for (std::size_t i = 0; i < size; ++i) {
        ring.nics[i].out = nic_of(i, true);
        ring.nics[(i + 1) % size].in = nic_of(i, false);
      }
    }
  }

  int number_of(const NetStatement& net, const RingRanks& ranks) const {
    return placed([&] { return place(net.line); },
                  [&] { return nic_number(net.nic, net.sends ? net.from : net.to, ranks); });
  }

  std::string place(int line) const { return fmt::format("{}:{}", file_, line); }

  std::span<const int> ranks_of(const RingStatement& statement) const {
    return std::span(log_.ranks).subspan(statement.first, statement.count);
  }

  void add(const RingStatement& statement) {
    const auto all = static_cast<std::size_t>(ranks_);
    const bool is_cut = statement.count >= kFewestCut && statement.count < all;
    if (!statement.is_hop && statement.count != all && !is_cut) {
      if (statement.communicator == 0) return;  // taken for another communicator's
      throw InputError(fmt::format("channel {} names {} of {} ranks", statement.channel,
                                   statement.count, ranks_),
                       "give the line as NCCL printed it", place(statement.line));
    }
    require_known(statement);
    require_agreement(statement);
    const std::span<const int> ranks = ranks_of(statement);
    const std::size_t steps = ranks.size() - (is_cut ? 2 : 1);  // what was cut may be torn
    for (std::size_t i = 0; i < steps; ++i) add_step(statement, ranks[i], ranks[i + 1]);
    if (statement.is_hop || is_cut) return;
    require_once(statement);
    add_step(statement, ranks.back(), ranks.front());
  }

  void add_step(const RingStatement& statement, int from, int to) {
    steps_.push_back({statement.channel, from, to, statement.line});
  }

  void require_known(const RingStatement& statement) const {
    for (const int rank : ranks_of(statement))
      if (rank >= ranks_)
        throw InputError(fmt::format("channel {} names rank {}, but the run's ranks are 0 to {}",
                                     statement.channel, rank, ranks_ - 1),
                         "choose as many ranks as ran, or keep the lines of one communicator",
                         place(statement.line));
  }

  // A list that names one rank twice leaves out another.
  void require_once(const RingStatement& statement) const {
    std::vector<int> times(statement.count);
    for (const int rank : ranks_of(statement)) ++times[static_cast<std::size_t>(rank)];
    const auto missing = std::find(times.begin(), times.end(), 0);
    if (missing == times.end()) return;
    const auto twice =
        std::find_if(times.begin(), times.end(), [](int count) { return count > 1; });
    throw InputError(fmt::format("channel {} names rank {} twice, and rank {} not at all",
                                 statement.channel, twice - times.begin(), missing - times.begin()),
                     "give the line as NCCL printed it", place(statement.line));
  }

  void require_agreement(const RingStatement& statement) {
    if (statement.channels == 0) return;
    if (channels_ != 0 && statement.channels != channels_)
      throw InputError(fmt::format("there are {} channels here, and {} in line {}",
                                   statement.channels, channels_, channels_line_),
                       kOneRun, place(statement.line));
    if (channels_ == 0) channels_line_ = statement.line;
    channels_ = statement.channels;
  }

  // The ring of one channel's steps.
  std::vector<int> turn(std::span<const Step> steps) const {
    const std::vector<Step> next = firsts(steps);
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks_); ++rank)
      if (rank >= next.size() || next[rank].from != static_cast<int>(rank))
        throw InputError(fmt::format("nothing says which rank follows rank {} in channel {}", rank,
                                     steps.front().channel),
                         kAllRanks, file_);
    require_one_way(next);
    std::vector<int> order{0};
    for (int rank = next[0].to; rank != 0; rank = next[static_cast<std::size_t>(rank)].to)
      order.push_back(rank);
    if (order.size() < next.size())
      throw InputError(fmt::format("channel {} comes back to rank 0 after {} of {} ranks",
                                   next[0].channel, order.size(), ranks_),
                       kOneRun, place(next[0].line));
    return order;
  }

  // No rank follows two.
  void require_one_way(const std::vector<Step>& next) const {
    std::vector<const Step*> to(next.size());
    for (const Step& step : next) {
      const Step*& other = to[static_cast<std::size_t>(step.to)];
      if (other != nullptr)
        throw InputError(fmt::format("channel {} goes to rank {} from rank {}, and from rank {} in "
                                     "line {}",
                                     step.channel, step.to, step.from, other->from, other->line),
                         kOneRun, place(step.line));
      other = &step;
    }
  }

  // One step from each rank; what is said again must agree.
  std::vector<Step> firsts(std::span<const Step> steps) const {
    std::vector<Step> next;
    for (const Step& step : steps) {
      if (next.empty() || next.back().from != step.from) {
        next.push_back(step);
      } else if (next.back().to != step.to) {
        const auto [earlier, later] = std::minmax(
            next.back(), step, [](const Step& a, const Step& b) { return a.line < b.line; });
        throw InputError(fmt::format("channel {} goes from rank {} to rank {} here, and to rank {} "
                                     "in line {}",
                                     step.channel, step.from, later.to, earlier.to, earlier.line),
                         kOneRun, place(later.line));
      }
    }
    return next;
  }

  InputError missing(std::size_t channel) const {
    return {channels_ == 0 ? fmt::format("channel {} is missing", channel)
                           : fmt::format("channel {} of {} is missing", channel, channels_),
            "give the whole log", file_};
  }

  InputError no_ring() const {
    const std::string wrong = fmt::format("holds no ring of {} ranks", ranks_);
    if (!log_.statements.empty()) {
      const RingStatement& other = log_.statements.front();
      if (other.communicator != 0)
        return {fmt::format("{}, but of {} in line {}", wrong, other.communicator, other.line),
                "choose as many ranks as ran", file_};
      return {fmt::format("{}, but of {} in line {}", wrong, other.count, other.line),
              "choose as many ranks as ran", file_};
    }
    if (log_.connection != 0)
      return {fmt::format("{}: connections as in line {} are of rings and trees alike", wrong,
                          log_.connection),
              kAllRanks, file_};
    return {wrong, "run the job with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH", file_};
  }

  const RingLog& log_;
  const std::string& file_;
  int ranks_;
  std::vector<Step> steps_;
  int channels_ = 0;  // as the lists say
  int channels_line_ = 0;
};

}  // namespace

std::vector<Ring> log_rings(const RingLog& log, const std::string& file, const RingRanks& ranks) {
  return Assembly(log, file, ranks.count).rings(ranks);
}

}  // namespace syncsim
