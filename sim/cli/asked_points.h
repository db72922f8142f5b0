#pragma once
// What a command is asked to run: the points of scenario files, or one grid said on the command
// line.

#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/point_options.h"

namespace syncsim::cli {

struct AskedPoints {
  std::vector<std::string> scenarios;
  PointOptions point;
};

// `declare_rest` declares the conditions that the command knows.
void declare_points(CLI::App& app, AskedPoints& asked,
                    void (*declare_rest)(CLI::App& app, PointOptions& options));

// Throws InputError where both or neither are said; then with the command's example.
std::vector<Point> points_of(const AskedPoints& asked, const CLI::App& app,
                             std::string_view command);

}  // namespace syncsim::cli
