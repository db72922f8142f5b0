#include "sim/scenario/fault_field.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/quote.h"
#include "sim/base/rank_list.h"
#include "sim/base/text.h"
#include "sim/scenario/words.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostFaultStep = 1'000'000'000;
constexpr int kMostEvery = 1'000'000'000;
constexpr int kMostFaultyReplicas = 1000;
constexpr int kMostDays = 50;                          // of a run
constexpr double kMostMtbf = 1000.0 * 365.25 * 86400;  // 1000 years

const Words<Recovery>& recoveries() {
  static const Words<Recovery> words(
      "recovery", {{"none", "the run stalls, or goes on as it is", Recovery::none},
                   {"reroute", "planned anew without the link", Recovery::reroute},
                   {"shrink", "without the lost rank or server", Recovery::shrink},
                   {"restore", "a spare, from the last checkpoint", Recovery::restore},
                   {"replicate", "a backup of the server takes over", Recovery::replicate}});
  return words;
}

const Words<FailingPart>& failing_parts() {
  static const Words<FailingPart> words(
      "failing part", {{"run", "all of it", FailingPart::run},
                       {"rank", "each rank by itself", FailingPart::rank},
                       {"link", "each cable by itself", FailingPart::link},
                       {"server", "each server of the store by itself", FailingPart::server}});
  return words;
}

// As the edit of bandwidths that it is.
void read_link(const JsonReader& json, Fault& fault) {
  nlohmann::ordered_json edit = json.raw();
  edit.erase("step");
  if (!edit.contains("bandwidth")) edit["bandwidth"] = "0 B/s";
  fault.kind = Fault::Kind::link;
  fault.links = read_bandwidth_edit(json.in_place(std::move(edit)));
  fault.text = fault.links.text;
}

void read_object(const JsonReader& json, Fault& fault) {
  if (const auto step = json.optional("step")) fault.step = step->integer(0, kMostFaultStep);
  if (const auto at = json.optional("at")) fault.at = at->time();
  if (const auto rank = json.optional("rank")) {
    json.allow({"rank", "step", "at"});
    fault.rank = static_cast<int>(rank->integer(0, kMostRanks - 1));
    fault.text = fmt::format("rank {}", fault.rank);
  } else if (const auto server = json.optional("server")) {
    json.allow({"server", "step", "at"});
    fault.kind = Fault::Kind::server;
    fault.server = server->string();
    fault.text = "server " + fault.server;
  } else if (json.has("link") || json.has("kind") || json.has("scale")) {
    read_link(json, fault);
  } else {
    json.allow({"link", "kind", "scale", "rank", "server", "bandwidth", "step", "at"});
    throw json.error("does not say what is lost", R"(add "link", "rank" or "server")");
  }
}

constexpr std::string_view kForms =
    R"(write such as "step 7 at 5 ms link:gpu0-gpu1", with rank:3 or server:cpu0 in its place)";

std::int64_t parse_number(std::string_view text, std::string_view whole, std::int64_t most) {
  try {
    return parse_integer(text, 0, most);
  } catch (const InputError& failure) {
    throw InputError(fmt::format("{}: {}", in_quotes(whole), failure.wrong()), failure.right());
  }
}

// "step 7 at 5 ms ": either may be left out.
void parse_when(std::string_view when, std::string_view whole, Fault& fault) {
  auto [word, rest] = split_word(when);
  if (word == "step") {
    const auto [number, behind] = split_word(rest);
    fault.step = parse_number(number, whole, kMostFaultStep);
    when = behind;
  }
  const auto [at, time] = split_word(when);
  if (at == "at")
    fault.at = parse_time(trimmed(time));
  else if (!trimmed(when).empty())
    throw InputError(in_quotes(whole) + " does not say when and what", std::string(kForms));
}

void parse_what(std::string_view what, std::string_view whole, Fault& fault) {
  constexpr std::string_view kRank = "rank:";
  constexpr std::string_view kServer = "server:";
  if (what.starts_with(kRank)) {
    fault.rank = static_cast<int>(parse_number(what.substr(kRank.size()), whole, kMostRanks - 1));
    fault.text = fmt::format("rank {}", fault.rank);
  } else if (what.starts_with(kServer)) {
    fault.kind = Fault::Kind::server;
    fault.server = what.substr(kServer.size());
    fault.text = "server " + fault.server;
  } else {
    const bool says = what.find("bandwidth") != what.npos;
    fault.kind = Fault::Kind::link;
    fault.links = parse_bandwidth_edit(std::string(what) + (says ? "" : " bandwidth=0 B/s"));
    fault.text = fault.links.text;
  }
}

Fault parse_fault(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos)
    throw InputError(in_quotes(text) + " does not say what is lost", std::string(kForms));
  std::size_t begin = text.find_last_of(kBlanks, colon);
  begin = begin == text.npos ? 0 : begin + 1;
  const std::string_view before = trimmed(text.substr(0, begin));
  constexpr std::string_view kScale = "scale";
  if (before.ends_with(kScale)) begin = text.rfind(kScale, colon);
  Fault fault;
  parse_when(trimmed(text.substr(0, begin)), text, fault);
  parse_what(trimmed(text.substr(begin)), text, fault);
  return fault;
}

Time written_time(const JsonReader& json, std::string_view key) {
  const auto time = json.optional(key);
  return time ? read_long_time(*time) : Time{};
}

}  // namespace

std::string_view to_string(Recovery recovery) { return word_of(recoveries(), recovery); }
std::string_view to_string(FailingPart part) { return word_of(failing_parts(), part); }

void read_fault(const JsonReader& json, FaultField& field) {
  Fault fault;
  if (json.is_object())
    read_object(json, fault);
  else
    fault = json.located([&] { return parse_fault(json.string()); });
  field.fault = std::move(fault);
}

void read_recovery(const JsonReader& json, FaultField& field) {
  field.recovery = named(json, recoveries()).value;
}

void read_checkpoint_every(const JsonReader& json, FaultField& field) {
  field.checkpoints.every = static_cast<int>(json.integer(1, kMostEvery));
}

void read_checkpoint(const JsonReader& json, FaultField& field) {
  Checkpoints& checkpoints = field.checkpoints;
  if (!json.is_object()) {
    checkpoints.write = checkpoints.read = read_long_time(json);
  } else if (const auto to = json.optional("to")) {
    json.allow({"to", "bytes"});
    (void)to->string();
    field.checkpoint_to = to;
    if (const auto bytes = json.optional("bytes")) field.checkpoint_bytes = bytes->bytes();
  } else {
    json.allow({"write", "read", "to", "bytes"});
    checkpoints.write = written_time(json, "write");
    checkpoints.read = written_time(json, "read");
  }
}

void read_mtbf(const JsonReader& json, FaultField& field) {
  field.mtbf = read_long_seconds(json);
  if (!(field.mtbf > 0) || field.mtbf > kMostMtbf)
    throw json.error("is no time between failures", R"(write such as "6 h", up to "1000 years")");
}

void read_failures(const JsonReader& json, FaultField& field) {
  json.allow({"of", "horizon", "replicas"});
  if (const auto of = json.optional("of")) field.failing = named(*of, failing_parts()).value;
  if (const auto horizon = json.optional("horizon")) {
    field.horizon = read_long_time(*horizon, kMostDays);
    if (field.horizon.ps == 0) throw horizon->error("is no time", "write a time above 0");
  }
  if (const auto replicas = json.optional("replicas"))
    field.replicas = static_cast<int>(replicas->integer(1, kMostFaultyReplicas));
}

}  // namespace syncsim
