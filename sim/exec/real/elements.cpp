#include "sim/exec/real/elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace syncsim {
namespace {

// Branches would keep the compiler from vectorising: both forms of a number are worked out.
float widened(std::uint16_t half) {
  const std::uint32_t word = std::uint32_t{half} << 16;
  const std::uint32_t twice = word + word;
  const float normal = std::bit_cast<float>((twice >> 4) + (0xe0u << 23)) * 0x1.0p-112f;
  const float subnormal = std::bit_cast<float>((twice >> 17) | (126u << 23)) - 0.5f;
  const std::uint32_t magnitude =
      std::bit_cast<std::uint32_t>(twice < (1u << 27) ? subnormal : normal);
  return std::bit_cast<float>((word & 0x80000000u) | magnitude);
}

std::uint16_t halved(float value) {
  const auto word = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t twice = word + word;
  const std::uint32_t bias = std::max(twice & 0xff000000u, 0x71000000u);
  const float rounded = std::bit_cast<float>((bias >> 1) + 0x07800000u) +
                        std::fabs(value) * 0x1.0p+112f * 0x1.0p-110f;
  const auto bits = std::bit_cast<std::uint32_t>(rounded);
  const std::uint32_t finite = ((bits >> 13) & 0x7c00u) + (bits & 0x0fffu);
  return static_cast<std::uint16_t>((word & 0x80000000u) >> 16 |
                                    (twice > 0xff000000u ? 0x7e00u : finite));
}

struct Float16 {
  std::uint16_t bits = 0;
  Float16() = default;
  explicit Float16(float value) : bits(halved(value)) {}
  explicit operator float() const { return widened(bits); }
};

struct Bfloat16 {
  std::uint16_t bits = 0;
  Bfloat16() = default;
  explicit Bfloat16(float value) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    bits = static_cast<std::uint16_t>((word + 0x7fffu + (word >> 16 & 1u)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};

template <class T>
constexpr bool kIsShort = std::is_same_v<T, Float16> || std::is_same_v<T, Bfloat16>;

template <class T>
T sum_of(T a, T b) {
  if constexpr (kIsShort<T>)
    return T(static_cast<float>(a) + static_cast<float>(b));
  else
    return static_cast<T>(a + b);
}

template <class T>
void add(std::byte* sum, const std::byte* addend, std::size_t bytes) {
  T* const __restrict to = reinterpret_cast<T*>(sum);
  const T* const __restrict from = reinterpret_cast<const T*>(addend);
  for (std::size_t i = 0; i < bytes / sizeof(T); ++i) to[i] = sum_of(to[i], from[i]);
}

template <class T>
void store(std::byte* at, std::int64_t value) {
  T element;
  if constexpr (kIsShort<T>)
    element = T(static_cast<float>(value));
  else
    element = static_cast<T>(value);
  std::memcpy(at, &element, sizeof element);
}

// Signed as the datatype is; the sums are of unsigned numbers, which wrap.
template <class T>
std::int64_t load(const std::byte* at) {
  T element;
  std::memcpy(&element, at, sizeof element);
  if constexpr (kIsShort<T>)
    return std::llround(static_cast<float>(element));
  else if constexpr (std::is_floating_point_v<T>)
    return std::llround(element);
  else
    return static_cast<std::make_signed_t<T>>(element);
}

template <class T>
ElementType row(std::string_view name, std::string_view description, std::int64_t most_exact) {
  return {name, description, sizeof(T), most_exact, add<T>, store<T>, load<T>};
}

}  // namespace

const NamedTable<ElementType>& element_types() {
  static const NamedTable<ElementType> table(
      "datatype", {row<std::uint8_t>("int8", "8-bit integer", 0),
                   row<Float16>("float16", "half precision", 1 << 11),
                   row<Bfloat16>("bfloat16", "brain float", 1 << 8),
                   row<std::uint32_t>("int32", "32-bit integer", 0),
                   row<float>("float32", "single precision", 1 << 24),
                   row<std::uint64_t>("int64", "64-bit integer", 0),
                   row<double>("float64", "double precision", std::int64_t{1} << 53)});
  return table;
}

}  // namespace syncsim
