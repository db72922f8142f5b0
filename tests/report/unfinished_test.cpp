#include "sim/report/unfinished.h"

#include <doctest/doctest.h>

namespace syncsim::unfinished_test {

TEST_CASE("what an emission comes to is foretold, what is simulated is known") {
  CHECK(progress_so_far({Stage::emitting, 4'096, 10'000, {}}, "ops") ==
        "while emitting: 4096 of about 10000 ops done");
  CHECK(progress_so_far({Stage::simulating, 4'096, 10'000, Time{1'000'000}}, "ops") ==
        "while simulating: 4096 of 10000 ops done, 1.0000 us simulated");
  CHECK(progress_so_far({Stage::reading, 7, 0, {}}, "flows") == "while reading: 7 flows done");
}

}  // namespace syncsim::unfinished_test
