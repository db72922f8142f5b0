#include "sim/cli/library_options.h"

#include <CLI/CLI.hpp>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/cli/options.h"
#include "sim/scenario/library/library_words.h"

namespace syncsim::cli {
namespace {

constexpr int kMostChannels = 1024;

// "2.19.3": two numbers at least, whatever follows ("+cuda12.2").
std::string version_of(const std::string& text) {
  const std::size_t point = text.find('.');
  const auto digit_at = [&](std::size_t place) {
    return place < text.size() && is_digit(text[place]);
  };
  if (point == std::string::npos || point > 3 || !digit_at(0) || !digit_at(point - 1) ||
      !digit_at(point + 1))
    throw InputError(in_quotes(text) + " is no version of a library", "write such as 2.19.3");
  return text;
}

int channels_of(const std::string& text) {
  return static_cast<int>(parse_integer(text, 1, kMostChannels));
}

template <class Value, class Read>
void take(const char* option, const std::optional<std::string>& text, Value& value, Read&& read) {
  if (text) from_option(option, [&] { value = read(*text); });
}

}  // namespace

bool is_given(const LibraryOptions& options) {
  return options.library || options.version || options.launch || options.network ||
         options.channels || options.protocol || options.algorithm;
}

LibraryTerms terms_of(const LibraryOptions& options, LibraryTerms said) {
  const auto word = [](const auto& words) {
    return [&words](const std::string& text) { return words.at(text).value; };
  };
  take("--library", options.library, said.library,
       [](const std::string& text) { return libraries().at(text).name; });
  take("--library-version", options.version, said.version, version_of);
  take("--launch", options.launch, said.launch, word(launches()));
  take("--network", options.network, said.network, word(networks()));
  take("--channels", options.channels, said.pins.channels, channels_of);
  take("--protocol", options.protocol, said.pins.protocol, word(protocols()));
  take("--algorithm", options.algorithm, said.algorithm, parse_algorithm);
  return said;
}

void declare_library_options(CLI::App& app, LibraryOptions& options) {
  app.add_option("--library", options.library,
                 "nccl, rccl, or none; otherwise by the maker of the gpus");
  app.add_option("--library-version", options.version, "such as 2.19.3; otherwise a present one");
  app.add_option("--launch", options.launch,
                 "how ranks are started: one_process, process_per_gpu, graph or unknown");
  app.add_option("--network", options.network,
                 "between machines: infiniband, roce, slingshot, efa, tcpxo, tcp or none");
  app.add_option("--channels", options.channels, "at most so many, as NCCL_MAX_NCHANNELS");
  app.add_option("--protocol", options.protocol, "ll, ll128 or simple, as NCCL_PROTO");
  app.add_option("--algorithm", options.algorithm,
                 "ring, tree, nvls, nvls_tree or pat, as NCCL_ALGO; or a strategy that ran in its "
                 "place");
}

}  // namespace syncsim::cli
