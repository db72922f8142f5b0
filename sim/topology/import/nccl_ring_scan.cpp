// Finds the statements of nccl_ring_log.h in text.

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text.h"
#include "sim/topology/import/nccl_ring_cursor.h"
#include "sim/topology/import/nccl_ring_log.h"
#include "sim/topology/import/nccl_rings.h"

namespace syncsim {
namespace {

// The number behind "nRanks" or "nranks"; 0: there is none.
int communicator_size(std::string_view line) {
  const std::size_t at = std::min(line.find("nRanks "), line.find("nranks "));
  if (at == line.npos) return 0;
  Cursor cursor{line.substr(at + 7)};
  return cursor.number(kMostLogRanks).value_or(0);
}

// Without the escape sequences that colour a terminal's text; no-break spaces are blanks.
std::string plain_text(std::string_view line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.substr(i).starts_with("\xc2\xa0")) {
      plain += ' ';
      ++i;
    } else if (line[i] != '\x1b') {
      plain += line[i];
    } else if (i + 1 < line.size() && line[i + 1] == '[') {
      for (i += 2; i < line.size() && (line[i] < '@' || line[i] > '~');) ++i;
    }
  }
  return plain;
}

// Whose log a line is: "host:123:456 [0]" before its "NCCL INFO", without a timestamp before that.
std::string_view thread_of(std::string_view line) {
  const std::size_t info = line.find("NCCL INFO");
  if (info == line.npos) return {};
  const std::string_view before = trimmed(line.substr(0, info));
  const std::size_t device = before.find_last_of(kBlanks);
  if (device == before.npos) return before;
  const std::size_t host = before.substr(0, device).find_last_of(kBlanks);
  return before.substr(host == before.npos ? 0 : host + 1);
}

class Scanner {
 public:
  Scanner(std::string_view text, int ranks)
      : rest_(text), ranks_(ranks), has_info_(text.find("NCCL INFO") != text.npos) {
    next_ = physical_line();
  }

  RingLog scan() {
    while (next_) {
      const int number = next_number_;
      read(joined_line(), number);
    }
    return std::move(log_);
  }

 private:
  // The statements of one thread whose communicator is not known yet, and the one that is.
  struct Thread {
    std::vector<std::size_t> open;
    std::vector<std::size_t> open_nets;
    int communicator = 0;
  };

  std::optional<std::string> physical_line() {
    if (rest_.empty()) return std::nullopt;
    ++next_number_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string line = plain_text(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }

  // A line with what was wrapped; line ends stay inside.
  std::string joined_line() {
    std::string line = std::move(*next_);
    next_ = physical_line();
    const bool may_go_on = line.find("Channel") != line.npos || line.find("Ring") != line.npos;
    while (may_go_on && next_ && ends_in_ranks(line) && is_only_ranks(*next_)) {
      line += '\n' + *next_;
      next_ = physical_line();
    }
    return line;
  }
  static bool ends_in_ranks(const std::string& line) {
    const std::size_t last = line.find_last_not_of(kBetween);
    return last != line.npos && (is_digit(line[last]) || line[last] == '>' || line[last] == ':');
  }
  static bool is_only_ranks(const std::string& line) {
    return line.find_first_not_of("0123456789-> \t\r") == line.npos &&
           std::any_of(line.begin(), line.end(), is_digit);
  }

  void read(const std::string& line, int number) {
    const std::size_t statements = log_.statements.size();
    const std::size_t nets = log_.nets.size();
    if (line.find('\n') == line.npos) {
      read_statements(line, number);
    } else {
      read_wrapped(line, number);
    }
    Thread& thread = threads_[std::string(thread_of(line))];
    for (std::size_t i = statements; i < log_.statements.size(); ++i)
      assign(log_.statements[i], thread, i, thread.open);
    for (std::size_t i = nets; i < log_.nets.size(); ++i)
      assign(log_.nets[i], thread, i, thread.open_nets);
    if (const int size = communicator_size(line)) close(thread, size, line);
  }

  template <class Statement>
  static void assign(Statement& statement, const Thread& thread, std::size_t number,
                     std::vector<std::size_t>& open) {
    if (statement.communicator == 0) statement.communicator = thread.communicator;
    if (statement.communicator == 0) open.push_back(number);
  }

  // "Init COMPLETE" comes after the rings, the other lines with a number of ranks before them.
  void close(Thread& thread, int size, const std::string& line) {
    const bool complete = line.find("COMPLETE") != line.npos;
    if (complete) {
      for (const std::size_t i : thread.open) log_.statements[i].communicator = size;
      for (const std::size_t i : thread.open_nets) log_.nets[i].communicator = size;
    }
    thread.open.clear();
    thread.open_nets.clear();
    thread.communicator = complete ? 0 : size;
  }

  // What the lines since some point have added.
  struct Tail {
    std::vector<RingStatement> statements;
    std::vector<int> ranks;
    int connection = 0;
  };
  Tail take_tail(std::size_t statements, std::size_t ranks) {
    Tail tail{
        {log_.statements.begin() + static_cast<std::ptrdiff_t>(statements), log_.statements.end()},
        {log_.ranks.begin() + static_cast<std::ptrdiff_t>(ranks), log_.ranks.end()},
        log_.connection};
    log_.statements.resize(statements);
    log_.ranks.resize(ranks);
    return tail;
  }
  void put_back(const Tail& tail) {
    log_.statements.insert(log_.statements.end(), tail.statements.begin(), tail.statements.end());
    log_.ranks.insert(log_.ranks.end(), tail.ranks.begin(), tail.ranks.end());
    log_.connection = tail.connection;
  }

  // Line ends are blanks, or stand inside of a number: what gives a list of the right length.
  void read_wrapped(const std::string& line, int number) {
    const std::size_t statements = log_.statements.size();
    const std::size_t ranks = log_.ranks.size();
    const auto is_whole = [&] {
      return log_.statements.size() > statements &&
             log_.statements.back().count == static_cast<std::size_t>(ranks_);
    };
    read_statements(line, number);
    if (log_.statements.size() == statements || log_.statements.back().is_hop || is_whole()) return;
    const Tail with_blanks = take_tail(statements, ranks);
    std::string glued = line;
    std::erase(glued, '\n');
    read_statements(glued, number);
    if (is_whole()) return;
    take_tail(statements, ranks);
    put_back(with_blanks);
  }

  // Each word is looked for once, however many there are.
  void read_statements(std::string_view line, int number) {
    std::size_t channel = line.find("Channel ");
    std::size_t ring = line.find("Ring ");
    for (std::size_t key = std::min(channel, ring); key != line.npos;
         key = std::min(channel, ring)) {
      const bool told = !has_info_ || is_after_info(line, key);
      const std::size_t at = key + (key == channel ? 8 : 5);
      if (told) read_statement(line.substr(at), number);
      if (key == channel) channel = line.find("Channel ", at);
      if (key == ring) ring = line.find("Ring ", at);
    }
  }
  static bool is_after_info(std::string_view line, std::size_t key) {
    const std::size_t last = key == 0 ? line.npos : line.find_last_not_of(kBlanks, key - 1);
    return last != line.npos && line.substr(0, last + 1).ends_with("INFO");
  }

  // "00/02 :    0   1   2   3"
  void read_statement(std::string_view text, int number) {
    Cursor cursor{text};
    RingStatement statement{.line = number, .first = log_.ranks.size()};
    cursor.skip_blanks();
    const std::optional<int> channel = cursor.number(kMostNcclChannels);
    if (!channel) return;
    statement.channel = *channel;
    if (cursor.take("/")) statement.channels = cursor.number(kMostNcclChannels + 1).value_or(0);
    cursor.skip_blanks();
    if (!cursor.take(":") || !take_ranks(cursor, statement)) {
      log_.ranks.resize(statement.first);
      return;
    }
    if (statement.is_hop) statement.communicator = communicator_size(cursor.rest);
    statement.count = log_.ranks.size() - statement.first;
    log_.statements.push_back(statement);
  }

  // Whether they make a statement.
  bool take_ranks(Cursor& cursor, RingStatement& statement) {
    int arrows = 0;
    for (;;) {
      const Rank rank = take_rank(cursor);
      if (rank.torn) return false;
      if (rank.number < 0) break;
      log_.ranks.push_back(rank.number);
      cursor.skip_blanks();
      if (cursor.take("->")) ++arrows;
    }
    const std::size_t count = log_.ranks.size() - statement.first;
    if (arrows == 1 && count == 2) take_connection(cursor.rest, statement);
    statement.is_hop = arrows == 2 && count == 3;
    return count > 0 && (arrows == 0 || statement.is_hop);
  }

  // Behind the two ranks: "[send] via NET/IB/3/GDRDMA".
  void take_connection(std::string_view text, const RingStatement& statement) {
    if (log_.connection == 0) log_.connection = statement.line;
    const std::size_t net = text.find("via NET/");
    const std::size_t number = net == text.npos ? net : text.find('/', net + 8);
    if (number == text.npos || statement.channels > 0) return;  // those of send and receive
    Cursor cursor{text.substr(number + 1)};
    if (cursor.rest.empty()) return;
    const bool sends = text.starts_with("[send]");
    if (!sends && !text.starts_with("[receive]")) return;
    if (const std::optional<int> nic = cursor.number(kMostLogRanks))
      log_.nets.push_back({statement.channel, 0, log_.ranks[statement.first],
                           log_.ranks[statement.first + 1], sends, *nic, statement.line});
  }

  std::string_view rest_;
  int ranks_;
  bool has_info_;
  std::optional<std::string> next_;
  int next_number_ = 0;
  RingLog log_;
  std::map<std::string, Thread> threads_;
};

}  // namespace

RingLog scan_ring_log(std::string_view text, int ranks) { return Scanner(text, ranks).scan(); }

}  // namespace syncsim
