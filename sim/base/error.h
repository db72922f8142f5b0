#pragma once
// The two ways to fail. InputError: something the user wrote is wrong; one line that names the
// place, what is wrong and what would be right; exit code 2. InternalError: an invariant of ours
// does not hold; exit code 3. Both are caught in sim/cli only.

#include <stdexcept>
#include <string>
#include <string_view>

namespace syncsim {

class InputError : public std::runtime_error {
 public:
  // `wrong` and `right` are phrases without a final stop; `place` is "file.json:/links/3" or
  // "--bytes", empty while it is not known yet. what() is "place: wrong; right".
  InputError(std::string wrong, std::string right, std::string place = "");

  const std::string& wrong() const { return wrong_; }
  const std::string& right() const { return right_; }
  const std::string& place() const { return place_; }

  // The same error with its place filled in; an error that already has a place keeps it.
  InputError at(std::string_view place) const;

 private:
  std::string wrong_;
  std::string right_;
  std::string place_;
};

// Runs `act` and gives its InputErrors the place that `place()` says, when they have none.
template <class Place, class Act>
decltype(auto) placed(Place&& place, Act&& act) {
  try {
    return act();
  } catch (const InputError& failure) {
    throw failure.at(place());
  }
}

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void throw_internal(std::string_view message);

// Throws InternalError(message) unless `holds`. Stays on in release builds.
inline void require(bool holds, std::string_view message) {
  if (!holds) [[unlikely]]
    throw_internal(message);
}

}  // namespace syncsim
