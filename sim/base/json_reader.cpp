#include "sim/base/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "sim/base/files_read.h"
#include "sim/base/json_parse.h"
#include "sim/base/named_table.h"
#include "sim/base/quote.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestFile = std::size_t{256} << 20;

// What was found, as messages say it.
std::string described(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::null:
    case Json::value_t::boolean:
      return value.dump();
    default:
      return "the number " + value.dump();
  }
}

InputError too_large(const std::string& path) {
  return {fmt::format("the file is larger than {}", to_string(Bytes{kLargestFile})),
          "split it into smaller files", path};
}

// Also of pipes, whose size is known only by reading them.
std::string read_all(std::ifstream& stream, const std::string& path) {
  std::string text;
  std::vector<char> block(1 << 16);
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kLargestFile) throw too_large(path);
  }
  if (stream.bad()) throw InputError("the file cannot be read to its end", "check the disk", path);
  return text;
}

std::string read_file(const std::string& path) {
  if (path.empty()) throw InputError("the path is empty", "name a JSON file");
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found)
    throw InputError("there is no such file", "check the path", path);
  if (is_directory(status)) throw InputError("is a directory", "name a JSON file", path);
  if (is_regular_file(status) && std::filesystem::file_size(path, failure) > kLargestFile)
    throw too_large(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError("the file cannot be read", "check its permissions", path);
  note_read(path);
  return read_all(stream, path);
}

// A number that was written without point or exponent but is beyond 64 bits is kept as double.
bool beyond_int64(const Json& value) {
  if (value.is_number_unsigned())
    return value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
  constexpr double kTwoTo63 = 9223372036854775808.0;
  return value.is_number_float() && std::abs(value.get<double>()) >= kTwoTo63;
}

std::string range_of(std::int64_t least, std::int64_t most) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (most == Limits::max()) return fmt::format("write a whole number of at least {}", least);
  if (least == Limits::min()) return fmt::format("write a whole number of at most {}", most);
  return fmt::format("write a whole number from {} to {}", least, most);
}

}  // namespace

struct JsonReader::Document {
  std::string name;
  Json root;
};

JsonReader::JsonReader(std::shared_ptr<const Document> document, const Json* value,
                       std::string pointer)
    : document_(std::move(document)), value_(value), pointer_(std::move(pointer)) {}

JsonFile JsonFile::load(const std::string& path) { return parse(read_file(path), path); }

JsonFile JsonFile::parse(std::string_view text, std::string name, const JsonRows* rows) {
  auto document = std::make_shared<JsonReader::Document>();
  document->root = parse_json(text, name, rows);
  document->name = std::move(name);
  const Json* root = &document->root;
  return JsonFile(JsonReader(std::move(document), root, ""));
}

std::string JsonReader::place() const {
  return document_->name + ":" + (pointer_.empty() ? "/" : pointer_);
}

const std::string& JsonReader::file() const { return document_->name; }
const Json& JsonReader::raw() const { return *value_; }

JsonReader JsonReader::in_place(Json value) const {
  auto document = std::make_shared<Document>(Document{document_->name, std::move(value)});
  const Json* root = &document->root;
  return JsonReader(std::move(document), root, pointer_);
}

InputError JsonReader::error(std::string wrong, std::string right) const {
  return {std::move(wrong), std::move(right), place()};
}

void JsonReader::allow(std::initializer_list<std::string_view> keys) const {
  allow(std::vector<std::string>(keys.begin(), keys.end()));
}

void JsonReader::allow(const std::vector<std::string>& allowed) const {
  for (const std::string& key : keys()) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    throw unknown_name("key", key, allowed).at(required(key).place());
  }
}

JsonReader JsonReader::required(std::string_view key, std::string_view example) const {
  if (std::optional<JsonReader> member = optional(key)) return *member;
  throw error(fmt::format("\"{}\" is missing", key), fmt::format("add \"{}\": {}", key, example));
}

std::optional<JsonReader> JsonReader::optional(std::string_view key) const {
  if (!is_object()) throw found_instead("write an object {...}");
  const auto found = value_->find(std::string(key));
  if (found == value_->end()) return std::nullopt;
  return JsonReader(document_, &*found, pointer_ + pointer_step(key));
}

bool JsonReader::has(std::string_view key) const { return optional(key).has_value(); }

std::vector<std::string> JsonReader::keys() const {
  if (!is_object()) throw found_instead("write an object {...}");
  std::vector<std::string> result;
  for (const auto& [key, value] : value_->items()) result.push_back(key);
  return result;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  if (!is_object()) throw found_instead("write an object {...}");
  std::vector<std::pair<std::string, JsonReader>> result;
  for (const auto& [key, value] : value_->items())
    result.emplace_back(key, JsonReader(document_, &value, pointer_ + pointer_step(key)));
  return result;
}

std::vector<JsonReader> JsonReader::elements() const {
  if (!is_array()) throw found_instead("write a list [...]");
  std::vector<JsonReader> result;
  for (std::size_t i = 0; i < value_->size(); ++i)
    result.push_back(JsonReader(document_, &(*value_)[i], fmt::format("{}/{}", pointer_, i)));
  return result;
}

std::string JsonReader::string() const {
  if (!is_string()) throw found_instead("write a string");
  auto text = value_->get<std::string>();
  if (text.empty()) throw error("is an empty string", "write at least one character");
  if (has_control(text))
    throw error("holds a control character: " + in_quotes(text), "write it on one line");
  return text;
}

std::int64_t JsonReader::integer() const {
  if (beyond_int64(*value_))
    throw error(fmt::format("is {}, which is out of range", described(*value_)),
                "write a whole number of 64 bits");
  if (!is_integer()) throw found_instead("write a whole number");
  return value_->get<std::int64_t>();
}

std::int64_t JsonReader::integer(std::int64_t least, std::int64_t most) const {
  const std::int64_t value = integer();
  if (value >= least && value <= most) return value;
  throw error(fmt::format("{} is out of range", value), range_of(least, most));
}

double JsonReader::number() const {
  if (!is_number()) throw found_instead("write a number");
  return value_->get<double>();
}

bool JsonReader::boolean() const {
  if (!value_->is_boolean()) throw found_instead("write true or false");
  return value_->get<bool>();
}

Time JsonReader::time() const {
  if (!is_string()) throw found_instead("write a time with a unit, such as \"2 us\"");
  return located([this] { return parse_time(value_->get<std::string>()); });
}

Bytes JsonReader::bytes() const {
  if (is_number()) {
    const std::int64_t count = integer();
    if (count < 0) throw error(fmt::format("{} is negative", count), "write 0 or more bytes");
    return {count};
  }
  if (!is_string()) throw found_instead("write a size such as \"160 MB\", or a number of bytes");
  return located([this] { return parse_bytes(value_->get<std::string>()); });
}

Bandwidth JsonReader::bandwidth() const {
  if (!is_string()) throw found_instead("write a bandwidth with a unit, such as \"16 GB/s\"");
  return located([this] { return parse_bandwidth(value_->get<std::string>()); });
}

Bandwidth JsonReader::bandwidth_or_zero() const {
  if (!is_string()) throw found_instead("write a bandwidth with a unit, such as \"16 GB/s\"");
  return located([this] { return parse_bandwidth_or_zero(value_->get<std::string>()); });
}

double JsonReader::percent() const {
  if (!is_string()) throw found_instead("write a percentage such as \"0.1 %\"");
  return located([this] { return parse_percent(value_->get<std::string>()); });
}

InputError JsonReader::found_instead(std::string_view right) const {
  return error("is " + described(*value_), std::string(right));
}

bool JsonReader::is_string() const { return value_->is_string(); }
bool JsonReader::is_integer() const { return value_->is_number_integer(); }
bool JsonReader::is_number() const { return value_->is_number(); }
bool JsonReader::is_array() const { return value_->is_array(); }
bool JsonReader::is_object() const { return value_->is_object(); }

}  // namespace syncsim
