#pragma once
// A crew's threads for tasks whose outcomes are kept by the tasks themselves.

#include "sim/base/side_by_side.h"
#include "sim/base/watch.h"

namespace syncsim::cli {

// For settings of such tasks: stops on an interrupt; any thread may call it.
Watch& interrupt_watch();

// `draws`: a progress bar on stderr, where that is a terminal, with how many tasks are done. Throws
// Interrupted after an interrupt.
SideBySide on_threads(std::size_t jobs, bool draws);

}  // namespace syncsim::cli
