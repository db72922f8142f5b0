// Points at a library's costs, and the choices that are a library's.

#include "sim/scenario/library/library_run.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/scenario/library/library_field.h"
#include "sim/scenario/select.h"
#include "tests/scenario/scenarios.h"
#include "tests/support/refusal.h"

namespace syncsim::library_run_test {
namespace {

using testing::refusal_of;

const RunSettings kSettings{.shelf = SYNCSIM_SHELF,
                            .models = SYNCSIM_SOURCE_DIR "/scenarios/models"};

Point point(const std::string& fields) {
  const JsonFile file = JsonFile::parse("{" + fields + "}", "p.json");
  Fields all;
  for (const auto& [key, value] : file.root().members()) all.emplace(key, value);
  return read_point(all);
}

Report run(const std::string& fields) { return run_point(point(fields), kSettings); }

constexpr const char* kDgx = R"("topology": "dgx_a100", "bytes": "64 MiB", )";

}  // namespace

TEST_CASE("what a library would run is a generic strategy, with its protocol and its call") {
  const Report ring = run(std::string(kDgx) + R"("strategy": "nccl_ring")");
  REQUIRE(ring.facts.choice);
  CHECK(ring.facts.strategy == "nccl_ring");
  CHECK(ring.facts.choice->strategy == "ring");
  REQUIRE(ring.facts.library);
  CHECK(ring.facts.library->name == "nccl");
  CHECK(ring.facts.library->algorithm == "ring");
  CHECK(ring.facts.library->channels == 12);
  CHECK(ring.facts.library->call_us > 0);
  const Report tree = run(std::string(kDgx) + R"("strategy": "nccl_tree")");
  CHECK(tree.facts.choice->strategy == "node_trees");
  CHECK(run(R"("topology": "hgx_h100", "bytes": "1 GiB", "strategy": "nvls")")
            .facts.choice->strategy == "in_network");
}

TEST_CASE("nccl takes what its tuner does, and takes as long as that by name") {
  const Report nccl = run(std::string(kDgx) + R"("strategy": "nccl")");
  const Report ring = run(std::string(kDgx) + R"("strategy": "nccl_ring")");
  CHECK(nccl.facts.library->algorithm == "ring");
  CHECK(nccl.time == ring.time);
  CHECK(nccl.facts.library->protocol == ring.facts.library->protocol);
  const Report pinned = run(std::string(kDgx) +
                            R"("strategy": "nccl", "library": {"name": "nccl", "protocol": "ll"})");
  CHECK(pinned.facts.library->protocol == "ll");
  CHECK(pinned.time > nccl.time);
}

TEST_CASE("an algorithm is pinned for nccl, or a strategy takes its place") {
  const auto with = [&](const std::string& strategy, const std::string& algorithm) {
    return run(std::string(kDgx) + R"("strategy": ")" + strategy +
               R"(", "library": {"name": "nccl", "algorithm": ")" + algorithm + R"("})");
  };
  const Report tree = with("nccl", "tree");
  CHECK(tree.facts.library->algorithm == "tree");
  CHECK(tree.time == run(std::string(kDgx) + R"("strategy": "nccl_tree")").time);
  const Report other = with("nccl", "one_shot");
  CHECK(other.facts.library->algorithm == "one_shot");
  CHECK(other.facts.choice->strategy == "one_shot");
  CHECK(
      refusal_of([&] { (void)with("ring", "one_shot"); })
          .ends_with("the algorithm one_shot would run in place of ring; name it as the strategy, "
                     "or take the strategy nccl"));
  CHECK(refusal_of([&] { (void)with("nccl_ring", "tree"); })
            .ends_with("nccl_ring says which algorithm runs already; leave out the other one, or "
                       "take the strategy nccl"));
}

TEST_CASE("a strategy at a library's costs is slower than on the bare machine by what they are") {
  const std::string ring = R"("topology": "dgx_a100", "bytes": "960 MB", "strategy": "ring")";
  const Report bare = run(ring + R"(, "rates": "usable")");
  const Report free = run(ring + R"(, "library": "none")");
  const Report nccl = run(ring + R"(, "library": {"launch": "process_per_gpu"})");
  CHECK(free.time == bare.time);
  CHECK(nccl.time > free.time);
  CHECK(nccl.bound.seconds <= seconds(nccl.time));
  CHECK(nccl.facts.rates == Rates::usable);
}

TEST_CASE("one process of many gpus takes at least its own time") {
  const std::string tiny =
      R"("topology": "dgx_a100", "bytes": "8 B", "strategy": "nccl", "library": )";
  const Report one = run(tiny + R"({"launch": "one_process"})");
  CHECK(microseconds(one.time) == doctest::Approx(one.facts.library->host_us).epsilon(1e-6));
  CHECK(run(tiny + R"({"launch": "process_per_gpu"})").time < one.time);
}

TEST_CASE("an algorithm that the library would not run here is refused") {
  CHECK(refusal_of([&] { (void)run(std::string(kDgx) + R"("strategy": "nvls")"); }) ==
        "p.json:/strategy: nvls is nothing that NCCL would run here; "
        "name nccl, which takes what applies");
  CHECK(refusal_of([&] {
          (void)run(std::string(kDgx) + R"("strategy": "nccl", "parameters": {"chunks": "4"})");
        }).starts_with("p.json:/parameters/chunks: nccl takes no parameter"));
}

TEST_CASE("events, other executors and training do not go with a library's costs") {
  CHECK(refusal_of([&] {
          (void)run(std::string(kDgx) +
                    R"("strategy": "ring", "library": "nccl",
                       "events": [{"at": "1 us", "link": "gpu0-nvs0", "bandwidth": "1 GB/s"}])");
        }).starts_with("p.json:/events: events do not go with a library's costs"));
  CHECK(refusal_of([&] {
          (void)run(std::string(kDgx) +
                    R"("strategy": "ring", "library": "nccl", "executor": "nccl_formula")");
        }).starts_with("p.json:/executor: "));
  CHECK(refusal_of([&] {
          (void)point(R"("topology": "dgx1v", "model": "resnet50", "strategy": "ring",
                         "library": "nccl")");
        }).starts_with("p.json:/library: \"library\" is not of training steps"));
}

TEST_CASE("a library is a name, or an object with more of its terms") {
  const auto text = [](const std::string& json) {
    return library_text(read_library(JsonFile::parse(json, "l.json").root()));
  };
  CHECK(text(R"("rccl")") == "rccl");
  CHECK(text(R"({"name": "nccl", "version": "2.19.3", "launch": "graph", "network": "efa",
                 "protocol": "ll128", "channels": 4, "algorithm": "tree"})") ==
        "nccl version=2.19.3 launch=graph network=efa protocol=ll128 channels=4 algorithm=tree");
  CHECK(
      refusal_of([&] { (void)text(R"({"algorithm": "tre"})"); }) ==
      "l.json:/algorithm: \"tre\" is no algorithm; write ring, tree, nvls, nvls_tree or pat, or a "
      "strategy's name");
  CHECK(refusal_of([&] { (void)text(R"("mccl")"); }) ==
        "l.json:/: unknown library \"mccl\"; did you mean \"nccl\"?");
  CHECK(refusal_of([&] { (void)text(R"({"lunch": "graph"})"); }).starts_with("l.json:/lunch: "));
  CHECK(refusal_of([&] { (void)text("3"); }) ==
        R"(l.json:/: is the number 3; write "nccl", or {"name": "nccl", "launch": "one_process"})");
}

TEST_CASE("in training steps the choice is what the library would run for all gradients at once") {
  const Report report =
      run(R"("topology": "dgx1v", "model": "resnet50", "batch": 32, "strategy": "nccl")");
  CHECK(report.time.ps > 0);
}

}  // namespace syncsim::library_run_test
