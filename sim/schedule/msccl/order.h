#pragma once
// Which send meets which receive, and what comes before what in an MSCCL plan, step by step: a step
// comes after the one before it in its thread block, after the one it depends on, and after the
// send of what it receives. A send itself waits for nobody to receive it.

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/schedule/check.h"
#include "sim/schedule/msccl/algorithm.h"
#include "sim/schedule/msccl/layout.h"

namespace syncsim::msccl {

using StepId = std::uint32_t;

struct StepPlace {
  int gpu = 0;
  std::uint32_t block = 0;     // position among the GPU's
  std::uint32_t position = 0;  // among the block's steps
};

class StepOrder {
 public:
  // Keeps a reference. Throws InputError for dependencies on steps that are not there, and for two
  // thread blocks that share a connection.
  StepOrder(const Algorithm& algorithm, const XmlText& xml, const Layout& layout);

  // Messages that nobody takes or sends, steps that wait for each other.
  const std::optional<Violation>& violation() const { return violation_; }

  std::uint32_t count() const { return static_cast<std::uint32_t>(places_.size()); }
  const StepPlace& place(StepId step) const { return places_[step]; }
  const Step& step(StepId step) const;
  const ThreadBlock& block(StepId step) const;
  std::uint32_t peer(StepId step) const { return peers_[step]; }  // receive of a send, or send
  std::uint32_t sender(StepId step) const { return senders_[step]; }
  std::uint32_t dependency(StepId step) const { return dependencies_[step]; }  // kNone: none
  // All steps, each after those that it comes after.
  const std::vector<StepId>& sequence() const { return sequence_; }
  // "GPU 0, thread block 2, step 5 (s)".
  std::string describe(StepId step) const;

 private:
  void place_steps();
  void find_dependencies();
  void match();
  void match_connection(const std::vector<StepId>& sends, const std::vector<StepId>& receives);
  void sort();
  Violation unmatched(StepId step, bool sends) const;
  Violation deadlock(const std::vector<std::uint32_t>& waits) const;
  std::uint32_t chunk_of(StepId step, const Place& place) const;

  const Algorithm& algorithm_;
  const XmlText& xml_;
  const Layout& layout_;
  std::vector<StepPlace> places_;
  std::vector<std::vector<StepId>> first_;  // of each block of each GPU
  std::vector<StepId> dependencies_;
  std::vector<StepId> peers_;    // of a step that sends: who receives it
  std::vector<StepId> senders_;  // of a step that receives: who sends it
  std::vector<StepId> sequence_;
  std::optional<Violation> violation_;
};

}  // namespace syncsim::msccl
