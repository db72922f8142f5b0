#include "sim/exec/cuda/place_run.h"

namespace syncsim {
namespace {

void look(Watch* watch, int done, int all) {
  const Progress progress{
      Stage::simulating, static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(all), {}};
  if (watch != nullptr && !watch->goes_on(progress)) throw Interrupted(progress);
}

}  // namespace

PlaceRun::PlaceRun(const Schedule& schedule, const RunData& data, const DeviceMap& map,
                   const BufferExtents& extents, PlaceRunner& runner)
    : data_(data), map_(map), extents_(extents), image_(schedule, data, extents), runner_(runner) {}

template <class Act>
void PlaceRun::each_place(Act&& act) {
  for (std::uint32_t place = 0; place < map_.places(); ++place)
    if (extents_.bytes_of(place) > 0)
      act(place, image_.data() + extents_.begin_of(place), extents_.bytes_of(place));
}

void PlaceRun::reset() {
  image_.reset();
  each_place([&](std::uint32_t place, std::byte* image, std::uint64_t bytes) {
    runner_.set({place, 0}, image, bytes);
  });
}

std::optional<WrongElement> PlaceRun::first_wrong() {
  each_place([&](std::uint32_t place, std::byte* image, std::uint64_t bytes) {
    runner_.get({place, 0}, image, bytes);
  });
  return data_.first_wrong([&](const CellPlace& cell) { return image_.at(cell); });
}

void PlaceRun::iterate(const RealOptions& options, Measurement& measurement) {
  const int all = options.warmup + options.iterations;
  for (int i = 0; i < all && !measurement.wrong; ++i) {
    look(options.watch, i, all);
    reset();
    const Time time = runner_.run();
    measurement.wrong = first_wrong();
    if (i >= options.warmup || measurement.wrong) measurement.times.push_back(time);
  }
  look(options.watch, all, all);
}

}  // namespace syncsim
