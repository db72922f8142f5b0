#pragma once
// A model as a table: the header layer,bytes,forward,backward, then a line for each layer in
// forward order, the first layer first (CsvReader says what else a file may hold). Sizes and times
// have units: "4 kB", "1.2 ms". A layer leaves one gradient, called as itself, of float32; 0 B:
// none.

#include <string>

#include "sim/workload/model.h"

namespace syncsim {

// Throws InputError at "FILE:LINE" or "FILE:LINE:COLUMN".
Model read_layer_csv(const std::string& text, const std::string& file);

}  // namespace syncsim
