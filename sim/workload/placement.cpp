#include "sim/workload/placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "sim/base/error.h"

namespace syncsim {
namespace {

using Keys = std::span<const Bytes>;

std::vector<Shard> mxnet(const PlacementOptions& options, Keys keys, std::size_t servers) {
  constexpr std::size_t kPrime = 9973;
  std::vector<Shard> shards;
  for (std::size_t key = 0; key < keys.size(); ++key) {
    const std::int64_t elements = keys[key].count / options.element;
    if (elements < options.big) {
      shards.push_back({key, key * kPrime % servers, 0, keys[key].count});
      continue;
    }
    const double each = static_cast<double>(elements) / static_cast<double>(servers);
    std::int64_t begin = 0;
    for (std::size_t server = 0; server < servers; ++server) {
      const auto end =
          static_cast<std::int64_t>(std::round(each * static_cast<double>(server + 1)));
      shards.push_back({key, server, begin * options.element, (end - begin) * options.element});
      begin = end;
    }
  }
  return shards;
}

std::vector<Shard> ps_lite(Keys keys, std::size_t servers) {
  const std::uint64_t range = std::numeric_limits<std::uint64_t>::max() / servers;
  std::vector<Shard> shards;
  for (std::size_t key = 0; key < keys.size(); ++key)
    shards.push_back({key, std::min<std::size_t>(key / range, servers - 1), 0, keys[key].count});
  return shards;
}

std::vector<Shard> balanced(Keys keys, std::size_t servers) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
  std::vector<std::int64_t> loads(servers);
  std::vector<Shard> shards(keys.size());
  for (const std::size_t key : order) {
    const auto least = std::min_element(loads.begin(), loads.end());
    *least += keys[key].count;
    shards[key] = {key, static_cast<std::size_t>(least - loads.begin()), 0, keys[key].count};
  }
  return shards;
}

// Bernstein's hash, as BytePS applies it to a key's digits (global.cc, Hash_DJB2).
std::uint64_t djb2(const std::string& text) {
  std::uint64_t hash = 5381;
  for (const char c : text) hash = hash * 33 + static_cast<std::uint64_t>(c);
  return hash;
}

std::vector<Shard> byteps(const PlacementOptions& options, Keys keys, std::size_t servers) {
  constexpr std::uint64_t kPartBits = 16;
  const std::int64_t most = options.partition.count / options.element * options.element;
  require(most > 0, "a partition holds an element at least");
  std::vector<Shard> shards;
  for (std::size_t key = 0; key < keys.size(); ++key) {
    std::uint64_t part = 0;
    for (std::int64_t begin = 0; begin < keys[key].count; begin += most, ++part) {
      const std::uint64_t hash = djb2(std::to_string((std::uint64_t{key} << kPartBits) + part));
      shards.push_back({key, hash % servers, begin, std::min(most, keys[key].count - begin)});
    }
  }
  return shards;
}

std::vector<Shard> placed(const PlacementOptions& options, Keys keys, std::size_t servers) {
  switch (options.placement) {
    case Placement::mxnet:
      return mxnet(options, keys, servers);
    case Placement::ps_lite:
      return ps_lite(keys, servers);
    case Placement::balanced:
      return balanced(keys, servers);
    case Placement::byteps:
      break;
  }
  return byteps(options, keys, servers);
}

}  // namespace

const NamedTable<PlacementRow>& placements() {
  static const NamedTable<PlacementRow> table(
      "placement",
      {{"mxnet", "small keys by hash, keys of a million elements over all servers",
        Placement::mxnet},
       {"ps-lite", "ranges of the keys themselves", Placement::ps_lite},
       {"balanced", "largest first, onto the server that holds least", Placement::balanced},
       {"byteps", "partitions of 4,096,000 B by hash", Placement::byteps}});
  return table;
}

std::vector<Shard> place_keys(const PlacementOptions& options, Keys keys, std::size_t servers) {
  require(servers > 0, "keys are placed on one server at least");
  std::vector<Shard> shards = placed(options, keys, servers);
  std::erase_if(shards, [](const Shard& shard) { return shard.bytes == 0; });
  return shards;
}

std::vector<std::int64_t> server_loads(std::span<const Shard> shards, std::size_t servers) {
  std::vector<std::int64_t> loads(servers);
  for (const Shard& shard : shards) loads[shard.server] += shard.bytes;
  return loads;
}

}  // namespace syncsim
