#pragma once
// How verdicts of `check` are written down: one file and one row each. What is written depends on
// the claims alone, never on clocks.
//   text    a table, sources and notes below it
//   json    one object: "claims", "passed", "failed", and "not_run" where a run was interrupted
//   junit   JUnit XML as CI servers read it: a testsuite a file, a testcase a claim
//   github  workflow commands of GitHub Actions: an ::error at the claim's line for each that
//   failed

#include <span>
#include <string>
#include <string_view>

#include "sim/base/named_table.h"
#include "sim/scenario/claims.h"

namespace syncsim {

struct VerdictFormat {
  std::string_view name;
  std::string_view description;
  std::string (*write)(std::span<const Claim> claims);
};

const NamedTable<VerdictFormat>& verdict_formats();

std::string claims_text(std::span<const Claim> claims);
std::string claims_json(std::span<const Claim> claims);
std::string claims_junit(std::span<const Claim> claims);
std::string claims_github(std::span<const Claim> claims);

struct Tally {
  explicit Tally(std::span<const Claim> claims);
  std::string text() const;  // "3 passed, 1 failed"; ", 2 not run"
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t not_run = 0;
};

// The claim's name, with its metric unless that is the time.
std::string claim_title(const Claim& claim);
// "15 ms +- 0.1 %".
std::string expected_text(const Claim& claim);
// "+2.5 %"; "-" where there is none.
std::string deviation_text(double deviation);
// "expected 15 ms +- 0.1 %, simulated 20.0000 ms (+33.33 %)".
std::string failure_text(const Claim& claim);

}  // namespace syncsim
