#include "sim/scenario/library/library_field.h"

#include "sim/scenario/library/library_words.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostChannels = 1024;

std::string read_name(const JsonReader& json) { return std::string(named(json, libraries()).name); }

}  // namespace

LibraryTerms read_library(const JsonReader& json) {
  LibraryTerms terms;
  if (json.is_string()) {
    terms.library = read_name(json);
    return terms;
  }
  if (!json.is_object())
    throw json.found_instead(R"(write "nccl", or {"name": "nccl", "launch": "one_process"})");
  json.allow({"name", "version", "launch", "network", "protocol", "channels", "algorithm"});
  if (const auto name = json.optional("name")) terms.library = read_name(*name);
  if (const auto version = json.optional("version")) terms.version = version->string();
  if (const auto launch = json.optional("launch")) terms.launch = named(*launch, launches()).value;
  if (const auto network = json.optional("network"))
    terms.network = named(*network, networks()).value;
  if (const auto protocol = json.optional("protocol"))
    terms.pins.protocol = named(*protocol, protocols()).value;
  if (const auto channels = json.optional("channels"))
    terms.pins.channels = static_cast<int>(channels->integer(1, kMostChannels));
  if (const auto algorithm = json.optional("algorithm"))
    terms.algorithm = algorithm->located([&] { return parse_algorithm(algorithm->string()); });
  return terms;
}

std::string library_text(const LibraryTerms& terms) {
  std::string text = terms.library.empty() ? "by the gpus' maker" : terms.library;
  if (!terms.version.empty()) text += " version=" + terms.version;
  if (terms.launch != Launch::unknown)
    text += " launch=" + std::string(word_of(launches(), terms.launch));
  if (terms.network) text += " network=" + std::string(word_of(networks(), *terms.network));
  if (terms.pins.protocol)
    text += " protocol=" + std::string(word_of(protocols(), *terms.pins.protocol));
  if (terms.pins.channels > 0) text += " channels=" + std::to_string(terms.pins.channels);
  if (!terms.algorithm.empty()) text += " algorithm=" + terms.algorithm;
  return text;
}

}  // namespace syncsim
