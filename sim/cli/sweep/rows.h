#pragma once
// Where a sweep's rows go.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/sweep_row.h"

namespace syncsim::cli {

class Rows {
 public:
  virtual ~Rows() = default;
  // Of an earlier sweep that this one goes on with: whether it wrote the point, and how many of its
  // rows say why their point was refused. What may run now (RefusedBy) is as if it were not
  // written.
  virtual bool has(std::size_t) const { return false; }
  virtual std::size_t refused() const { return 0; }
  virtual void add(std::size_t number, const std::string& row) = 0;
  virtual void finish(bool whole) = 0;  // whole: no point is missing
};

// Standard output, in order of the points: a row waits for those before it. As JSON they are the
// list "points" of one object.
class PrintedRows : public Rows {
 public:
  PrintedRows(const SweepFormat& format, bool as_json) : format_(format), as_json_(as_json) {}

  void add(std::size_t number, const std::string& row) override;
  void finish(bool whole) override;

 private:
  void print(const std::string& row);

  const SweepFormat& format_;
  bool as_json_;
  bool begun_ = false;
  std::size_t next_ = 0;
  std::map<std::size_t, std::string> waiting_;
};

// The digest of a point, by its number.
using DigestOf = std::function<std::string(std::size_t number)>;

// A file that grows by whole rows, each with one write, in order of completion; once none is
// missing it is put into the order of points. Whatever ends the program leaves whole rows, and at
// most one torn one at the end, which is dropped when the sweep is resumed. A row of what is run
// again then stays until the file is put in order. Locked, so that no two write at once. Throws
// InputError at --out.
class RowFile : public Rows {
 public:
  // Without `resume` there must be no such file; with it, one of the same points, or none.
  RowFile(const std::string& path, const SweepFormat& format, std::size_t points,
          DigestOf digest_of, bool resume);
  ~RowFile() override;
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  bool has(std::size_t number) const override { return rows_[number].size > 0; }
  std::size_t refused() const override { return refused_; }
  void add(std::size_t number, const std::string& row) override;
  void finish(bool whole) override;

 private:
  struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };

  void take_over();
  void take_row(const std::string& line, std::size_t line_number);
  void check_torn(const std::string& text) const;
  void append(const std::string& text);
  std::string read(const Extent& extent) const;

  std::string path_;
  const SweepFormat& format_;
  std::string head_;
  DigestOf digest_of_;
  std::vector<Extent> rows_;
  bool outdated_ = false;  // some rows are of points that are run again
  std::size_t refused_ = 0;
  std::uint64_t size_ = 0;
  int file_ = -1;
};

}  // namespace syncsim::cli
