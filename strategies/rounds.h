#pragma once
// Transfers in rounds, as a program of sends and receives makes them: what a rank sends or receives
// in a round waits for all that it sent and received in its round before. Data that is there
// already does not run ahead and take the port from what others wait for. A value: a copy goes on
// from the same rounds.

#include <cstdint>
#include <vector>

#include "sim/schedule/builder.h"

namespace syncsim::strategy {

class Rounds {
 public:
  // Of the ranks of the builder's scope.
  explicit Rounds(ScheduleBuilder& builder);

  void copy(ParticipantId from, ParticipantId to, const Slice& slice, std::uint16_t channel = 0);
  void copy(ParticipantId from, const Slice& source, ParticipantId to, const Slice& destination);
  void reduce(ParticipantId from, ParticipantId to, const Slice& slice, std::uint16_t channel = 0);
  void reduce(ParticipantId from, const Slice& source, ParticipantId to, const Slice& destination,
              std::uint16_t channel = 0);
  // The next round begins.
  void next();

 private:
  void order(OpId op, ParticipantId from, ParticipantId to);

  struct Ops {
    std::vector<OpId> before;  // of the last round in which the rank had any
    std::vector<OpId> now;
  };
  ScheduleBuilder* builder_;
  std::vector<Ops> of_rank_;
};

}  // namespace syncsim::strategy
