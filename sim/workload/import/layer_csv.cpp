#include "sim/workload/import/layer_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "sim/base/csv_reader.h"
#include "sim/base/quote.h"

namespace syncsim {
namespace {

constexpr std::array<std::string_view, 4> kColumns = {"layer", "bytes", "forward", "backward"};

class LayerReader {
 public:
  LayerReader(std::istream& input, const std::string& file) : csv_(input, file) {}

  std::vector<Layer> read() {
    const std::string header = fmt::format("{}", fmt::join(kColumns, ","));
    if (!csv_.next()) throw InputError("is empty", "begin it with the line " + header, csv_.name());
    if (!std::ranges::equal(csv_.fields(), kColumns))
      throw InputError(fmt::format("the header is {}",
                                   in_quotes(fmt::format("{}", fmt::join(csv_.fields(), ",")))),
                       "begin the file with the line " + header, csv_.place());
    while (csv_.next()) read_layer();
    if (layers_.empty())
      throw InputError("holds no layers", "write one a line below the header", csv_.name());
    std::reverse(layers_.begin(), layers_.end());
    return std::move(layers_);
  }

 private:
  template <class Read>
  auto field(std::size_t column, const Read& read) const {
    return placed([&] { return fmt::format("{}:{}", csv_.place(), kColumns[column]); },
                  [&] { return read(csv_.fields()[column]); });
  }

  void read_layer() {
    if (csv_.fields().size() != kColumns.size())
      throw InputError(
          fmt::format("the line has {} of {} fields", csv_.fields().size(), kColumns.size()),
          "write such as conv1,\"9408 B\",\"1.2 ms\",\"2.4 ms\"", csv_.place());
    Layer layer;
    layer.name = field(0, [&](std::string_view text) { return new_name(text); });
    const Bytes bytes = field(1, gradient_bytes);
    layer.forward = field(2, parse_time);
    layer.backward = field(3, parse_time);
    if (bytes.count > 0) layer.tensors = {{layer.name, bytes}};
    layers_.push_back(std::move(layer));
  }

  static Bytes gradient_bytes(std::string_view text) {
    const Bytes bytes = parse_bytes(text);
    if (bytes.count > 0) validate_tensor(bytes, Model{}.datatype);
    return bytes;
  }

  std::string new_name(std::string_view text) {
    if (text.empty()) throw InputError("is empty", "name the layer");
    if (printable(text) != text)
      throw InputError(in_quotes(text) + " is no plain text", "write it in UTF-8, on one line");
    if (!names_.emplace(text).second)
      throw InputError(fmt::format("layer {} stands twice", in_quotes(text)),
                       "give each a name of its own");
    return std::string(text);
  }

  CsvReader csv_;
  std::vector<Layer> layers_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace

Model read_layer_csv(const std::string& text, const std::string& file) {
  std::istringstream input(text);
  Model model;
  model.description = "imported from csv";
  model.source = file;
  model.times_source = file;
  model.measured = true;
  model.layers = LayerReader(input, file).read();
  placed([&] { return file; }, [&] { validate_totals(model); });
  return model;
}

}  // namespace syncsim
