// syncsim manual: the manual page on stdout.

#include <iostream>

#include "sim/cli/command.h"
#include "sim/cli/manual.h"

namespace syncsim::cli {

std::function<int()> declare_manual(CLI::App& app) {
  return [&app] {
    std::cout << manual_page(*app.get_parent());
    return kGood;
  };
}

}  // namespace syncsim::cli
