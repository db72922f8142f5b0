#pragma once
// Ctrl-C (SIGINT) and SIGTERM: the first one leaves a note for those who look for it, so that a
// long run can end with what it knows; the next one ends the program at once.

namespace syncsim::cli {

// From now on. A signal that the program was started to ignore, as in the background of a script,
// stays ignored.
void note_interrupts();

// The signal that came, 0 when none did.
int interrupting_signal();

// As shells count: 128 + the signal.
int interrupted_exit_code();

}  // namespace syncsim::cli
