#include "sim/scenario/library/expected_figures.h"

#include <fmt/format.h>

#include "sim/analysis/bounds_by_size.h"
#include "sim/scenario/library/library_times.h"
#include "sim/scenario/range.h"
#include "sim/scenario/setting.h"

namespace syncsim {
namespace {

constexpr std::string_view kUsualSizes = "1 KiB..16 GiB x4";

// The machine with its ranks; the collective's kind and size come later.
Setting machine_setting(const FiguresQuery& query, const RunSettings& settings) {
  Point point = query.point;
  point.collective = CollectiveKind::allreduce;
  point.bytes = {};
  Setting setting = setting_of(point, settings);
  require_peers(point, setting);
  return setting;
}

void require_size(const Point& point, Collective collective, Bytes bytes) {
  collective.bytes = bytes;
  at_field(point, "bytes", [&] {
    if (bytes.count == 0) throw InputError("0 B take no time", "give sizes above 0");
    validate(collective);
  });
}

LibraryFigure figure_of(const LibraryTimes& times, Bytes bytes, const LowerBound& bound) {
  const LibraryTime& time = times.at(bytes);
  return {.bytes = bytes,
          .microseconds = time.microseconds,
          .bound = bound.seconds * 1e6,
          .bound_kind = bound.kind,
          .algorithm = time.algorithm,
          .protocol = time.protocol,
          .channels = time.channels,
          .binds = what_binds(times, bytes)};
}

class Figures {
 public:
  Figures(const FiguresQuery& query, const RunSettings& settings)
      : query_(query), settings_(settings), setting_(machine_setting(query, settings)) {
    result_.topology = setting_.machine.name();
    result_.datatype = setting_.collective.datatype;
    result_.ranks = setting_.collective.ranks;
    for (const Edit& edit : query.point.edits) result_.edits.push_back(edit.text);
    sizes_ = query.sizes.empty() ? parse_sizes(kUsualSizes) : query.sizes;
  }

  LibraryFigures of(const std::vector<CollectiveKind>& kinds) {
    for (const CollectiveKind kind : kinds) add(kind);
    return std::move(result_);
  }

  // Those that the model takes; it refuses the first's reason where there is none.
  LibraryFigures of_usual() {
    std::optional<InputError> first;
    for (const CollectiveKind kind : usual_collectives()) {
      try {
        add(kind);
      } catch (const InputError& failure) {
        if (failure.place() != query_.point.place("topology")) throw;
        if (!first) first = failure;
        result_.notes.push_back(
            fmt::format("{} is left out: {}", to_string(kind), failure.wrong()));
      }
    }
    if (result_.collectives.empty()) throw *first;
    return std::move(result_);
  }

 private:
  void add(CollectiveKind kind) {
    if (kind == CollectiveKind::barrier)
      throw InputError("a barrier moves no bytes", "choose another collective", "--collective");
    CollectiveFigures figures{kind};
    Collective collective = setting_.collective;
    collective.kind = kind;
    for (const Bytes bytes : sizes_) require_size(query_.point, collective, bytes);
    at_field(query_.point, "topology", [&] {
      const LibraryModel model(setting_.machine, setting_.ranks, collective, query_.terms,
                               settings_);
      LibraryTimes times;
      for (const Bytes bytes : sizes_) add_time(times, model, bytes, query_.point.place("bytes"));
      const std::vector<NodeId> switches = able_nodes(setting_.machine);
      const BoundsBySize bounds({.topology = setting_.machine,
                                 .ranks = setting_.ranks,
                                 .collective = collective,
                                 .rates = Rates::line,
                                 .helpers = switches});
      for (const Bytes bytes : sizes_)
        figures.sizes.push_back(figure_of(times, bytes, bounds.at(bytes)));
      result_.library = setup_of(model);
    });
    result_.collectives.push_back(std::move(figures));
  }

  const FiguresQuery& query_;
  const RunSettings& settings_;
  Setting setting_;
  std::vector<Bytes> sizes_;
  LibraryFigures result_;
};

}  // namespace

const std::vector<CollectiveKind>& usual_collectives() {
  static const std::vector<CollectiveKind> kinds = {
      CollectiveKind::allreduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
      CollectiveKind::all_to_all};
  return kinds;
}

LibraryFigures expected_figures(const FiguresQuery& query, const RunSettings& settings) {
  Figures figures(query, settings);
  return query.collectives.empty() ? figures.of_usual() : figures.of(query.collectives);
}

}  // namespace syncsim
