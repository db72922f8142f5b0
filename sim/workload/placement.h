#pragma once
// Which server of a key-value store holds what: keys, or parts of large ones, as parameter servers
// place them. Keys are numbered as frameworks number parameters, in forward order.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/base/units.h"

namespace syncsim {

enum class Placement : std::uint8_t { mxnet, ps_lite, balanced, byteps };

struct PlacementRow {
  std::string_view name;  // "mxnet", "ps-lite", "balanced", "byteps"
  std::string_view description;
  Placement placement;
};
const NamedTable<PlacementRow>& placements();

struct PlacementOptions {
  Placement placement = Placement::mxnet;
  std::int64_t element = 4;      // bytes of an element; parts begin with one
  std::int64_t big = 1'000'000;  // mxnet: elements from which a key goes to all servers
                                 // (MXNET_KVSTORE_BIGARRAY_BOUND)
  Bytes partition{4'096'000};    // byteps: of a key at most (BYTEPS_PARTITION_BYTES)
};

// A contiguous part of a key at one server.
struct Shard {
  std::size_t key = 0;
  std::size_t server = 0;
  std::int64_t begin = 0;  // bytes into the key
  std::int64_t bytes = 0;
};

// By key, then by part. Every byte of every key once; parts of 0 bytes are left out.
//   mxnet     kvstore_dist.h EncodeDefaultKey: a key of fewer elements than `big` to server
//             (key x 9973) mod S, a larger one to all, part i ending at element round(E / S x
//             (i+1))
//   ps_lite   ranges of the keys themselves: server key / (kMaxKey / S), kMaxKey = 2^64 - 1; keys
//             that are small numbers all lie on server 0
//   balanced  whole keys by size, largest first, each onto the server that holds least
//   byteps    partitions of at most `partition`, the part p of key k to djb2("k x 2^16 + p") mod S
std::vector<Shard> place_keys(const PlacementOptions& options, std::span<const Bytes> keys,
                              std::size_t servers);

// Bytes at each server.
std::vector<std::int64_t> server_loads(std::span<const Shard> shards, std::size_t servers);

}  // namespace syncsim
