#pragma once
// The inverse of expand_range (id_range.h): ids in order back to the text that stands for them.
// "gpu0", "gpu1", "gpu2" become "gpu[0-2]"; "node0/gpu[0-7]" and "node1/gpu[0-7]" become
// "node[0-1]/gpu[0-7]". Only neighbours merge, so the order of the ids is that of the text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace syncsim {

// Ids of one form. Refers to the text of the first id.
class IdPattern {
 public:
  explicit IdPattern(std::string_view id);

  std::int64_t size() const { return size_; }
  std::string text() const;
  // Of both one after the other; nothing when no text stands for that.
  std::optional<IdPattern> followed_by(const IdPattern& next) const;

  friend bool operator==(const IdPattern&, const IdPattern&) = default;

 private:
  struct Piece {
    std::string_view before;
    std::int64_t first = 0;
    std::int64_t last = 0;
    friend bool operator==(const Piece&, const Piece&) = default;
  };

  bool is_range(std::size_t piece) const { return pieces_[piece].first < pieces_[piece].last; }

  std::vector<Piece> pieces_;
  std::string_view rest_;
  std::int64_t size_ = 1;
};

// All of them, in order, as few texts as neighbours allow.
std::vector<std::string> compressed(const std::vector<std::string_view>& ids);

}  // namespace syncsim
