#include "sim/base/error.h"

#include <utility>

namespace syncsim {
namespace {

std::string compose(const std::string& wrong, const std::string& right, const std::string& place) {
  std::string message = place.empty() ? wrong : place + ": " + wrong;
  if (!right.empty()) message += "; " + right;
  return message;
}

}  // namespace

InputError::InputError(std::string wrong, std::string right, std::string place)
    : std::runtime_error(compose(wrong, right, place)),
      wrong_(std::move(wrong)),
      right_(std::move(right)),
      place_(std::move(place)) {}

InputError InputError::at(std::string_view place) const {
  return place_.empty() ? InputError(wrong_, right_, std::string(place)) : *this;
}

void throw_internal(std::string_view message) { throw InternalError(std::string(message)); }

}  // namespace syncsim
