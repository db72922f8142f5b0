#pragma once
// How verdicts of `check` are written down: one file and one row each. What is written depends on
// the claims alone, never on clocks.
//   text    a table within a page, with places of what failed; sources and notes below it
//   json    one object: "claims", "passed", "failed", "not_run" where a run was interrupted, and
//           "errors" where files were refused
//   junit   JUnit XML as CI servers read it: a testsuite a file, a testcase a claim, or one with an
//           error; names within a file differ
//   github  workflow commands of GitHub Actions: an ::error at the claim's line for each that
//           failed, and at the place of what refuses a file

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/scenario/claims.h"

namespace syncsim {

// Why a file was not judged.
struct Refusal {
  std::string place;  // "claims/a.json:/expect/0", or of another file that it names; may be empty
  std::string error;  // what is wrong, and what would be right

  std::string text() const;
};

struct FileVerdict {
  std::string file;
  std::vector<Claim> claims;
  std::optional<Refusal> refusal = {};  // then there are no claims
};
using Verdicts = std::span<const FileVerdict>;

struct VerdictFormat {
  std::string_view name;
  std::string_view description;
  std::string (*write)(Verdicts verdicts);
};

const NamedTable<VerdictFormat>& verdict_formats();

std::string claims_text(Verdicts verdicts);
std::string claims_json(Verdicts verdicts);
std::string claims_junit(Verdicts verdicts);
std::string claims_github(Verdicts verdicts);

struct Tally {
  explicit Tally(Verdicts verdicts);
  std::string text() const;  // "3 passed, 1 failed"; ", 2 not run"; ", 1 file refused"
  std::size_t claims() const { return passed + failed + not_run; }
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t not_run = 0;
  std::size_t refused = 0;  // files
};

// The claim's name, with its metric unless that is the time.
std::string claim_title(const Claim& claim);
// "claims/a.json:/expect/3".
std::string place_of(const Claim& claim);
// "15 ms +- 0.1 %".
std::string expected_text(const Claim& claim);
// "+2.5 %"; "-" where there is none.
std::string deviation_text(double deviation);
// "expected 15 ms +- 0.1 %, simulated 20.0000 ms (+33.33 %)".
std::string failure_text(const Claim& claim);

}  // namespace syncsim
