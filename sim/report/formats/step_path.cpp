#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/page_text.h"
#include "sim/base/text.h"
#include "sim/report/formats/step.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPieces = 20;  // the rest is told by JSON
constexpr std::size_t kTimeWidth = 14;
constexpr std::size_t kWordsWidth = kPageWidth - kTimeWidth - 3;

std::string row(const std::string& time, const std::string& words) {
  return fmt::format("{:>{}}   {:.{}}\n", time, kTimeWidth, words, kWordsWidth);
}

std::string pair_of(const PathHop& hop) { return hop.from + ">" + hop.to; }

std::string words_of(const PathPiece& piece) {
  if (piece.hops.empty()) return piece.what + " on " + piece.node;
  const std::string first = piece.what + ": " + pair_of(piece.hops.front());
  if (piece.hops.size() == 1) return first;
  return fmt::format("{} .. {}, {}", first, pair_of(piece.hops.back()),
                     counted(piece.hops.size(), "hop"));
}

std::string_view word_of(PathKind kind) {
  switch (kind) {
    case PathKind::compute:
      return "compute";
    case PathKind::transfer:
      return "transfer";
    case PathKind::pause:
      return "pause";
  }
  return "";
}

Json hops_json(const PathPiece& piece) {
  Json list = Json::array();
  for (const PathHop& hop : piece.hops)
    list.push_back({{"from", hop.from},
                    {"to", hop.to},
                    {"bytes", hop.bytes.count},
                    {"start_us", microseconds(hop.start)},
                    {"finish_us", microseconds(hop.finish)},
                    {"links", hop.links}});
  return list;
}

}  // namespace

std::string path_text(const StepPath& path) {
  std::string sums =
      fmt::format("{}, from backward to backward: compute {}, transfer {}", to_string(path.time()),
                  to_string(path.compute), to_string(path.transfer));
  if (path.pause > Time{}) sums += ", pause " + to_string(path.pause);
  std::string text = "\n" + row("critical path", sums);
  for (std::size_t i = 0; i < std::min(path.pieces.size(), kMostPieces); ++i)
    text += row(to_string(path.pieces[i].finish - path.pieces[i].start), words_of(path.pieces[i]));
  if (path.pieces.size() > kMostPieces)
    text += row("", fmt::format("{} more; JSON has all", path.pieces.size() - kMostPieces));
  return text;
}

Json path_json(const StepPath& path) {
  Json pieces = Json::array();
  for (const PathPiece& piece : path.pieces)
    pieces.push_back({{"kind", word_of(piece.kind)},
                      {"what", piece.what},
                      {"node", piece.node.empty() ? Json(nullptr) : Json(piece.node)},
                      {"start_us", microseconds(piece.start)},
                      {"finish_us", microseconds(piece.finish)},
                      {"hops", hops_json(piece)}});
  return {{"time_us", microseconds(path.time())},
          {"compute_us", microseconds(path.compute)},
          {"transfer_us", microseconds(path.transfer)},
          {"pause_us", microseconds(path.pause)},
          {"pieces", pieces}};
}

}  // namespace syncsim
