#include "sim/exec/engine_resources.h"

namespace syncsim {

std::vector<double> capacities_of(const Resources& resources) {
  std::vector<double> result;
  for (const Resource& resource : resources.all()) result.push_back(resource.capacity);
  return result;
}

std::vector<ResourceTotals> resource_totals(const engine::Totals& totals,
                                            const Resources& resources) {
  std::vector<ResourceTotals> result;
  for (std::size_t i = 0; i < resources.all().size(); ++i) {
    const Resource& resource = resources.all()[i];
    const engine::ResourceUsage& usage = totals.resources[i];
    result.push_back(
        {resource.name, resource.capacity, usage.bytes, {usage.busy}, {usage.saturated}});
  }
  return result;
}

}  // namespace syncsim
