// The JSON form of an edit.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/topology/edits/phrase.h"
#include "sim/topology/edits/verbs.h"

namespace syncsim {
namespace {

std::string word_of(const JsonReader& json) {
  if (json.is_integer()) return fmt::format("{}", json.integer());
  if (json.is_number()) return fmt::format("{}", json.number());
  return json.string();
}

// Several words, in brackets in JSON and with commas in text.
std::string list_of(const JsonReader& json) {
  if (!json.is_array()) return json.string();
  std::vector<std::string> words;
  for (const JsonReader& element : json.elements()) words.push_back(element.string());
  if (words.empty()) throw json.error("the list is empty", R"(write ["gpu[0-3]"])");
  return fmt::format("{}", fmt::join(words, ","));
}

// The keys that say what an object is about: the verbs, and "kind", "link" and "node" of what is
// set. Verbs go first, as some take "kind" too.
std::vector<std::string> subject_keys() {
  std::vector<std::string> keys;
  for (const EditVerb& verb : edit_verbs()) keys.emplace_back(verb.name);
  keys.insert(keys.end(), {"kind", "link", "node"});
  return keys;
}

std::vector<std::string> all_keys(const PhraseContext& context) {
  std::vector<std::string> keys = subject_keys();
  keys.insert(keys.end(), context.more_keys.begin(), context.more_keys.end());
  for (const EditVerb& verb : edit_verbs())
    for (const EditKey& row : verb.keys) keys.emplace_back(row.name);
  return keys;
}

std::string subject_key(const JsonReader& json, const PhraseContext& context) {
  std::string subject;
  for (const std::string& key : subject_keys()) {
    const EditVerb* verb = find_edit_verb(subject);
    if (!json.has(key) || (verb != nullptr && verb->takes(key))) continue;
    if (!subject.empty())
      throw json.error(fmt::format(R"(an {} has either "{}" or "{}")", context.thing, key, subject),
                       fmt::format("write two {}s", context.thing));
    subject = key;
  }
  if (!subject.empty()) return subject;
  json.allow(all_keys(context));  // one of them, written wrong, is told of
  throw json.error(fmt::format("an {} lacks what to change", context.thing),
                   fmt::format("add {}", context.subjects));
}

}  // namespace

EditPhrase read_phrase(const JsonReader& json, const PhraseContext& context) {
  const std::string key = subject_key(json, context);
  const EditVerb* named = find_edit_verb(key);
  const EditVerb& verb = named != nullptr ? *named : *find_edit_verb(kSetVerb);
  std::vector<std::string> keys = context.more_keys;
  keys.push_back(key);
  for (const EditKey& row : verb.keys) keys.emplace_back(row.name);
  json.allow(keys);
  const JsonReader subject = json.required(key);
  const std::string value = verb.name == kRanksVerb ? list_of(subject) : subject.string();
  EditPhrase phrase{
      &verb,
      {std::string(verb.name), named == nullptr ? key + ":" + value : value, subject.place()},
      {},
      json.place()};
  for (const std::string& name : json.keys())
    if (verb.takes(name)) {
      const JsonReader argument = json.required(name);
      phrase.arguments.push_back({name, word_of(argument), argument.place()});
    }
  return phrase;
}

}  // namespace syncsim
