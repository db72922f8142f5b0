#include "sim/analysis/demand.h"

namespace syncsim {

std::vector<Demand> demands(const Collective& collective, const std::vector<std::uint32_t>& group,
                            std::size_t groups) {
  std::vector<Demand> result(groups);
  Demand every;  // of all groups; single ones are corrected
  const std::vector<std::int64_t> offsets = collective.block_boundaries();
  for (std::size_t block = 0; block + 1 < offsets.size(); ++block) {
    const auto size = static_cast<double>(offsets[block + 1] - offsets[block]);
    const int from = collective.contributor(static_cast<std::int64_t>(block));
    const int to = collective.holder(static_cast<std::int64_t>(block));
    const bool one_from = from != Collective::kEveryRank;
    const bool one_to = to != Collective::kEveryRank;
    Demand none;
    Demand& source = one_from ? result[group[static_cast<std::size_t>(from)]] : none;
    Demand& sink = one_to ? result[group[static_cast<std::size_t>(to)]] : none;
    if (one_from && one_to) {
      if (&source == &sink) continue;
      source.out += size;
      sink.in += size;
    } else if (one_from) {
      source.out += size;
      every.in += size;
      source.in -= size;
    } else if (one_to) {
      sink.in += size;
      every.out += size;
      sink.out -= size;
    } else {
      every.out += size;
      every.in += size;
    }
  }
  for (Demand& demand : result) demand = {demand.out + every.out, demand.in + every.in};
  return result;
}

}  // namespace syncsim
