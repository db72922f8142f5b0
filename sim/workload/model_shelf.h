#pragma once
// Shipped models: files NAME.json in a directory, scenarios/models of what came with the program.

#include <string>
#include <vector>

#include "sim/workload/model.h"

namespace syncsim {

// Sorted.
std::vector<std::string> model_names(const std::string& shelf_directory);

// `reference` is a path (it holds '/' or ends in ".json"; taken from the directory `beside`) or a
// shipped name. Throws InputError, without a place where there is no such model; did-you-mean.
Model load_model(const std::string& reference, const std::string& shelf_directory,
                 const std::string& beside = "");

}  // namespace syncsim
