#include <cstring>

#include "sim/exec/cuda/device/place_memory.h"

namespace syncsim::cuda {

PlaceMemory::PlaceMemory(const DeviceMap& map, const std::vector<std::uint64_t>& bytes)
    : map_(map) {
  for (std::uint32_t place = 1; place < map.places(); ++place) {
    select(map.device(place));
    devices_.push_back(device_memory(bytes[place]));
  }
  host_ = pinned_memory(bytes[kHostPlace]);
}

std::byte* PlaceMemory::at(const GraphPlace& place) const {
  void* const begin =
      place.place == kHostPlace ? host_.get() : devices_[place.place - std::size_t{1}].get();
  return static_cast<std::byte*>(begin) + place.offset;
}

void PlaceMemory::set(const GraphPlace& place, const std::byte* from, std::uint64_t bytes) {
  if (bytes == 0) return;
  if (place.place == kHostPlace) {
    std::memcpy(at(place), from, bytes);
    return;
  }
  select(map_.device(place.place));
  check(cudaMemcpy(at(place), from, bytes, cudaMemcpyHostToDevice), "sending data to a device");
  check(cudaDeviceSynchronize(),
        "sending data to a device");  // small copies may still be under way
}

void PlaceMemory::get(const GraphPlace& place, std::byte* to, std::uint64_t bytes) {
  if (bytes == 0) return;
  if (place.place == kHostPlace) {
    std::memcpy(to, at(place), bytes);
    return;
  }
  select(map_.device(place.place));
  check(cudaMemcpy(to, at(place), bytes, cudaMemcpyDeviceToHost), "getting data of a device");
}

}  // namespace syncsim::cuda
