#include "sim/schedule/op_columns.h"

#include <type_traits>

namespace syncsim {
namespace {

template <auto member>
constexpr OpColumn column(std::string_view name) {
  using Value = std::remove_reference_t<decltype(Op{}.*member)>;
  return {name, std::numeric_limits<Value>::max(),
          [](const Op& op) { return std::uint64_t{op.*member}; },
          [](Op& op, std::uint64_t value) { op.*member = static_cast<Value>(value); }};
}

constexpr OpColumn kColumns[] = {
    column<&Op::source>("source"),
    column<&Op::destination>("destination"),
    column<&Op::channel>("channel"),
    column<&Op::phase>("phase"),
    column<&Op::source_buffer>("source_buffer"),
    column<&Op::source_chunk>("source_chunk"),
    column<&Op::destination_buffer>("destination_buffer"),
    column<&Op::destination_chunk>("destination_chunk"),
    column<&Op::chunk_count>("chunk_count"),
};

constexpr std::string_view kKinds[] = {"copy", "reduce", "compute", "join"};

}  // namespace

std::span<const OpColumn> op_columns() { return kColumns; }

std::span<const std::string_view> op_kind_names() { return kKinds; }

}  // namespace syncsim
