#include <algorithm>
#include <limits>
#include <map>

#include "sim/topology/drawing/labels.h"
#include "sim/topology/drawing/layout.h"

namespace syncsim::drawing {
namespace {

void enclose(const Picture& picture, Frame& frame, double margin) {
  frame.low = {std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  frame.high = {std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest()};
  const auto cover = [&](Spot low, Spot high) {
    frame.low = {std::min(frame.low.x, low.x), std::min(frame.low.y, low.y)};
    frame.high = {std::max(frame.high.x, high.x), std::max(frame.high.y, high.y)};
  };
  for (const std::size_t i : frame.figures) {
    const Figure& f = picture.figures[i];
    cover({f.at.x - f.width / 2, f.at.y - f.height / 2},
          {f.at.x + f.width / 2, f.at.y + f.height / 2});
  }
  for (const Frame& inner : frame.inner) cover(inner.low, inner.high);
  frame.low = {frame.low.x - margin, frame.low.y - margin};
  frame.high = {frame.high.x + margin, frame.high.y + margin + kTitleHeight};
}

// The CPU at the top of the figure's tree, if there is one.
std::size_t root_of(const std::vector<std::size_t>& parents, std::size_t figure) {
  while (parents[figure] < parents.size()) figure = parents[figure];
  return figure;
}

// Sockets of one box, or of the machine; none where there is only one.
std::vector<Frame> sockets_of(const Picture& picture, const std::vector<std::size_t>& parents,
                              std::vector<std::size_t>& members) {
  std::map<std::size_t, std::vector<std::size_t>> trees;
  for (const std::size_t i : members)
    if (const std::size_t root = root_of(parents, i); picture.figures[root].role == Role::cpu)
      trees[root].push_back(i);
  std::vector<Frame> frames;
  if (trees.size() < 2) return frames;
  for (const auto& tree : trees) {
    const std::size_t root = tree.first;
    std::erase_if(members, [&](std::size_t i) { return root_of(parents, i) == root; });
    frames.push_back({"socket of " + picture.figures[root].lines.front(), tree.second});
    Frame& frame = frames.back();
    enclose(picture, frame, 9);
    if (text_width(frame.title) + 16 > frame.high.x - frame.low.x) frame.title = "socket";
  }
  return frames;
}

}  // namespace

void frame_sockets(Picture& picture, const std::vector<std::size_t>& parents) {
  std::map<std::string, std::vector<std::size_t>> boxes;
  for (std::size_t i = 0; i < picture.figures.size(); ++i)
    boxes[picture.figures[i].box].push_back(i);
  for (auto& [box, members] : boxes) {
    std::vector<Frame> sockets = sockets_of(picture, parents, members);
    if (box.empty()) {
      for (Frame& socket : sockets) picture.frames.push_back(std::move(socket));
      continue;
    }
    Frame frame{shown(box), members, std::move(sockets)};
    enclose(picture, frame, 12);
    picture.frames.push_back(std::move(frame));
  }
}

}  // namespace syncsim::drawing
