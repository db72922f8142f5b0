#pragma once
// Runs the points of claim files, by any crew, and judges each file once its points are done. What
// it comes to does not depend on the crew.
//   1. Points are numbered through all files, in order.
//   2. The first point of a file that is refused refuses the file; later ones need not run.
//   3. A file's reports are kept until it is judged, of their links those that claims speak of.

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/check/claim_files.h"
#include "sim/cli/crew/crew.h"
#include "sim/cli/crew/progress_bar.h"
#include "sim/report/report.h"
#include "sim/scenario/verdicts/verdicts.h"

namespace syncsim::cli {

class ClaimRunner : public Desk {
 public:
  // `audit`: check the engine after every event; `draws`: a bar, on a terminal.
  ClaimRunner(std::vector<ClaimFile> files, bool audit, bool draws);

  // Of all files. What an interrupt left undone is claimed as not run.
  void run(Crew& crew, const MemoryLimit& memory);

  const std::vector<FileVerdict>& verdicts() const { return verdicts_; }
  // Why files were refused, in their order.
  const std::vector<Failure>& failures() const { return failures_; }

  void take(Outcome outcome) override;
  void look() override { bar_.look(progress_); }
  void give_up() override { bar_.end(); }

 private:
  struct File {
    explicit File(ClaimFile file);

    std::string path;
    std::optional<Scenario> scenario;  // none: it cannot be read
    std::optional<Failure> failure;
    std::size_t first_number = 0;  // of its points
    std::size_t missing = 0;       // points that are not done
    std::vector<Report> reports;
    std::vector<std::optional<Failure>> point_failures;
    std::atomic<std::size_t> first_failed;  // the point, so far
    std::vector<Claim> claims = {};
  };

  Outcome run_one(std::size_t number, const MemoryLimit& memory, Watch& watch);
  static void judge_whole(File& file);
  void tell(File& file);

  bool audit_;
  std::deque<File> files_;
  std::vector<File*> owners_;  // of the points, by number
  SweepProgress progress_;
  ProgressBar bar_;
  std::vector<FileVerdict> verdicts_;
  std::vector<Failure> failures_;
};

}  // namespace syncsim::cli
