#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "sim/base/quote.h"
#include "sim/base/whole_file.h"
#include "sim/cli/sweep/rows.h"

namespace syncsim::cli {
namespace {

constexpr const char* kOut = "--out";

InputError unwritable(const std::string& path) {
  const std::error_code why(errno == 0 ? EIO : errno, std::generic_category());
  return {fmt::format("{} cannot be written: {}", in_quotes(path), why.message()),
          "mend that, and go on with --resume", kOut};
}

bool may_run_now(RefusedBy refusal) {
  return refusal == RefusedBy::memory || refusal == RefusedBy::program;
}

int opened(const std::string& path, bool resume) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (path.empty() || (exists(status) && !is_regular_file(status)))
    throw InputError(in_quotes(path) + " is no file", "name a file to write", kOut);
  if (exists(status) && !resume)
    throw InputError(in_quotes(path) + " is there already",
                     "name another file, or go on with this one by --resume", kOut);
  errno = 0;
  const int file =
      ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | (resume ? 0 : O_EXCL), 0666);
  if (file < 0) throw unwritable(path);
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  ::close(file);
  throw InputError(in_quotes(path) + " is being written by another sweep",
                   "wait for it, or name another file", kOut);
}

}  // namespace

RowFile::RowFile(const std::string& path, const SweepFormat& format, std::size_t points,
                 DigestOf digest_of, bool resume)
    : path_(path),
      format_(format),
      head_(format.head()),
      digest_of_(std::move(digest_of)),
      rows_(points),
      file_(opened(path, resume)) {
  try {
    take_over();
    if (size_ == 0 && !head_.empty()) append(head_);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

RowFile::~RowFile() { ::close(file_); }

// Notes the rows that are there; cuts off a torn one, once all others turned out to be ours.
void RowFile::take_over() {
  std::ifstream stream(path_, std::ios::binary);
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (stream.eof()) {
      check_torn(line);
      break;
    }
    const bool is_head = number == 1 && !head_.empty();
    if (!is_head) {
      take_row(line, number);
    } else if (line + "\n" != head_) {
      throw InputError("does not begin as a sweep's file does", "name another file", path_ + ":1");
    }
    size_ += line.size() + 1;
  }
  if (::ftruncate(file_, static_cast<off_t>(size_)) != 0) throw unwritable(path_);
}

void RowFile::take_row(const std::string& line, std::size_t line_number) {
  const std::string place = fmt::format("{}:{}", path_, line_number);
  const std::optional<WrittenRow> row = format_.read(line);
  if (!row) throw InputError("is no row of a sweep", "name another file", place);
  if (row->number >= rows_.size() || row->digest != digest_of_(row->number))
    throw InputError(
        fmt::format("point {} is not the one of this sweep", row->number),
        "name another file, or give the scenario, its files and --no-check as they were", place);
  Extent& extent = rows_[row->number];
  if (extent.size > 0)
    throw InputError(fmt::format("point {} stands here a second time", row->number),
                     "take one of the rows out", place);
  outdated_ = outdated_ || may_run_now(row->refused_by);
  if (may_run_now(row->refused_by)) return;
  extent = {size_, line.size() + 1};
  if (row->refused_by == RefusedBy::input) ++refused_;
}

// A file of somebody else's is not cut.
void RowFile::check_torn(const std::string& text) const {
  constexpr std::string_view kRow = "{\"point\":";
  const std::string_view begin = head_.empty() ? kRow : std::string_view(head_);
  const bool ours = size_ > 0 || begin.starts_with(text) || text.starts_with(begin);
  if (!ours)
    throw InputError("does not begin as a sweep's file does", "name another file", path_ + ":1");
}

void RowFile::add(std::size_t number, const std::string& row) {
  const std::uint64_t offset = size_;
  append(row);
  rows_[number] = {offset, row.size()};
}

void RowFile::append(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    errno = 0;
    const ssize_t written = ::write(file_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const InputError failure = unwritable(path_);
      [[maybe_unused]] const int cut = ::ftruncate(file_, static_cast<off_t>(size_));
      throw failure;
    }
    done += static_cast<std::size_t>(written);
  }
  size_ += text.size();
}

std::string RowFile::read(const Extent& extent) const {
  std::string text(extent.size, '\0');
  const ssize_t size = ::pread(file_, text.data(), text.size(), static_cast<off_t>(extent.offset));
  if (size != static_cast<ssize_t>(text.size()))
    throw InputError(in_quotes(path_) + " cannot be read back", "check the disk", kOut);
  return text;
}

void RowFile::finish(bool whole) {
  bool in_order = !outdated_;
  for (std::size_t i = 1; i < rows_.size(); ++i)
    in_order = in_order && rows_[i - 1].offset < rows_[i].offset;
  if (!whole || in_order) return;
  placed([] { return kOut; },
         [&] {
           WholeFile sorted(path_);
           sorted.stream() << head_;
           for (const Extent& extent : rows_) sorted.stream() << read(extent);
           sorted.finish();
         });
}

}  // namespace syncsim::cli
