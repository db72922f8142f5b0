#include "sim/topology/edits/phrase.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/topology/edits/verbs.h"

namespace syncsim {
namespace {

constexpr std::string_view kForms =
    R"(write "link:a-b bandwidth=8 GB/s", "scale kind:nvlink latency 0.5" or "remove node:nic0")";

// The first word without blanks after its commas: "gpu0, gpu1" is one.
std::pair<std::string, std::string_view> split_subject(std::string_view text) {
  auto [word, rest] = split_word(text);
  std::string subject(word);
  while (subject.ends_with(',') && !rest.empty()) {
    std::tie(word, rest) = split_word(rest);
    subject += word;
  }
  return {subject, rest};
}

// "bandwidth =  8 GB/s" -> "bandwidth", "8 GB/s" and that there is a '='.
struct Assignment {
  explicit Assignment(std::string_view text) : name(text.substr(0, text.find_first_of(" \t="))) {
    value = trimmed(text.substr(name.size()));
    equals = value.starts_with('=');
    if (equals) value = trimmed(value.substr(1));
  }

  std::string_view name;
  std::string_view value;
  bool equals = false;
};

std::vector<std::string> names_of(const std::vector<EditKey>& keys) {
  std::vector<std::string> names;
  for (const EditKey& key : keys) names.emplace_back(key.name);
  return names;
}

// The arguments of a verb, off the front of a text.
class ArgumentReader {
 public:
  ArgumentReader(const EditVerb& verb, std::string_view text) : verb_(verb), rest_(text) {}

  std::vector<EditArgument> read() {
    while (!rest_.empty()) {
      const std::string key = take_key();
      if (has(key)) throw InputError(in_quotes(key) + " is given twice", "give it once");
      const std::string_view value = take_value();
      if (value.empty()) throw InputError(in_quotes(key) + " is given no value", right());
      arguments_.push_back({key, std::string(value), ""});
    }
    return std::move(arguments_);
  }

 private:
  std::string right() const { return fmt::format(R"(write "{}")", verb_.example); }

  bool has(std::string_view key) const {
    return std::any_of(arguments_.begin(), arguments_.end(),
                       [&](const EditArgument& argument) { return argument.key == key; });
  }

  std::string take_key() {
    const Assignment assignment(rest_);
    if (verb_.takes(assignment.name)) {
      rest_ = assignment.value;
      return std::string(assignment.name);
    }
    for (const EditKey& key : verb_.keys)
      if (key.joint == Joint::bare && !assignment.equals && !has(key.name))
        return std::string(key.name);
    if (verb_.keys.empty())
      throw InputError(in_quotes(rest_) + " follows a complete edit",
                       "leave it out, or make it an edit of its own");
    throw unknown_name("key", assignment.name, names_of(verb_.keys));
  }

  std::string_view take_value() {
    std::size_t end = 0;
    while (end < rest_.size()) {
      const std::string_view ahead = rest_.substr(end);
      if (end > 0 && begins_argument(ahead)) break;
      end +=
          ahead.find_first_of(kBlanks) == ahead.npos ? ahead.size() : ahead.find_first_of(kBlanks);
      const std::size_t next = rest_.find_first_not_of(kBlanks, end);
      end = next == rest_.npos ? rest_.size() : next;
    }
    const std::string_view value = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return value;
  }

  bool begins_argument(std::string_view text) const {
    const Assignment assignment(text);
    return verb_.takes(assignment.name) || assignment.equals;
  }

  const EditVerb& verb_;
  std::string_view rest_;
  std::vector<EditArgument> arguments_;
};

InputError unknown_edit(std::string_view text, std::string_view verb) {
  std::vector<std::string> names;
  for (const EditVerb& row : edit_verbs()) names.emplace_back(row.name);
  const std::string guess = closest(verb, names);
  if (!guess.empty()) return unknown_name("edit", verb, names);
  return {in_quotes(text) + " is no edit", std::string(kForms)};
}

}  // namespace

const EditArgument* EditPhrase::find(std::string_view key) const {
  for (const EditArgument& argument : arguments)
    if (argument.key == key) return &argument;
  return nullptr;
}

const EditArgument& EditPhrase::required(std::string_view key) const {
  if (const EditArgument* argument = find(key)) return *argument;
  throw InputError(fmt::format(R"({} lacks "{}")", in_quotes(to_string(*this)), key),
                   fmt::format(R"(write "{}")", verb->example), place);
}

const EditKey* EditVerb::find(std::string_view key) const {
  for (const EditKey& row : keys)
    if (row.name == key) return &row;
  return nullptr;
}

EditPhrase split_phrase(std::string_view text) {
  const auto [verb, rest] = split_word(text);
  if (verb.empty()) throw InputError("the edit is empty", std::string(kForms));
  const bool is_set = verb.find(':') != std::string_view::npos;
  const EditVerb* row = find_edit_verb(is_set ? kSetVerb : verb);
  if (row == nullptr) throw unknown_edit(text, verb);
  const auto [subject, arguments] = split_subject(is_set ? trimmed(text) : rest);
  if (subject.empty())
    throw InputError(fmt::format(R"("{}" does not say what)", verb),
                     fmt::format(R"(write "{}")", row->example));
  return {row, {std::string(row->name), subject, ""}, ArgumentReader(*row, arguments).read(), ""};
}

std::string to_string(const EditPhrase& phrase) {
  std::string text = phrase.verb->name == kSetVerb ? "" : std::string(phrase.verb->name) + " ";
  text += phrase.subject.value;
  for (const EditArgument& argument : phrase.arguments) {
    const Joint joint = phrase.verb->find(argument.key)->joint;
    text += ' ';
    if (joint != Joint::bare) text += argument.key + static_cast<char>(joint);
    text += argument.value;
  }
  return text;
}

}  // namespace syncsim
