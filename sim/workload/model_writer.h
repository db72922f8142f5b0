#pragma once
// A model as a model file: the inverse of read_model, read(write(m)) == m in everything, and as a
// person would write it: a layer on a line where it fits, a tensor on a line where it does not.

#include <string>

#include "sim/workload/model.h"

namespace syncsim {

std::string model_json(const Model& model);  // ends with a newline

}  // namespace syncsim
