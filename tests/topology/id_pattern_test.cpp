#include "sim/topology/id_pattern.h"

#include <doctest/doctest.h>

#include "sim/topology/id_range.h"

namespace syncsim::id_pattern_test {
namespace {

using Texts = std::vector<std::string>;

Texts packed(const Texts& ids) { return compressed({ids.begin(), ids.end()}); }

// expand(compressed(ids)) == ids is the law; the texts are what it takes.
void check(const Texts& texts) {
  Texts ids;
  for (const std::string& text : texts)
    for (std::string& id : expand_range(text)) ids.push_back(std::move(id));
  CHECK(packed(ids) == texts);
}

}  // namespace

TEST_CASE("compressing undoes expanding") {
  check({"gpu[0-7]"});
  check({"gpu[0-7]", "plx[0-3]", "cpu0"});
  check({"node[0-127]/gpu[0-7]"});
  check({"a[1-2]b[3-5]c[7-9]d"});
  check({"gpu3", "gpu[0-1]"});
  check({"gpu[9-12]"});
  check({"switch"});
}

TEST_CASE("only neighbours that count up by one merge, so that order stays") {
  CHECK(packed({"gpu0", "gpu2", "gpu3"}) == Texts{"gpu0", "gpu[2-3]"});
  CHECK(packed({"gpu1", "gpu0"}) == Texts{"gpu1", "gpu0"});
  CHECK(packed({"gpu0", "nic0", "gpu1"}) == Texts{"gpu0", "nic0", "gpu1"});
  CHECK(packed({"gpu0x", "gpu1y"}) == Texts{"gpu0x", "gpu1y"});
}

TEST_CASE("the last number counts fastest") {
  CHECK(packed({"a0b0", "a0b1", "a1b0", "a1b1"}) == Texts{"a[0-1]b[0-1]"});
  CHECK(packed({"a0b0", "a1b0", "a0b1", "a1b1"}) == Texts{"a[0-1]b0", "a[0-1]b1"});
}

TEST_CASE("numbers that a range would print otherwise stay as they are") {
  CHECK(packed({"gpu00", "gpu01"}) == Texts{"gpu00", "gpu01"});
  CHECK(packed({"gpu09", "gpu10"}) == Texts{"gpu09", "gpu10"});
  CHECK(packed({"gpu1234567890", "gpu1234567891"}) == Texts{"gpu1234567890", "gpu1234567891"});
  CHECK(packed({"a01b0", "a01b1"}) == Texts{"a01b[0-1]"});
}

TEST_CASE("a text stays as short as an id may be") {
  const std::string long_id(kLongestId - 1, 'x');
  CHECK(packed({long_id + "0", long_id + "1"}) == Texts{long_id + "0", long_id + "1"});
}

}  // namespace syncsim::id_pattern_test
