#pragma once
// An edit taken apart into words, the same for its text and its JSON form, before it is understood:
//   "scale kind:pcie bandwidth 0.5"   verb scale, subject kind:pcie, bandwidth: 0.5
//   {"move": "nic0", "to": "plx1"}    verb move, subject nic0, to: plx1
// In text an argument is "key=value" or "key value", blanks around '=' or not; its value ends where
// the next one begins. A verb may have a key that need not be written ("move nic0 plx1").

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/topology/edits.h"

namespace syncsim {

struct EditVerb;

struct EditArgument {
  std::string key;
  std::string value;
  std::string place;  // in JSON, for errors; else empty

  // Runs `read` on the value and gives its InputErrors the place.
  template <class Read>
  decltype(auto) read(Read&& read) const {
    return placed([this] { return place; }, [&]() -> decltype(auto) { return read(value); });
  }
};

struct EditPhrase {
  const EditVerb* verb = nullptr;
  EditArgument subject;                 // its key is the verb's name
  std::vector<EditArgument> arguments;  // in the order written, each key once
  std::string place;

  const EditArgument* find(std::string_view key) const;      // nullptr: not given
  const EditArgument& required(std::string_view key) const;  // throws InputError
};

enum class Joint : char { equals = '=', blank = ' ', bare = 0 };

struct EditKey {
  std::string_view name;
  Joint joint = Joint::equals;  // how it is written in reports; bare: without its name
};

struct EditVerb {
  std::string_view name;     // also its key in JSON
  std::string_view example;  // for messages
  std::vector<EditKey> keys;
  std::function<Topology::Parts(const Topology&)> (*understand)(const EditPhrase& phrase);

  const EditKey* find(std::string_view key) const;  // nullptr: there is none
  bool takes(std::string_view key) const { return find(key) != nullptr; }
};

EditPhrase split_phrase(std::string_view text);

// Runs `act` on an edit or event; what goes wrong is told with its text, at its place.
template <class Act>
decltype(auto) told_of(std::string_view thing, std::string_view text, const std::string& place,
                       const Act& act) {
  try {
    return act();
  } catch (const InputError& failure) {
    const std::string quoted = in_quotes(text);
    const bool is_told =
        text.find_first_not_of(kBlanks) == text.npos || failure.wrong().starts_with(quoted);
    throw InputError(
        is_told ? failure.wrong() : std::string(thing) + " " + quoted + ": " + failure.wrong(),
        failure.right(), place);
  }
}

// What an object in JSON is, for messages, and which keys it may have besides.
struct PhraseContext {
  std::string_view thing = "edit";
  std::string_view subjects = R"("link", "kind", "node" or a verb, as in "remove": "node:nic0")";
  std::vector<std::string> more_keys;
};
EditPhrase read_phrase(const JsonReader& json, const PhraseContext& context = {});

// As split_phrase would read it.
std::string to_string(const EditPhrase& phrase);

}  // namespace syncsim
