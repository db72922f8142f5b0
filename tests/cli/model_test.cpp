// `syncsim model`: shipped models and files shown, scaled, imported; what is refused.

#include "tests/cli/refusals.h"

namespace syncsim::testing::model_test {
namespace {

Arguments show(const Arguments& more) { return with({"model", "show"}, more); }

constexpr const char* kTable =
    "layer,bytes,forward,backward\nconv,1 kB,1 ms,2 ms\nfc,4 kB,3 us,5 us\n";

// In a folder with a table of layers.
Outcome import(const Arguments& more) {
  const TemporaryFolder folder;
  folder.write("l.csv", kTable);
  return syncsim(with({"model", "import"}, more), folder.path());
}

}  // namespace

TEST_CASE("a shipped model is shown: sums, sources, largest tensors") {
  const Outcome outcome = syncsim(show({"lenet"}));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK("\n" + outcome.out == R"(
lenet: 8 tensors in 4 layers, 516272 B of float32, batch 256
  LeNet as the textbook trains it on several GPUs, 129,068 parameters, 28 x 28 images
  source: Dive into Deep Learning, Training on Multiple GPUs (d2l.ai): W1 20x1x3x3, W2 50x20x5x5, W3
    800x128, W4 128x10, and their biases; layers in backward order
  times estimated: 2 FLOPs per multiplication forward (26 x 26, 9 x 9, 1 and 1 positions), twice
    that backward, at an achieved 1 TFLOP/s float32, batch 256; no time for activations, pooling and
    launches
forward        1.1522 ms
backward       2.3044 ms
largest        W3 400 KiB (79.3 %)
               W2 100 kB (19.4 %)
               W4 5 KiB (1.0 %)
               W1 720 B (0.1 %)
               b3 512 B (0.1 %)
)");
}

TEST_CASE("a model as JSON has its layers in backward order, scaled as asked for") {
  const Json model = json_of(syncsim(show({"vgg16", "--format", "json"})));
  CHECK(model["model"] == "vgg16");
  CHECK(model["tensors"] == 32);
  CHECK(model["bytes"] == 553'430'176);
  CHECK(model["forward_us"] == 233'902.0);
  CHECK(model["times"]["kind"] == "measured");
  CHECK(model["layers"][0]["name"] == "classifier.6");
  CHECK(model["largest"][0]["name"] == "classifier.0.weight");
  const Json half = json_of(syncsim(show({"vgg16", "--format", "json", "--batch", "64",
                                          "--precision", "bf16", "--device-speed", "2"})));
  CHECK(half["batch"] == 64);
  CHECK(half["bytes"] == 276'715'088);
  CHECK(half["datatype"] == "bfloat16");
  CHECK(half["forward_us"] == 58'475.5);
}

TEST_CASE("wrong models and scales are refused where they stand") {
  check_refused(syncsim(show({"vgg61"})), R"(unknown model "vgg61"; did you mean "vgg16"?)");
  check_refused(syncsim(show({"lenet", "--batch", "0"})),
                R"(--batch: "0" is out of range; write one from 1 to 16777216)");
  check_refused(syncsim(show({"lenet", "--precision", "fp23"})),
                R"(--precision: unknown precision "fp23"; did you mean "fp32"?)");
  check_refused(syncsim(show({"lenet", "--device-speed", "fast"})),
                "--device-speed: \"fast\" is no speed; write a number from 0.000001 to 1000000, "
                "such as 2.5; 1 is the model's own");
  check_refused(syncsim({"model", "sho"}), R"(unknown model command "sho"; did you mean "show"?)");
}

TEST_CASE("an imported model is named after its file, and shown from it") {
  const TemporaryFolder folder;
  folder.write("l.csv", kTable);
  const Outcome outcome = syncsim(
      {"model", "import", "csv", "l.csv", "--batch", "8", "--out", "mine.json"}, folder.path());
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "");
  CHECK(outcome.err == "");
  CHECK("\n" + read_text(folder.path() + "/mine.json") == R"(
{
  "name": "mine",
  "description": "imported from csv",
  "source": "l.csv",
  "times": {"kind": "measured", "source": "l.csv"},
  "batch": 8,
  "datatype": "float32",
  "layers": [
    {"name": "fc", "forward": "3 us", "backward": "5 us", "tensors": [
      {"name": "fc", "bytes": "4 kB"}]},
    {"name": "conv", "forward": "1 ms", "backward": "2 ms", "tensors": [
      {"name": "conv", "bytes": "1 kB"}]}
  ]
}
)");
  const Json shown =
      json_of(syncsim({"model", "show", "mine.json", "--format", "json"}, folder.path()));
  CHECK(shown["bytes"] == 5'000);
  CHECK(shown["batch"] == 8);
}

TEST_CASE("a profiler's trace is imported") {
  const Outcome outcome =
      syncsim({"model", "import", "kineto", "tests/workload/data/gpu_step.json", "--name", "net"});
  CHECK(outcome.exit_code == 0);
  const Json model = Json::parse(outcome.out);
  CHECK(model["name"] == "net");
  CHECK(model["batch"] == 1);
  CHECK(model["layers"][0]["name"] == "Linear_1");
  CHECK(model["layers"][0]["backward"] == "26.75 us");
}

TEST_CASE("imports that cannot be are refused, and leave no file") {
  check_refused(import({"cvs", "l.csv"}), R"(unknown import format "cvs"; did you mean "csv"?)");
  check_refused(import({"csv", "l.csv", "--batch", "x"}),
                R"(--batch: "x" is no whole number; write one from 1 to 16777216)");
  check_refused(import({"csv", "l.csv", "--name", ""}),
                R"(--name: "" is no name; name the model in plain text)");
  const TemporaryFolder folder;
  folder.write("bad.csv", "layer\n");
  check_refused(
      syncsim({"model", "import", "csv", "bad.csv", "--out", "mine.json"}, folder.path()),
      R"(bad.csv:1: the header is "layer"; begin the file with the line layer,bytes,forward,backward)");
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/mine.json"));
}

TEST_CASE("models are listed and completed") {
  const Json listed = json_of(syncsim({"list", "models", "--format", "json"}));
  CHECK(listed["models"].size() == 8);
  CHECK(listed["models"][0]["name"] == "alexnet");
  CHECK(syncsim({"completion", "bash", "--", "model", "show", "gpt2"}).out == "gpt2\ngpt2_xl\n");
  CHECK(syncsim({"completion", "bash", "--", "model", "import", "k"}).out == "kineto\n");
}

}  // namespace syncsim::testing::model_test
