// Tables of layers: what is read, and what is refused.

#include "sim/workload/import/layer_csv.h"

#include <doctest/doctest.h>

#include "tests/support/refusal.h"

namespace syncsim::layer_csv_test {
namespace {

const std::string kHeader = "layer,bytes,forward,backward\n";

Model read(const std::string& lines) { return read_layer_csv(kHeader + lines, "l.csv"); }

std::string refusal(const std::string& text) {
  return testing::refusal_of([&] { read_layer_csv(text, "l.csv"); });
}

std::string line_refusal(const std::string& line) { return refusal(kHeader + line); }

}  // namespace

TEST_CASE("a table of layers in forward order becomes a model in backward order") {
  const Model model =
      read("conv1, 9408 B, 1.2 ms, 2.4 ms\nrelu,0 B,3 us,5 us\n\"fc, 2\",4 kB,1 ns,2 ns\n");
  REQUIRE(model.layers.size() == 3);
  CHECK(model.layers[0].name == "fc, 2");
  CHECK(model.layers[0].forward == Time{1'000});
  CHECK(model.layers[0].tensors.at(0).name == "fc, 2");
  CHECK(model.layers[1].tensors.empty());
  CHECK(model.layers[2].name == "conv1");
  CHECK(model.layers[2].backward == Time{2'400'000'000});
  CHECK(model.bytes() == Bytes{13'408});
  CHECK(model.measured);
  CHECK(model.batch == 1);
  CHECK(model.times_source == "l.csv");
}

TEST_CASE("plain numbers in a table of layers are refused with advice") {
  CHECK(line_refusal("a,4,1 ms,1 ms") == R"(l.csv:2:bytes: "4" has no unit; write "4 MB")");
  CHECK(line_refusal("a,4 B,1.5,1 ms") == R"(l.csv:2:forward: "1.5" has no unit; write "1.5 us")");
  CHECK(line_refusal("a,4 B,1 ms,2") == R"(l.csv:2:backward: "2" has no unit; write "2 us")");
}

TEST_CASE("wrong tables of layers are refused with their line") {
  const std::string header = "begin the file with the line layer,bytes,forward,backward";
  CHECK(refusal("") == "l.csv: is empty; begin it with the line layer,bytes,forward,backward");
  CHECK(refusal("layer,forward\n") == R"(l.csv:1: the header is "layer,forward"; )" + header);
  CHECK(refusal(kHeader) == "l.csv: holds no layers; write one a line below the header");
  CHECK(line_refusal("a,4 B,1 ms") ==
        R"(l.csv:2: the line has 3 of 4 fields; write such as conv1,"9408 B","1.2 ms","2.4 ms")");
  CHECK(line_refusal(",4 B,1 ms,1 ms") == "l.csv:2:layer: is empty; name the layer");
  CHECK(line_refusal("a,4 B,1 ms,1 ms\na,4 B,1 ms,1 ms") ==
        R"(l.csv:3:layer: layer "a" stands twice; give each a name of its own)");
  CHECK(line_refusal("a\xff,4 B,1 ms,1 ms") ==
        R"(l.csv:2:layer: "a\xff" is no plain text; write it in UTF-8, on one line)");
  CHECK(line_refusal("a,6 B,1 ms,1 ms") ==
        "l.csv:2:bytes: 6 B is no multiple of float32's 4 bytes; write 4 B or 8 B");
  CHECK(line_refusal("a,0 B,1 ms,1 ms") ==
        "l.csv: no layer has a tensor; give at least one layer a tensor with its bytes");
  CHECK(line_refusal("a,4 B,9000000 s,1 s\nb,4 B,9000000 s,1 s") ==
        "l.csv: the times of all layers together pass 2^63 - 1 ps (about 106 days); write a "
        "smaller model");
}

}  // namespace syncsim::layer_csv_test
