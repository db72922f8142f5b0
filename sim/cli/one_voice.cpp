#include "sim/cli/one_voice.h"

#include <algorithm>
#include <string_view>

#ifdef SYNCSIM_MPI
#include <fmt/format.h>

#include <iostream>

#include "sim/cli/colour.h"
#include "sim/cli/failure.h"
#include "sim/cli/interrupt.h"
#include "sim/exec/mpi/agreement.h"
#include "sim/exec/mpi/session.h"
#endif

namespace syncsim::cli {

bool is_for_all_processes(std::span<char*> words) {
  const auto is = [](std::string_view wanted) {
    return [wanted](const char* word) { return wanted == word; };
  };
  if (words.empty() || !is("execute")(words[0])) return false;
  if (std::any_of(words.begin(), words.end(), is("--executor=mpi"))) return true;
  const auto option = std::find_if(words.begin(), words.end(), is("--executor"));
  return option != words.end() && option + 1 != words.end() && is("mpi")(option[1]);
}

#ifndef SYNCSIM_MPI

int in_one_voice(const std::function<int()>& act) { return act(); }

#else

namespace {

class SignalWatch : public Watch {
 public:
  bool goes_on(const Progress&) override { return interrupting_signal() == 0; }
};

void fall_silent() {
  std::cout.setstate(std::ios::failbit);
  std::cerr.setstate(std::ios::failbit);
}

[[noreturn]] void end_all(const MpiSession& session, const Failure& failure) {
  std::cerr.clear();
  std::cerr << error_prefix() << fmt::format("on rank {}: {}", session.rank(), failure.text())
            << std::endl;
  MpiSession::end_all(failure.exit_code());
}

Failure cause_of(const BrokenOff& broken) {
  try {
    std::rethrow_if_nested(broken);
  } catch (...) {
    return current_failure();
  }
  return current_failure();
}

// Throws JointFailure where any of the processes fails, Interrupted.
int agreed(const MpiSession& session, const std::function<int()>& act) {
  SignalWatch watch;
  Saying own{.state = Saying::State::failed};
  try {
    own.exit_code = act();
    own.state = Saying::State::done;
  } catch (const Interrupted&) {
    throw;
  } catch (const JointFailure&) {
    throw;
  } catch (const BrokenOff& broken) {
    end_all(session, cause_of(broken));
  } catch (...) {
    const Failure failure = current_failure();
    own.error = failure.text();
    own.exit_code = failure.exit_code();
  }
  if (interrupting_signal() != 0) throw Interrupted({});
  return agree(own, &watch)[0].exit_code;
}

}  // namespace

int in_one_voice(const std::function<int()>& act) {
  MpiSession session;
  note_interrupts();
  if (!session.leads()) fall_silent();
  try {
    return agreed(session, act);
  } catch (const Interrupted&) {
    session.abandon();
    return interrupted_exit_code();
  } catch (const JointFailure& failure) {
    std::cerr << error_prefix() << failure.what() << std::endl;
    return failure.exit_code();
  }
}

#endif

}  // namespace syncsim::cli
