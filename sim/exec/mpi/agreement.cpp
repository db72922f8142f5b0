#include "sim/exec/mpi/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "sim/exec/mpi/together.h"

namespace syncsim {
namespace {

using State = Saying::State;

constexpr int kBadInput = 2;

// As it travels.
struct Message {
  State state = State::ready;
  std::int32_t exit_code = 0;
  std::uint64_t digest = 0;
  std::uint64_t need = 0;
  std::uint64_t machine = 0;
  char error[992] = {};
};
static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) == 1024);

Message message_of(const Saying& saying) {
  Message message{saying.state, saying.exit_code, saying.digest, saying.need, saying.machine, {}};
  std::memcpy(message.error, saying.error.data(),
              std::min(saying.error.size(), sizeof message.error - 1));
  return message;
}

Saying saying_of(const Message& message) {
  return {message.state, message.exit_code, message.digest,
          message.need,  message.machine,   message.error};
}

}  // namespace

std::vector<Saying> agree(const Saying& own, Watch* watch) {
  std::vector<Saying> all;
  Patience patience(watch);
  for (const Message& message : gathered(message_of(own), patience))
    all.push_back(saying_of(message));
  const auto failed = [](const Saying& saying) { return saying.state == State::failed; };
  const auto first = std::find_if(all.begin(), all.end(), failed);
  if (first != all.end()) throw JointFailure(joint_text(all), first->exit_code);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank].state != all[0].state)
      throw JointFailure(fmt::format("rank {} of mpirun does not run as many points as rank 0; "
                                     "start all with the same arguments and files",
                                     rank),
                         kBadInput);
  return all;
}

}  // namespace syncsim
