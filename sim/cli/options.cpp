#include "sim/cli/options.h"

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/scenario/point.h"
#include "sim/topology/delay.h"

namespace syncsim::cli {

std::int64_t integer_of(std::string_view option, const std::string& text, std::int64_t most) {
  return from_option(option, [&] { return parse_integer(text, 0, most); });
}

std::optional<double> tolerance_of(const std::optional<std::string>& expect,
                                   std::string_view option) {
  if (!expect) return {};
  return from_option(option, [&] {
    const auto [word, share] = split_word(trimmed(*expect));
    if (word != "within")
      throw InputError("\"" + *expect + "\" is no expectation", "write such as \"within 15 %\"");
    return parse_percent(share);
  });
}

std::vector<Edit> edits_of(const std::vector<std::string>& texts) {
  std::vector<Edit> edits;
  for (const std::string& text : texts) {
    edits.push_back(from_option("--edit", [&] { return parse_edit(text); }));
    edits.back().place = "--edit";
  }
  return edits;
}

std::vector<LinkEvent> events_of(const std::vector<std::string>& texts) {
  std::vector<LinkEvent> events;
  for (const std::string& text : texts) {
    events.push_back(from_option("--event", [&] { return parse_link_event(text); }));
    events.back().place = "--event";
  }
  return events;
}

std::map<int, Time> starts_of(const std::vector<std::string>& texts) {
  std::map<int, Time> starts;
  for (const std::string& text : texts)
    from_option("--start", [&] {
      const auto equals = text.find('=');
      if (equals == text.npos)
        throw InputError(in_quotes(text) + " says no time", "write such as \"3=5 ms\"");
      std::map<int, Time> own;
      add_start(own, trimmed(std::string_view(text).substr(0, equals)),
                parse_delay(trimmed(std::string_view(text).substr(equals + 1))));
      for (const auto& [rank, at] : own) starts[rank] = at;
    });
  return starts;
}

}  // namespace syncsim::cli
