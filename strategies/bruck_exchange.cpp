#include "strategies/bruck_exchange.h"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "strategies/rounds.h"

namespace syncsim::strategy {
namespace {

class Exchange {
 public:
  explicit Exchange(ScheduleBuilder& builder)
      : builder_(builder),
        rounds_(builder),
        ranks_(builder.ranks()),
        steps_(static_cast<int>(std::bit_width(static_cast<unsigned>(ranks_ - 1)))) {
    announce();
    const std::int64_t element = builder.collective().element_size();
    least_ = builder.collective().elements() / ranks_ * element;
    slot_ = (builder.collective().elements() + ranks_ - 1) / ranks_ * element;
    packed_ = slots("packed");
    for (int step = 0; step < steps_; ++step)
      received_.push_back(slots("received" + std::to_string(step)));
    cut_blocks();
  }

  void emit() {
    builder_.phase("exchange");
    for (int step = 0; step < steps_; ++step) {
      for (int rank = 0; rank < ranks_; ++rank) send(rank, step);
      rounds_.next();
    }
    for (int rank = 0; rank < ranks_; ++rank)
      for (int further = 1; further < ranks_; ++further) {
        const int from = (rank + ranks_ - further) % ranks_;
        copy_within(rank, place(rank, further, steps_), builder_.block(from, rank));
      }
  }

 private:
  // How many of 1 to `limit` - 1 have the bit of a step set.
  static int with_bit(int step, int limit) {
    const int period = 2 << step;
    return limit / period * (1 << step) + std::max(0, limit % period - (1 << step));
  }

  void announce() const {
    std::uint64_t packed = 0;
    for (int step = 0; step < steps_; ++step)
      packed += static_cast<std::uint64_t>(with_bit(step, ranks_));
    const auto ranks = static_cast<std::uint64_t>(ranks_);
    const auto steps = static_cast<std::uint64_t>(steps_);
    builder_.expect({.ops = ranks * (steps + packed + ranks - 1),
                     .lanes = ranks * (steps + 1),
                     .chunks_an_op = 4});  // messages are of many, all others of 1 or 2
  }

  // A buffer of a slot for each block that a step sends, each cut where a small block ends.
  Slice slots(const std::string& name) const {
    const int count = with_bit(0, ranks_);
    const Slice all = builder_.scratch(name, {count * slot_});
    for (int i = 0; i < count; ++i) cut(slot(all, i));
    return all;
  }
  Slice slot(const Slice& all, int index) const {
    return {all.buffer, all.begin + index * slot_, all.begin + (index + 1) * slot_};
  }
  Slice first_slots(const Slice& all, int count) const {
    return {all.buffer, all.begin, all.begin + count * slot_};
  }
  void cut(const Slice& slice) const {
    if (slice.size() > least_) builder_.split({slice.buffer, slice.begin, slice.begin + least_}, 1);
    builder_.split(slice, 1);
  }
  void cut_blocks() const {
    if (least_ == slot_) return;
    for (int from = 0; from < ranks_; ++from)
      for (int to = 0; to < ranks_; ++to) cut(builder_.block(from, to));
  }

  // Where a rank has, before a step, the block that was `further` from its owner at the start.
  Slice place(int rank, int further, int step) const {
    const int low_bits = further & ((1 << step) - 1);
    const int owner = (rank + ranks_ - low_bits) % ranks_;
    const Slice block = builder_.block(owner, (owner + further) % ranks_);
    if (low_bits == 0) return block;
    const int last = static_cast<int>(std::bit_width(static_cast<unsigned>(low_bits))) - 1;
    const Slice slot_of = slot(received_[static_cast<std::size_t>(last)], with_bit(last, further));
    return {slot_of.buffer, slot_of.begin, slot_of.begin + block.size()};
  }

  void send(int rank, int step) {
    int index = 0;
    for (int further = 1; further < ranks_; ++further) {
      if ((further >> step & 1) == 0) continue;
      const Slice from = place(rank, further, step);
      const std::int64_t begin = slot(packed_, index++).begin;
      copy_within(rank, from, {packed_.buffer, begin, begin + from.size()});
    }
    const Slice message = first_slots(packed_, index);
    const Slice target = first_slots(received_[static_cast<std::size_t>(step)], index);
    rounds_.copy(static_cast<ParticipantId>(rank), message,
                 static_cast<ParticipantId>((rank + (1 << step)) % ranks_), target);
  }
  void copy_within(int rank, const Slice& from, const Slice& to) const {
    const auto self = static_cast<ParticipantId>(rank);
    if (from.size() > 0) builder_.copy(self, from, self, to);
  }

  ScheduleBuilder& builder_;
  Rounds rounds_;
  int ranks_;
  int steps_;
  std::int64_t least_ = 0;  // bytes of the smallest block
  std::int64_t slot_ = 0;   // bytes of the largest
  Slice packed_;
  std::vector<Slice> received_;  // by step
};

}  // namespace

void emit_bruck_exchange(ScheduleBuilder& builder) {
  if (builder.ranks() > 1) Exchange(builder).emit();
}

}  // namespace syncsim::strategy
