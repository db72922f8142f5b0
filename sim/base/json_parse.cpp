#include "sim/base/json_parse.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/json_complaint.h"
#include "sim/base/quote.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kNumberOverflow = 406;  // nlohmann/json's number for it

// Receives nlohmann/json's events and builds the value. Pointers to open containers stay valid:
// only the innermost one grows.
class Builder {
 public:
  Builder(std::string_view text, const std::string& name, const JsonRows* rows)
      : text_(text), name_(name), rows_(rows) {}
  Json take() { return std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t& value) { return add(std::move(value)); }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& key) {
    Container& object = open_.back();
    object.key = key;
    if (!object.keys.insert(key).second)
      throw InputError(fmt::format("key {} stands twice in its object", in_quotes(key)),
                       "keep one of the two", place());
    return true;
  }

  bool parse_error(std::size_t read, const std::string& token, const Json::exception& error) {
    if (error.id == kNumberOverflow)
      throw InputError(fmt::format("{} is too large a number", in_quotes(token)),
                       "stay below 1.7e308", line_and_column(text_, read - token.size(), name_));
    throw malformed_json(text_, read == 0 ? 0 : read - 1, error.what(), name_);
  }

 private:
  struct Container {
    Json* value;
    std::set<std::string> keys;  // seen in this object
    std::string key;             // of the member being read
    std::size_t handed_out = 0;  // elements
  };

  // Not through operator[] of ordered_json, which looks at all members before.
  Json& append(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    Json& parent = *open_.back().value;
    if (parent.is_array()) return parent.emplace_back(std::move(value));
    auto& members = parent.get_ref<Json::object_t&>();
    members.push_back({open_.back().key, std::move(value)});
    return members.back().second;
  }
  bool add(Json value) {
    append(std::move(value));
    hand_out_row();
    return true;
  }
  bool open(Json value) {
    Json& added = append(std::move(value));
    if (open_.size() == kDeepestJson)
      throw InputError(fmt::format("lists and objects are nested deeper than {}", kDeepestJson),
                       "flatten them", place());
    open_.push_back({&added, {}, {}, 0});
    return true;
  }
  bool close() {
    open_.pop_back();
    hand_out_row();
    return true;
  }
  // A value is complete: perhaps an element of the list of rows.
  void hand_out_row() {
    if (rows_ == nullptr || open_.size() != 2 || open_[0].key != rows_->key) return;
    Container& list = open_[1];
    if (!list.value->is_array()) return;
    rows_->take(root_, list.handed_out++, list.value->back());
    list.value->clear();
  }

  // Of the member or element read last.
  std::string place() const {
    std::string result = name_ + ":";
    for (const Container& container : open_)
      result += container.value->is_array()
                    ? fmt::format("/{}", container.handed_out + container.value->size() - 1)
                    : pointer_step(container.key);
    return result;
  }

  std::string_view text_;
  const std::string& name_;
  const JsonRows* rows_;
  Json root_;
  std::vector<Container> open_;
};

// nlohmann/json takes a zero byte for the end of the text.
void refuse_zero_bytes(std::string_view text, const std::string& name) {
  if (const auto zero = text.find('\0'); zero != text.npos)
    throw InputError("a zero byte stands in the text", "save the file as UTF-8",
                     line_and_column(text, zero, name));
}

}  // namespace

std::string pointer_step(std::string_view key) {
  std::string escaped = "/";
  for (const char c : key) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return one_line(escaped);
}

Json parse_json(std::string_view text, const std::string& name, const JsonRows* rows) {
  refuse_zero_bytes(text, name);
  if (text.find_first_not_of(" \t\r\n") == text.npos)
    throw InputError("the file is empty", "write a JSON object", name);
  Builder builder(text, name, rows);
  Json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace syncsim
