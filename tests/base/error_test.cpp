#include "sim/base/error.h"

#include <doctest/doctest.h>

namespace syncsim::error_test {
namespace {

TEST_CASE("an error's message is place: wrong - right") {
  const InputError error("\"16\" has no unit", "write \"16 GB/s\"", "f.json:/bandwidth");
  CHECK(std::string(error.what()) == R"(f.json:/bandwidth: "16" has no unit; write "16 GB/s")");
  CHECK(error.wrong() == R"("16" has no unit)");
  CHECK(error.right() == R"(write "16 GB/s")");
  CHECK(error.place() == "f.json:/bandwidth");
}

TEST_CASE("an error's message leaves out a missing place or remedy") {
  CHECK(std::string(InputError("it is wrong", "do right").what()) == "it is wrong; do right");
  CHECK(std::string(InputError("it is wrong", "", "here").what()) == "here: it is wrong");
  CHECK(std::string(InputError("it is wrong", "").what()) == "it is wrong");
}

TEST_CASE("an error without a place takes the one given, an error with a place keeps it") {
  const InputError error("it is wrong", "do right");
  CHECK(std::string(error.at("--bytes").what()) == "--bytes: it is wrong; do right");
  CHECK(error.at("--bytes").place() == "--bytes");
  CHECK(std::string(error.at("inner").at("outer").what()) == "inner: it is wrong; do right");
  CHECK(error.place() == "");
}

TEST_CASE("a broken invariant is an internal error with its own words, one that holds is silent") {
  CHECK_THROWS_WITH_AS(require(false, "ops are in order"), "ops are in order", InternalError);
  CHECK_NOTHROW(require(true, "ops are in order"));
}

}  // namespace
}  // namespace syncsim::error_test
