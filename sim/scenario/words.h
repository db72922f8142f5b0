#pragma once
// Fields that hold one of a few words: what each is called, and what it means.

#include <string_view>

#include "sim/base/json_reader.h"
#include "sim/base/named_table.h"

namespace syncsim {

template <class Value>
struct Word {
  std::string_view name;
  std::string_view description;
  Value value;
};
template <class Value>
using Words = NamedTable<Word<Value>>;

// The row of any such table that the field names. Throws InputError with its place.
template <class Row>
const Row& named(const JsonReader& json, const NamedTable<Row>& table) {
  return *json.located([&] { return &table.at(json.string()); });
}

// "" for a value that has no word.
template <class Value>
std::string_view word_of(const Words<Value>& words, Value value) {
  for (const Word<Value>& word : words.rows())
    if (word.value == value) return word.name;
  return "";
}

}  // namespace syncsim
