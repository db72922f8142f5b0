#include "sim/cli/interrupt.h"

#include <csignal>

#include <atomic>

namespace syncsim::cli {
namespace {

// A signal handler can reach nothing else.
std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note(int signal) {
  noted.store(signal, std::memory_order_relaxed);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void note_if_heeded(int signal) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void note_interrupts() {
  note_if_heeded(SIGINT);
  note_if_heeded(SIGTERM);
}

int interrupting_signal() { return noted.load(std::memory_order_relaxed); }

int interrupted_exit_code() { return 128 + interrupting_signal(); }

}  // namespace syncsim::cli
