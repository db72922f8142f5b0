#include "sim/exec/engine_resources.h"

#include <algorithm>

namespace syncsim {
namespace {

// Averages of capacities over a time. Of a resource that keeps its capacity all that time it is
// that, to the bit.
class MeanCapacities {
 public:
  MeanCapacities(const Resources& resources, Time begin, Time end)
      : begin_(begin.ps),
        end_(end.ps),
        present_(capacities_of(resources)),
        since_(present_.size(), begin.ps),
        carried_(present_.size(), 0.0) {}

  // In order of time.
  void take(const engine::CapacityChange& change) {
    if (change.time >= end_ || change.capacity == present_[change.resource]) return;
    close(change.resource, std::max(change.time, begin_));
    present_[change.resource] = change.capacity;
  }

  double of(engine::ResourceIndex resource) {
    if (since_[resource] == begin_) return present_[resource];
    close(resource, end_);
    return carried_[resource] / static_cast<double>(end_ - begin_);
  }

 private:
  void close(engine::ResourceIndex resource, std::int64_t time) {
    carried_[resource] += present_[resource] * static_cast<double>(time - since_[resource]);
    since_[resource] = time;
  }

  std::int64_t begin_;
  std::int64_t end_;
  std::vector<double> present_;
  std::vector<std::int64_t> since_;
  std::vector<double> carried_;  // at most, bytes x 1e12
};

}  // namespace

std::vector<double> capacities_of(const Resources& resources) {
  std::vector<double> result;
  for (const Resource& resource : resources.all()) result.push_back(resource.capacity);
  return result;
}

std::vector<engine::CapacityChange> capacity_changes(std::span<const LinkChange> changes,
                                                     const Resources& resources, Rates rates) {
  std::vector<engine::CapacityChange> result;
  for (const LinkChange& change : changes) {
    const ResourceId resource = resources.of_link(change.link);
    const bool second_way = change.link % 2 == 1 && resource == resources.of_link(change.link - 1);
    if (!second_way)
      result.push_back({change.at.ps, resource, change.rate(rates).bytes_per_second});
  }
  return result;
}

std::vector<ResourceTotals> resource_totals(const engine::Totals& totals,
                                            const Resources& resources,
                                            std::span<const engine::CapacityChange> changes,
                                            Time begin, Time end) {
  MeanCapacities capacities(resources, begin, end);
  for (const engine::CapacityChange& change : changes) capacities.take(change);
  std::vector<ResourceTotals> result;
  for (ResourceId id = 0; id < resources.all().size(); ++id) {
    const engine::ResourceUsage& usage = totals.resources[id];
    result.push_back({resources.all()[id].name,
                      capacities.of(id),
                      usage.bytes,
                      {usage.busy},
                      {usage.saturated}});
  }
  return result;
}

}  // namespace syncsim
