#include "sim/base/json_line.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/json_parse.h"
#include "sim/base/text_file.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

// An iterator over the text through which the reader of the document shows how far it is.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** shown) : at_(at), shown_(shown) {}
  const char& operator*() const { return *at_; }
  Cursor& operator++() {
    *shown_ = ++at_;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }
  bool operator!=(const Cursor& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** shown_;
};

// Follows the document's events until the value at the pointer begins.
class Seeker : public Json::json_sax_t {
 public:
  explicit Seeker(std::string_view pointer) : pointer_(pointer) {}
  bool found() const { return found_; }

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(Json::number_integer_t) override { return value(); }
  bool number_unsigned(Json::number_unsigned_t) override { return value(); }
  bool number_float(Json::number_float_t, const std::string&) override { return value(); }
  bool string(std::string&) override { return value(); }
  bool binary(Json::binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return begin(false); }
  bool start_array(std::size_t) override { return begin(true); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(std::string& key) override {
    open_.back().step = pointer_step(key);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  struct Container {
    bool list;
    std::size_t index;
    std::string step;
  };

  // False ends the reading: the value has begun.
  bool arrive() {
    std::string here;
    for (const Container& container : open_)
      here += container.list ? "/" + std::to_string(container.index) : container.step;
    found_ = here == pointer_;
    return !found_;
  }
  void leave() {
    if (!open_.empty()) ++open_.back().index;
  }
  bool value() {
    if (!arrive()) return false;
    leave();
    return true;
  }
  bool begin(bool list) {
    if (!arrive()) return false;
    open_.push_back({list, 0, {}});
    return true;
  }
  bool end() {
    open_.pop_back();
    leave();
    return true;
  }

  std::string_view pointer_;
  std::vector<Container> open_;
  bool found_ = false;
};

}  // namespace

std::optional<std::size_t> line_in(std::string_view text, std::string_view pointer) {
  const char* const end = text.data() + text.size();
  const char* read = text.data();
  Seeker seeker(pointer);
  Json::sax_parse(Cursor(text.data(), &read), Cursor(end, &read), &seeker);
  if (!seeker.found()) return std::nullopt;
  // Behind a number stands one character more that was read.
  return 1 +
         static_cast<std::size_t>(std::count(text.data(), std::max(text.data(), read - 1), '\n'));
}

std::optional<std::size_t> line_of(const std::string& file, std::string_view pointer) {
  const std::optional<std::string> text = text_if_file(file);
  return text ? line_in(*text, pointer) : std::nullopt;
}

}  // namespace syncsim
