#include "sim/cli/jitter_option.h"

#include <nlohmann/json.hpp>

#include "sim/base/quote.h"
#include "sim/base/text.h"

namespace syncsim::cli {
namespace {

using Json = nlohmann::ordered_json;

// A number where the text is one.
Json value_of(const std::string& text) {
  const Json number = Json::parse(text, nullptr, false);
  return number.is_number() ? number : Json(text);
}

Json field_of(const std::vector<std::string>& texts) {
  Json field = Json::object();
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == text.npos)
      throw InputError(in_quotes(text) + " is no jitter",
                       "write such as lognormal=0.1, \"exponential=2 ms\" or trace=FILE.csv");
    const std::string kind(trimmed(std::string_view(text).substr(0, equals)));
    if (field.contains(kind)) throw InputError(in_quotes(kind) + " is given twice", "give it once");
    field[kind] = value_of(std::string(trimmed(std::string_view(text).substr(equals + 1))));
  }
  return field;
}

}  // namespace

void declare_jitter(CLI::App& app, std::vector<std::string>& texts) {
  app.add_option(kJitterOption, texts,
                 "ranks vary from step to step: lognormal=SIGMA, exponential=MEAN or "
                 "trace=FILE.csv (repeatable)")
      ->allow_extra_args(false);
}

JitterField jitter_of(const std::vector<std::string>& texts) {
  try {
    const JsonReader command_line = JsonFile::parse("{}", "the command line").root();
    return read_jitter(command_line.in_place(field_of(texts)));
  } catch (const InputError& failure) {
    const std::string& place = failure.place();  // "the command line:/lognormal"
    const auto slash = place.rfind('/');
    const std::string kind = slash == place.npos ? "" : place.substr(slash + 1);
    throw InputError(failure.wrong(), failure.right(),
                     kJitterOption + (kind.empty() ? "" : " " + kind));
  }
}

}  // namespace syncsim::cli
