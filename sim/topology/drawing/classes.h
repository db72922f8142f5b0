#pragma once
// Which units look alike, so that they may be drawn as one figure. Classes are refined: two units
// stay together while they have the same links to the same classes. In the end an equitable
// partition comes out, of which each round is a coarser form.

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "sim/topology/drawing/picture.h"

namespace syncsim::drawing {

struct Classes {
  std::vector<std::size_t> of;  // by unit; numbered in order of their first units
  std::size_t count = 0;
};

// Equal keys, one class.
template <class Key>
Classes classes_by_key(const std::vector<Key>& keys) {
  Classes classes;
  std::map<Key, std::size_t> numbers;
  for (const Key& key : keys)
    classes.of.push_back(numbers.emplace(key, numbers.size()).first->second);
  classes.count = numbers.size();
  return classes;
}

// What tells units apart: whom they are joined to, or also by how many cables of which rate.
enum class Detail : std::uint8_t { neighbours, figures };

// Rounds, until they change nothing or would make more than `most` classes; the last that does not.
Classes refine(Classes classes, std::span<const Bundle> bundles, Detail detail, std::size_t most);

}  // namespace syncsim::drawing
