#pragma once
// The messages with which things fail, for comparing them whole.

#include <string>

#include "sim/base/error.h"

namespace syncsim::testing {

// The message with which `act` refuses the user's input; "accepted" when it does not.
template <class Act>
std::string refusal_of(const Act& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// The message with which `act` finds a broken invariant; "sound" when it does not.
template <class Act>
std::string failure_of(const Act& act) {
  try {
    act();
  } catch (const InternalError& error) {
    return error.what();
  }
  return "sound";
}

}  // namespace syncsim::testing
