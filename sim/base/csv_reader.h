#pragma once
// Comma-separated values as RFC 4180 has them, one record a line, read as a stream.
//   - Lines end with LF or CRLF; a byte order mark is passed over, and so are blank lines and lines
//     that begin with '#'.
//   - Blanks around a field do not count. A field in double quotes may hold commas, blanks and
//     doubled quotes, but no line break.
// Refused, at "FILE:LINE": a quote that is not closed or stands in the middle of a field, a line
// over kLongestLine, a stream that breaks off.

#include <cstddef>
#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace syncsim {

class CsvReader {
 public:
  static constexpr std::size_t kLongestLine = 1 << 16;  // bytes

  // `name` begins the places of its errors. The stream must outlive the reader.
  CsvReader(std::istream& input, std::string name);

  // Goes on to the next record; false at the end.
  bool next();
  // Of the record; valid until the next call of next().
  std::span<const std::string_view> fields() const { return fields_; }
  std::uint64_t line() const { return line_; }  // counted from 1
  const std::string& name() const { return name_; }
  std::string place() const;  // "flows.csv:3"

 private:
  bool next_line();
  void split();
  void take_plain();
  void take_quoted();

  std::istream& input_;
  std::string name_;
  std::uint64_t line_ = 0;
  std::vector<char> buffer_;
  char* at_ = nullptr;  // what is left of the line
  char* end_ = nullptr;
  std::vector<std::string_view> fields_;
};

}  // namespace syncsim
