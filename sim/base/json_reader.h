#pragma once
// Checked reading of the user's JSON. Every failure is an InputError whose place is
// "file.json:/pointer/to/value" (or "file.json:LINE:COLUMN" for malformed text).
//
//   JsonFile file = JsonFile::load("pcie.json");        // or ::parse(text, "name")
//   JsonReader root = file.root();
//   root.allow({"name", "links"});                      // other keys are refused, did-you-mean
//   std::string name = root.required("name").string();
//   if (auto links = root.optional("links"))
//     for (JsonReader link : links->elements()) ...
//
// Refused at load: malformed text (comments and trailing commas too), text that is not UTF-8,
// duplicate keys, nesting deeper than 64, numbers beyond double, files over 256 MiB, a missing or
// unreadable file, a directory.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/units.h"

namespace syncsim {

struct JsonRows;

// A view of one value inside a JsonFile; cheap to copy. Shares ownership of the parsed text.
class JsonReader {
 public:
  // Refuses every key of this object that is not listed. Throws when this is no object.
  void allow(std::initializer_list<std::string_view> keys) const;
  void allow(const std::vector<std::string>& keys) const;

  // A member of this object. `required` throws at this object's place, naming the missing key with
  // `example` as its value.
  JsonReader required(std::string_view key, std::string_view example = "...") const;
  std::optional<JsonReader> optional(std::string_view key) const;
  bool has(std::string_view key) const;
  // Of this object, in file order. `required` looks at all members before, so a loop over keys of
  // an object that has no fixed few is one over members.
  std::vector<std::string> keys() const;
  std::vector<std::pair<std::string, JsonReader>> members() const;
  std::vector<JsonReader> elements() const;  // of this array; throws when this is no array

  std::string string() const;    // not empty
  std::int64_t integer() const;  // a JSON integer in int64
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  double number() const;  // finite
  bool boolean() const;
  Time time() const;            // text with a unit
  Bytes bytes() const;          // text with a unit, or a JSON integer of bytes
  Bandwidth bandwidth() const;  // text with a unit
  Bandwidth bandwidth_or_zero() const;
  double percent() const;  // "0.1 %"

  bool is_string() const;
  bool is_integer() const;
  bool is_number() const;
  bool is_array() const;
  bool is_object() const;

  // "file.json:/links/3/bandwidth"; the root's is "file.json:/".
  std::string place() const;
  const std::string& file() const;
  // An error at this value: "is a number, 3; <right>".
  InputError found_instead(std::string_view right) const;
  // An error at this value.
  InputError error(std::string wrong, std::string right) const;
  // Runs `read` and gives its InputErrors this place when they have none.
  template <class Read>
  decltype(auto) located(Read&& read) const {
    return placed([this] { return place(); }, read);
  }
  // A value that stands for this one: it has this place.
  JsonReader in_place(nlohmann::ordered_json value) const;
  // The value itself, for copying it elsewhere.
  const nlohmann::ordered_json& raw() const;

 private:
  friend class JsonFile;
  struct Document;
  JsonReader(std::shared_ptr<const Document> document, const nlohmann::ordered_json* value,
             std::string pointer);

  std::shared_ptr<const Document> document_;
  const nlohmann::ordered_json* value_;
  std::string pointer_;
};

class JsonFile {
 public:
  static JsonFile load(const std::string& path);
  // `rows`: a list whose elements are handed out instead of kept (json_parse.h).
  static JsonFile parse(std::string_view text, std::string name, const JsonRows* rows = nullptr);
  JsonReader root() const { return root_; }

 private:
  explicit JsonFile(JsonReader root) : root_(std::move(root)) {}
  JsonReader root_;
};

}  // namespace syncsim
