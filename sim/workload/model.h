#pragma once
// A model: what one training step computes and which gradients it leaves. Read from
// scenarios/models/NAME.json. Layers and tensors are in backward order, as gradients become ready;
// frameworks that number parameters do so the other way round (forward order).

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/base/named_table.h"
#include "sim/base/units.h"

namespace syncsim {

inline constexpr int kMostBatch = 1 << 24;
inline constexpr double kLeastSpeed = 1e-6;
inline constexpr double kMostSpeed = 1e6;

struct Tensor {
  std::string name;
  Bytes bytes;  // of the gradient and of the parameter, in the model's datatype
};

// Forward and backward are of one step at the model's batch; the gradients of all its tensors are
// ready when its backward ends.
struct Layer {
  std::string name;
  Time forward;
  Time backward;
  std::vector<Tensor> tensors;  // backward order; none: no parameters
};

struct Model {
  std::string name;
  std::string description;
  std::string source;        // of the sizes
  std::string times_source;  // of the times
  bool measured = false;     // the times; else estimated from FLOPs at a stated rate
  int batch = 1;             // samples a rank and step, which the times are of
  std::string datatype = "float32";
  std::vector<Layer> layers;  // backward order: the last layer first

  Bytes bytes() const;
  Time forward() const;
  Time backward() const;
  std::size_t tensors() const;
};

// The tensors of all layers in backward order.
std::vector<Tensor> tensors_of(const Model& model);

// Throws InputError with its place for what the file says wrongly: unknown and missing keys, names
// that stand twice, tensors of 0 bytes or of no whole elements, no tensor at all, sums beyond 64
// bits.
Model read_model(const JsonReader& json);

// For models made otherwise. Both throw InputError without a place: for a tensor of 0 bytes or of
// no whole elements; for a model without tensors, or with sums beyond 64 bits.
void validate_tensor(Bytes bytes, std::string_view datatype);
void validate_totals(const Model& model);

struct PrecisionRow {
  std::string_view name;  // fp32, bf16, fp16, mixed
  std::string_view description;
  std::string_view gradients;  // their datatype
};
const NamedTable<PrecisionRow>& precisions();

// How a model is to be run, where that differs from its file.
struct ModelScale {
  int batch = 0;               // samples a rank and step; 0: the model's. Times grow in proportion
  std::string precision = {};  // of precisions(): sets the gradients' bytes; empty: as they are
  double device_speed = 1;     // times are divided by it
};

// The model with every time and size scaled; times rounded to the nearest picosecond, a half up.
// "mixed" computes in 16 bit and keeps gradients in float32, as PyTorch's autocast does; bf16 and
// fp16 have gradients of 2 bytes an element. Precision leaves times as they are: how much faster a
// device is at it is `device_speed`. Throws InputError without a place for an unknown precision, a
// batch or speed out of its range, times or sizes beyond 64 bits.
Model scaled(const Model& model, const ModelScale& scale);

}  // namespace syncsim
