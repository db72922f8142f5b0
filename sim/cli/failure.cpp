#include "sim/cli/failure.h"

#include <filesystem>
#include <new>
#include <stdexcept>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/cli/command.h"

namespace syncsim::cli {
namespace {

using Cause = Failure::Cause;

constexpr const char* kNoMemory = "out of memory; ask for fewer ranks, chunks or points";

}  // namespace

std::string Failure::text() const { return one_line(place.empty() ? error : place + ": " + error); }

int Failure::exit_code() const { return cause == Cause::ours ? kInternalError : kBadInput; }

Failure current_failure() {
  try {
    throw;
  } catch (const InputError& failure) {
    return {Cause::input, failure.place(), InputError(failure.wrong(), failure.right()).what()};
  } catch (const std::filesystem::filesystem_error& failure) {
    return {Cause::input, failure.path1().string(),
            "cannot be read: " + failure.code().message() + "; check the path and its permissions"};
  } catch (const std::bad_alloc&) {
    return {Cause::memory, "", kNoMemory};
  } catch (const std::length_error&) {  // more than a vector may ever hold
    return {Cause::memory, "", kNoMemory};
  } catch (const std::exception& failure) {
    return {Cause::ours, "", std::string("internal error: ") + failure.what()};
  }
}

}  // namespace syncsim::cli
