// Both forms of an edit, text and JSON, to one representation.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "sim/base/named_table.h"
#include "sim/base/text.h"
#include "sim/topology/edits.h"

namespace syncsim {
namespace {

using Action = Edit::Action;
using Target = Edit::Target;

// Of what an event sets, 0 too.
enum class Zero : bool { refused, allowed };

constexpr std::string_view kForms =
    R"(write "link:a-b bandwidth=8 GB/s", "scale kind:nvlink latency 0.5" or "remove node:nic0")";

// The first word, and the rest without leading blanks.
std::pair<std::string_view, std::string_view> split_word(std::string_view text) {
  text = trimmed(text);
  const std::size_t end = text.find_first_of(kBlanks);
  if (end == std::string_view::npos) return {text, ""};
  return {text.substr(0, end), trimmed(text.substr(end))};
}

Target parse_target_kind(std::string_view text) {
  if (text == "link") return Target::link;
  if (text == "node") return Target::node;
  if (text == "kind") return Target::kind;
  throw unknown_name("edit target", text, {"link", "node", "kind"});
}

// "link:gpu0-gpu1"
Edit parse_target(Action action, std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size())
    throw InputError(fmt::format(R"("{}" is no target of an edit)", text),
                     R"(write "link:a-b", "node:nic0" or "kind:nvlink")");
  Edit edit;
  edit.action = action;
  edit.target = parse_target_kind(text.substr(0, colon));
  edit.pattern = text.substr(colon + 1);
  if (edit.target == Target::node && action != Action::remove)
    throw InputError("a node has no bandwidth or latency to change",
                     fmt::format(R"(name its links, as in "link:{}-*")", edit.pattern));
  if (action == Action::remove && edit.pattern.find('>') != std::string::npos)
    throw InputError(
        fmt::format(R"("{}" is one direction, and cables are removed whole)", edit.pattern),
        R"(name the cable, as in "remove link:a-b")");
  return edit;
}

// A figure is "bandwidth" or "latency".
Action pick(std::string_view figure, Action of_bandwidth, Action of_latency) {
  if (figure == "bandwidth") return of_bandwidth;
  if (figure == "latency") return of_latency;
  throw unknown_name("figure", figure, {"bandwidth", "latency"});
}

Action set_action(std::string_view figure) {
  return pick(figure, Action::set_bandwidth, Action::set_latency);
}

Action scale_action(std::string_view figure) {
  return pick(figure, Action::scale_bandwidth, Action::scale_latency);
}

double check_factor(double factor, std::string_view text, Zero zero) {
  if (std::isfinite(factor) && (factor > 0 || (factor == 0 && zero == Zero::allowed)))
    return factor;
  throw InputError(fmt::format("a figure cannot be scaled by {}", text),
                   zero == Zero::allowed ? "write a factor of zero or more, as in 0.5"
                                         : "write a factor above zero, as in 0.5");
}

double parse_factor(std::string_view text, Zero zero) {
  double factor = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), factor);
  const bool is_whole = result.ptr == text.data() + text.size();
  return check_factor(result.ec == std::errc() && is_whole ? factor : -1, text, zero);
}

Bandwidth parse_rate(std::string_view text, Zero zero) {
  return zero == Zero::allowed ? parse_bandwidth_or_zero(text) : parse_bandwidth(text);
}

Edit parse_remove(std::string_view rest) {
  const auto [target, more] = split_word(rest);
  Edit edit = parse_target(Action::remove, target);
  if (more.empty()) return edit;
  throw InputError(fmt::format(R"("{}" follows a complete removal)", more),
                   "leave it out, or make it an edit of its own");
}

// "kind:nvlink bandwidth 0.5"
Edit parse_scale(std::string_view rest, Zero zero) {
  const auto [target, figure_and_factor] = split_word(rest);
  const auto [figure, factor] = split_word(figure_and_factor);
  if (factor.empty())
    throw InputError(fmt::format(R"("scale {}" lacks what to scale or by how much)", rest),
                     R"(write "scale kind:nvlink bandwidth 0.5")");
  Edit edit = parse_target(scale_action(figure), target);
  edit.factor = parse_factor(factor, zero);
  return edit;
}

// "link:gpu0-switch0", "bandwidth=8 GB/s"
Edit parse_set(std::string_view target, std::string_view setting, Zero zero) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string_view::npos)
    throw InputError(
        fmt::format(R"("{}" is not told what to change)", target),
        fmt::format(R"(write "{} bandwidth=8 GB/s" or "{} latency=2 us")", target, target));
  Edit edit = parse_target(set_action(trimmed(setting.substr(0, equals))), target);
  const std::string_view value = trimmed(setting.substr(equals + 1));
  if (edit.action == Action::set_bandwidth)
    edit.bandwidth = parse_rate(value, zero);
  else
    edit.latency = parse_time(value);
  return edit;
}

InputError no_removal() {
  return {"nothing can be removed while a run goes on",
          "set a bandwidth of 0 GB/s: what has to pass there waits"};
}

InputError no_latency() {
  return {"a latency does not change while a run goes on", "change a bandwidth"};
}

InputError unknown_edit(std::string_view text, std::string_view verb) {
  const std::string guess = closest(verb, {"remove", "scale"});
  if (!guess.empty()) return unknown_name("edit", verb, {"remove", "scale"});
  return {fmt::format(R"("{}" is no edit)", text), std::string(kForms)};
}

Edit parse(std::string_view text, Zero zero) {
  const auto [verb, rest] = split_word(text);
  if (verb.empty()) throw InputError("the edit is empty", std::string(kForms));
  Edit edit;
  if (verb == "remove")
    edit = parse_remove(rest);
  else if (verb == "scale")
    edit = parse_scale(rest, zero);
  else if (verb.find(':') != std::string_view::npos)
    edit = parse_set(verb, rest, zero);
  else
    throw unknown_edit(text, verb);
  edit.text = text;
  return edit;
}

// An object has one of the keys; `thing` it is ("edit").
std::string read_subject(const JsonReader& json, std::string_view thing,
                         const std::vector<std::string>& keys) {
  std::string subject;
  for (const std::string& key : keys) {
    if (!json.has(key)) continue;
    if (!subject.empty())
      throw json.error(fmt::format(R"(an {} has either "{}" or "{}")", thing, subject, key),
                       fmt::format("write two {}s", thing));
    subject = key;
  }
  if (!subject.empty()) return subject;
  const std::vector<std::string> first(keys.begin(), keys.end() - 1);
  throw json.error(fmt::format("an {} lacks what to change", thing),
                   fmt::format(R"(add "{}" or "{}")", fmt::join(first, "\", \""), keys.back()));
}

Edit read_removal(const JsonReader& json) {
  for (const std::string figure : {"bandwidth", "latency"})
    if (const auto value = json.optional(figure))
      throw value->error("a removal takes no figures", R"(write only "remove")");
  const JsonReader at = json.required("remove");
  const std::string target = at.string();
  Edit edit = at.located([&] { return parse_target(Action::remove, target); });
  edit.text = "remove " + target;
  return edit;
}

Edit read_scaling(const JsonReader& at, const std::string& target, const std::string& figure,
                  const JsonReader& factor, Zero zero) {
  Edit edit = at.located([&] { return parse_target(scale_action(figure), target); });
  const std::string text = fmt::format("{}", factor.number());
  edit.factor = factor.located([&] { return check_factor(factor.number(), text, zero); });
  edit.text = fmt::format("scale {} {} {}", target, figure, text);
  return edit;
}

Edit read_setting(const JsonReader& at, const std::string& target, const std::string& figure,
                  const JsonReader& value, Zero zero) {
  Edit edit = at.located([&] { return parse_target(set_action(figure), target); });
  if (edit.action == Action::set_bandwidth)
    edit.bandwidth = zero == Zero::allowed ? value.bandwidth_or_zero() : value.bandwidth();
  else
    edit.latency = value.time();
  edit.text = fmt::format("{} {}={}", target, figure, value.string());
  return edit;
}

// `subject` is "link", "kind" or "scale".
Edit read_figure(const JsonReader& json, const std::string& subject, const std::string& figure,
                 Zero zero) {
  const JsonReader at = json.required(subject);
  const JsonReader value = json.required(figure, subject == "scale" ? "0.5" : R"("8 GB/s")");
  if (subject == "scale") return read_scaling(at, at.string(), figure, value, zero);
  return read_setting(at, subject + ":" + at.string(), figure, value, zero);
}

}  // namespace

Edit parse_edit(std::string_view text) { return parse(text, Zero::refused); }

std::vector<Edit> read_edit(const JsonReader& json) {
  json.allow({"link", "kind", "scale", "remove", "bandwidth", "latency"});
  const std::string subject = read_subject(json, "edit", {"link", "kind", "scale", "remove"});
  if (subject == "remove") return {read_removal(json)};
  std::vector<Edit> edits;
  for (const std::string figure : {"bandwidth", "latency"})
    if (json.has(figure)) edits.push_back(read_figure(json, subject, figure, Zero::refused));
  if (edits.empty())
    throw json.error("an edit changes no figure", R"(add "bandwidth" or "latency")");
  return edits;
}

Edit parse_bandwidth_edit(std::string_view text) {
  Edit edit = parse(text, Zero::allowed);
  if (edit.action == Action::remove) throw no_removal();
  if (edit.action == Action::set_latency || edit.action == Action::scale_latency)
    throw no_latency();
  return edit;
}

Edit read_bandwidth_edit(const JsonReader& json) {
  if (const auto removal = json.optional("remove")) throw no_removal().at(removal->place());
  if (const auto latency = json.optional("latency")) throw no_latency().at(latency->place());
  const std::string subject = read_subject(json, "event", {"link", "kind", "scale"});
  return read_figure(json, subject, "bandwidth", Zero::allowed);
}

}  // namespace syncsim
