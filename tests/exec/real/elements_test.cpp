// Sums of elements against plain arithmetic, and what ranks contribute.

#include "sim/exec/real/elements.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/exec/real/contributions.h"
#include "sim/schedule/collective.h"

namespace syncsim::elements_test {
namespace {

std::int64_t sum(const ElementType& type, std::int64_t a, std::int64_t b) {
  std::vector<std::byte> left(type.size);
  std::vector<std::byte> right(type.size);
  type.store(left.data(), a);
  type.store(right.data(), b);
  type.add(left.data(), right.data(), type.size);
  return type.load(left.data());
}

}  // namespace

TEST_CASE("there is arithmetic for every datatype, of its size") {
  CHECK(element_types().names() == datatypes().names());
  for (const DatatypeRow& datatype : datatypes().rows())
    CHECK(static_cast<std::int64_t>(element_types().at(datatype.name).size) == datatype.size);
}

TEST_CASE("whole numbers add up exactly to the datatype's limit, and round to even beyond it") {
  for (const ElementType& type : element_types().rows()) {
    const std::int64_t most = type.most_exact == 0 ? 127 : type.most_exact;
    for (const std::int64_t a : {std::int64_t{0}, std::int64_t{1}, most / 3, most - 5})
      for (const std::int64_t b : {std::int64_t{0}, std::int64_t{5}})
        CHECK_MESSAGE(sum(type, a, b) == a + b, type.name);
    CHECK_MESSAGE(sum(type, 7, -9) == -2, type.name);
  }
  CHECK(sum(element_types().at("int8"), 127, 1) == -128);
  CHECK(sum(element_types().at("bfloat16"), 256, 1) == 256);
  CHECK(sum(element_types().at("bfloat16"), 256, 3) == 260);
  CHECK(sum(element_types().at("float16"), 2048, 1) == 2048);
  CHECK(sum(element_types().at("float16"), 2048, 3) == 2052);
}

TEST_CASE("halves have the bits that IEEE 754 gives them") {
  const ElementType& half = element_types().at("float16");
  const std::pair<std::int64_t, std::uint16_t> known[] = {
      {0, 0}, {1, 0x3c00}, {-2, 0xc000}, {2048, 0x6800}, {65'504, 0x7bff}, {70'000, 0x7c00}};
  for (const auto& [value, bits] : known) {
    std::uint16_t found = 0;
    half.store(reinterpret_cast<std::byte*>(&found), value);
    CHECK(found == bits);
  }
}

TEST_CASE("contributions tell ranks apart, and their sums are exact") {
  for (const ElementType& type : element_types().rows())
    for (const std::uint32_t ranks : {1u, 7u, 200u, 1000u}) {
      const Contributions made(ranks, type, 1'000);
      std::int64_t largest = 0;
      bool differ = ranks == 1;
      for (std::int64_t element = 0; element < 1'000; ++element) {
        std::int64_t all = 0;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
          all += made.value(rank, element);
          differ = differ || made.value(rank, element) != made.value(0, element);
        }
        largest = std::max(largest, all);
        if (type.most_exact != 0) CHECK(made.value(kNone, element) == all);
      }
      if (type.most_exact != 0) CHECK(largest <= type.most_exact);
      CHECK_MESSAGE((differ || type.most_exact / ranks == 1), type.name << " " << ranks);
    }
}

TEST_CASE("the first wrong element is found wherever it lies") {
  const ElementType& type = element_types().at("int32");
  const Contributions made(3, type, 20'000);
  std::vector<std::byte> data(10'000 * type.size);
  made.write(1, {5'000, 10'000}, data.data());
  CHECK(!made.first_wrong(1, {5'000, 10'000}, data.data()));
  CHECK(made.first_wrong(2, {5'000, 10'000}, data.data()));
  for (const std::int64_t element : {14'999, 9'185, 9'184, 5'000}) {
    type.store(data.data() + static_cast<std::size_t>(element - 5'000) * type.size, -1);
    CHECK(made.first_wrong(1, {5'000, 10'000}, data.data()) == element);
  }
}

}  // namespace syncsim::elements_test
