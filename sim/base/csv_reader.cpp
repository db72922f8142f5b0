#include "sim/base/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"

namespace syncsim {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

CsvReader::CsvReader(std::istream& input, std::string name)
    : input_(input), name_(std::move(name)), buffer_(kLongestLine + 2) {}

std::string CsvReader::place() const { return fmt::format("{}:{}", name_, line_); }

bool CsvReader::next() {
  while (next_line()) {
    const std::string_view line = trimmed({at_, end_});
    if (line.empty() || line.front() == '#') continue;
    split();
    return true;
  }
  return false;
}

bool CsvReader::next_line() {
  input_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  const auto taken = static_cast<std::size_t>(input_.gcount());
  if (input_.bad()) throw InputError("cannot be read to its end", "check the disk", name_);
  if (taken == 0) return false;
  ++line_;
  if (input_.fail())
    throw InputError(fmt::format("the line is longer than {} bytes", kLongestLine),
                     "end each record with a line break", place());
  at_ = buffer_.data();
  end_ = at_ + taken - (input_.eof() ? 0 : 1);  // the line break counts as taken
  if (end_ != at_ && end_[-1] == '\r') --end_;
  if (line_ == 1 && std::string_view(at_, end_).starts_with(kByteOrderMark))
    at_ += kByteOrderMark.size();
  return true;
}

void CsvReader::split() {
  fields_.clear();
  for (;;) {
    while (at_ != end_ && kBlanks.find(*at_) != kBlanks.npos) ++at_;
    if (at_ != end_ && *at_ == '"') {
      take_quoted();
    } else {
      take_plain();
    }
    if (at_ == end_) return;
    ++at_;  // the comma
  }
}

void CsvReader::take_plain() {
  char* const comma = std::find(at_, end_, ',');
  const std::string_view field = trimmed({at_, comma});
  if (field.find('"') != field.npos)
    throw InputError(
        fmt::format("field {}, {}, has a quote in it", fields_.size() + 1, in_quotes(field)),
        "put the whole field in quotes, and double the quotes in it", place());
  fields_.push_back(field);
  at_ = comma;
}

// Doubled quotes become one, in place.
void CsvReader::take_quoted() {
  char* const begin = ++at_;
  char* write = begin;
  for (;; ++at_) {
    if (at_ == end_)
      throw InputError(fmt::format("the quote of field {} is not closed", fields_.size() + 1),
                       "close it on the same line", place());
    if (*at_ == '"' && (++at_ == end_ || *at_ != '"')) break;
    *write++ = *at_;
  }
  char* const comma = std::find(at_, end_, ',');
  if (const std::string_view rest = trimmed({at_, comma}); !rest.empty())
    throw InputError(fmt::format("field {} goes on with {} behind its quote", fields_.size() + 1,
                                 in_quotes(rest)),
                     "double the quotes in a field, and end it with a comma", place());
  fields_.push_back({begin, write});
  at_ = comma;
}

}  // namespace syncsim
