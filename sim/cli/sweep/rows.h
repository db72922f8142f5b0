#pragma once
// Where a sweep's rows go.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sim/scenario/sweep_row.h"

namespace syncsim::cli {

class Rows {
 public:
  virtual ~Rows() = default;
  // Of an earlier sweep that this one goes on with: whether it wrote the point, and how many of its
  // rows say why their point was refused.
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

// A file that grows by whole rows, each with one write, in order of completion; once none is
// missing it is put into the order of points. Whatever ends the program leaves whole rows, and at
// most one torn one at the end, which is dropped when the sweep is resumed. Locked, so that no
// two write at once. Throws InputError at --out.
class RowFile : public Rows {
 public:
  // Without `resume` there must be no such file; with it, one of the same points, or none.
  RowFile(const std::string& path, const SweepFormat& format, std::span<const Point> points,
          bool resume);
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
  std::span<const Point> points_;
  std::vector<Extent> rows_;
  std::size_t refused_ = 0;
  std::uint64_t size_ = 0;
  int file_ = -1;
};

}  // namespace syncsim::cli
