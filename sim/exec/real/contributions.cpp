#include "sim/exec/real/contributions.h"

#include <algorithm>
#include <cstring>

#include "sim/base/memory.h"

namespace syncsim {
namespace {

constexpr std::int64_t kPeriod = 4'093;
constexpr std::int64_t kMostDifferent = 97;

std::int64_t period_of(std::int64_t elements) {
  return std::clamp<std::int64_t>(elements, 1, kPeriod);
}

std::uint32_t mixed(std::uint32_t rank, std::uint32_t place) {
  std::uint32_t x = rank * 0x9e3779b1u + place * 0x85ebca6bu;
  x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  return x ^ (x >> 13);
}

std::int64_t contribution(std::uint32_t rank, std::uint32_t place, std::int64_t ranks,
                          std::int64_t most_exact) {
  if (most_exact == 0) return 1 + mixed(rank, place) % kMostDifferent;
  const std::int64_t sparse = (ranks + most_exact - 1) / most_exact;
  if (sparse > 1) return (rank + place) % sparse == 0 ? 1 : 0;
  const std::int64_t different = std::clamp<std::int64_t>(most_exact / ranks, 1, kMostDifferent);
  return 1 + mixed(rank, place) % different;
}

}  // namespace

Contributions::Contributions(std::uint32_t ranks, const ElementType& type, std::int64_t elements)
    : type_(type),
      ranks_(ranks),
      period_(period_of(elements)),
      rows_(table_bytes(ranks, type, elements)) {
  const std::size_t row_bytes = static_cast<std::size_t>(period_) * type.size;
  std::vector<std::int64_t> sums(static_cast<std::size_t>(period_));
  std::byte* to = rows_.data();
  for (std::uint32_t rank = 0; rank < ranks; ++rank, to += row_bytes)
    for (std::size_t place = 0; place < sums.size(); ++place) {
      const std::int64_t value =
          contribution(rank, static_cast<std::uint32_t>(place), ranks, type.most_exact);
      type.store(to + place * type.size, value);
      sums[place] += value;
    }
  for (std::size_t place = 0; place < sums.size(); ++place)
    type.store(to + place * type.size, sums[place]);
}

std::uint64_t Contributions::table_bytes(std::uint32_t ranks, const ElementType& type,
                                         std::int64_t elements) {
  return capped_product(std::uint64_t{ranks} + 1,
                        static_cast<std::uint64_t>(period_of(elements)) * type.size);
}

const std::byte* Contributions::row(ParticipantId rank) const {
  const std::size_t index = rank == kNone ? ranks_ : rank;
  return rows_.data() + index * static_cast<std::size_t>(period_) * type_.size;
}

template <class Act>
void Contributions::each_piece(Elements range, Act&& act) const {
  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements) * type_.size;
  };
  for (std::int64_t done = 0; done < range.count;) {
    const std::int64_t place = (range.first + done) % period_;
    const std::int64_t count = std::min(range.count - done, period_ - place);
    if (!act(bytes(done), bytes(place), bytes(count))) return;
    done += count;
  }
}

void Contributions::write(ParticipantId rank, Elements range, std::byte* to) const {
  const std::byte* const from = row(rank);
  each_piece(range, [&](std::size_t at, std::size_t place, std::size_t bytes) {
    std::memcpy(to + at, from + place, bytes);
    return true;
  });
}

std::optional<std::int64_t> Contributions::first_wrong(ParticipantId rank, Elements range,
                                                       const std::byte* found) const {
  const std::byte* const expected = row(rank);
  std::optional<std::int64_t> wrong;
  each_piece(range, [&](std::size_t at, std::size_t place, std::size_t bytes) {
    if (std::memcmp(found + at, expected + place, bytes) == 0) return true;
    std::size_t first = 0;
    while (std::memcmp(found + at + first, expected + place + first, type_.size) == 0)
      first += type_.size;
    wrong = range.first + static_cast<std::int64_t>((at + first) / type_.size);
    return false;
  });
  return wrong;
}

std::int64_t Contributions::value(ParticipantId rank, std::int64_t element) const {
  return type_.load(row(rank) + static_cast<std::size_t>(element % period_) * type_.size);
}

}  // namespace syncsim
