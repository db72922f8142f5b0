#pragma once
// Scratch for scopes: parts of one buffer, since a schedule has 255 buffers at most and
// hierarchies have thousands of scopes. A part is empty for whoever gets it: it is given again only
// to scopes of as many ranks, of which none has had it, so that groups that do the same share one.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "sim/schedule/buffers.h"

namespace syncsim {

class ScratchSpace {
 public:
  explicit ScratchSpace(Buffers& buffers) : buffers_(buffers) {}
  ScratchSpace(const ScratchSpace&) = delete;
  ScratchSpace& operator=(const ScratchSpace&) = delete;

  Slice find(const std::string& name, std::int64_t size, std::span<const ParticipantId> ranks);

 private:
  struct Part {
    Slice slice;
    std::vector<bool> given;  // by rank
  };

  Buffers& buffers_;
  std::optional<std::uint8_t> buffer_;
  std::int64_t end_ = 0;
  // By name, size and number of ranks: scopes alike cut a part alike.
  std::map<std::tuple<std::string, std::int64_t, std::size_t>, std::vector<Part>> parts_;
};

}  // namespace syncsim
