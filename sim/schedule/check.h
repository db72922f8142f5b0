#pragma once
// Proves that a schedule computes its collectives. Runs it symbolically, in dependency order:
// a chunk's state is (origin chunk, set of contributing ranks); what no rank contributes is empty.
// 1. Structure: indices in range, equal chunk sizes at both ends, edges between ops that share a
//    participant, collectives on disjoint chunks that lie each in one block where blocks matter.
// 2. No cycle over edges and lanes; else the cycle is printed.
// 3. A reduce adds disjoint sets of the same origin: no contribution twice.
// 4. No race: of two accesses to a chunk at one participant, one of them a write, one comes first
//    (directly, on one lane, or by a bounded search; a spent budget is a refusal). Reduces commute.
// 5. Postcondition: every holder ends with its own origin and every contributor exactly once.
// 6. Buffers flagged relaxed are exempt from 4. What was read from one may be any part of the sum
//    (5), if a relaxed chunk ends with the whole: each contribution reached it, by 3 only once.
// An op with a group counts as one op a member, all of the same order.
// (buffer, chunk) ids that ops link are grouped into independent columns, swept one by one.
// Exact mode keeps bitsets, O(ops x ranks / 64); fingerprint mode adds 128-bit random keys a rank
// (fixed seed), O(ops), and reruns a column that this does not prove exactly: both modes give the
// same verdict in the same words.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/watch.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

inline constexpr std::uint32_t kMostRanksExactly = 4'096;  // in automatic mode

enum class CheckMode : std::uint8_t { automatic, exact, fingerprint };

struct CheckOptions {
  CheckMode mode = CheckMode::automatic;    // exact up to kMostRanksExactly
  std::uint64_t search_budget = 1'000'000;  // ops visited for one race question
  Watch* watch = nullptr;
};

struct Violation {
  enum class Kind : std::uint8_t { structure, cycle, race, doubled, origin, missing, budget };
  Kind kind;
  std::string message;  // whole, names rank, chunk and ops
  ParticipantId participant = kNone;
  std::uint32_t chunk = kNone;
  OpId op = kNone;
};

std::string_view to_string(Violation::Kind kind);  // "race"

// Nothing when the schedule is proved. Throws Interrupted when the watch says so.
std::optional<Violation> check(const Schedule& schedule, const CheckOptions& options = {});

}  // namespace syncsim
