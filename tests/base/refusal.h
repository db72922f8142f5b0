#pragma once

#include <string>

#include "sim/base/error.h"

namespace syncsim::testing {

// The message with which `act` refuses its input.
template <class Act>
std::string refusal_of(const Act& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace syncsim::testing
