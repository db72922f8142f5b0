#include "sim/schedule/collective.h"

#include <array>
#include <cctype>
#include <limits>
#include <string>

#include "sim/base/error.h"
#include "sim/schedule/proportion.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostBufferBytes = std::int64_t{1} << 62;

// An accepted spelling: the words with '_', '-' or nothing between them.
struct Spelling {
  std::array<std::string_view, 3> words;
  CollectiveKind kind;
};

constexpr std::array<Spelling, 11> kSpellings{{
    {{"all", "reduce"}, CollectiveKind::allreduce},
    {{"all", "gather"}, CollectiveKind::all_gather},
    {{"all", "to", "all"}, CollectiveKind::all_to_all},
    {{"reduce", "scatter"}, CollectiveKind::reduce_scatter},
    {{"reduce"}, CollectiveKind::reduce},
    {{"broadcast"}, CollectiveKind::broadcast},
    {{"bcast"}, CollectiveKind::broadcast},
    {{"gather"}, CollectiveKind::gather},
    {{"scatter"}, CollectiveKind::scatter},
    {{"send", "recv"}, CollectiveKind::send_recv},
    {{"barrier"}, CollectiveKind::barrier},
}};

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool spells(std::string_view text, const Spelling& spelling) {
  for (std::size_t i = 0; i < spelling.words.size() && !spelling.words[i].empty(); ++i) {
    if (i > 0 && (text.starts_with('_') || text.starts_with('-'))) text.remove_prefix(1);
    if (!text.starts_with(spelling.words[i])) return false;
    text.remove_prefix(spelling.words[i].size());
  }
  return text.empty();
}

// `bytes` is no multiple of `element`: names the multiples around it.
InputError no_multiple(const Collective& collective, std::int64_t element) {
  const std::int64_t below = collective.bytes.count / element * element;
  std::string right = "write ";
  if (below > 0) right += to_string(Bytes{below});
  if (below <= std::numeric_limits<std::int64_t>::max() - element)
    right += (below > 0 ? " or " : "") + to_string(Bytes{below + element});
  return {to_string(collective.bytes) + " is no multiple of " + std::string(collective.datatype) +
              "'s " + std::to_string(element) + " bytes",
          right};
}

}  // namespace

const NamedTable<CollectiveRow>& collectives() {
  static const NamedTable<CollectiveRow> table(
      "collective", {{"allreduce", "every rank ends with the sum over all ranks",
                      CollectiveKind::allreduce, Who::all, Who::all},
                     {"reduce", "the root ends with the sum over all ranks", CollectiveKind::reduce,
                      Who::all, Who::root},
                     {"broadcast", "every rank ends with the root's data",
                      CollectiveKind::broadcast, Who::root, Who::all},
                     {"reduce-scatter", "every rank ends with its part of the sum over all ranks",
                      CollectiveKind::reduce_scatter, Who::all, Who::owner},
                     {"all-gather", "every rank ends with the parts of all ranks",
                      CollectiveKind::all_gather, Who::owner, Who::all},
                     {"gather", "the root ends with the parts of all ranks", CollectiveKind::gather,
                      Who::owner, Who::root},
                     {"scatter", "every rank ends with its part of the root's data",
                      CollectiveKind::scatter, Who::root, Who::owner},
                     {"all-to-all", "every rank ends with the part for it of every rank's data",
                      CollectiveKind::all_to_all, Who::owner, Who::owner},
                     {"send-recv", "every rank ends with the data of the rank before it",
                      CollectiveKind::send_recv, Who::owner, Who::owner},
                     {"barrier", "no rank is done before all have come: one element's sum",
                      CollectiveKind::barrier, Who::all, Who::all}});
  return table;
}

const CollectiveRow& row(CollectiveKind kind) {
  for (const CollectiveRow& candidate : collectives().rows())
    if (candidate.kind == kind) return candidate;
  throw InternalError("collective kind without a row");
}

std::string_view to_string(CollectiveKind kind) { return row(kind).name; }

CollectiveKind parse_collective(std::string_view text) {
  const std::string lower = lower_case(text);
  for (const Spelling& spelling : kSpellings)
    if (spells(lower, spelling)) return spelling.kind;
  throw unknown_name(collectives().what(), text, collectives().names());
}

const NamedTable<DatatypeRow>& datatypes() {
  static const NamedTable<DatatypeRow> table("datatype", {{"int8", "8-bit integer", 1},
                                                          {"float16", "half precision", 2},
                                                          {"bfloat16", "brain float", 2},
                                                          {"int32", "32-bit integer", 4},
                                                          {"float32", "single precision", 4},
                                                          {"int64", "64-bit integer", 8},
                                                          {"float64", "double precision", 8}});
  return table;
}

std::int64_t Collective::element_size() const { return datatypes().at(datatype).size; }

std::int64_t Collective::buffer_bytes() const {
  return is_pairwise(kind) ? bytes.count * ranks : bytes.count;
}

std::vector<std::int64_t> Collective::block_boundaries() const {
  const std::int64_t element = element_size();
  const std::int64_t whole = elements();
  const int rows = kind == CollectiveKind::all_to_all ? ranks : 1;
  std::vector<std::int64_t> result{0};
  result.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(ranks) + 1);
  for (int each = 0; each < rows; ++each)
    for (int rank = 1; rank <= ranks; ++rank)
      result.push_back(kind == CollectiveKind::send_recv
                           ? rank * bytes.count
                           : each * bytes.count + share(whole, rank, ranks) * element);
  return result;
}

int Collective::contributor(std::int64_t block) const {
  switch (row(kind).contributors) {
    case Who::all:
      return kEveryRank;
    case Who::root:
      return root;
    case Who::owner:
      return static_cast<int>(kind == CollectiveKind::all_to_all ? block / ranks : block);
  }
  return kEveryRank;
}

int Collective::holder(std::int64_t block) const {
  switch (row(kind).holders) {
    case Who::all:
      return kEveryRank;
    case Who::root:
      return root;
    case Who::owner:
      return static_cast<int>((kind == CollectiveKind::send_recv ? block + 1 : block) % ranks);
  }
  return kEveryRank;
}

bool sums_everywhere(CollectiveKind kind) {
  return row(kind).contributors == Who::all && row(kind).holders == Who::all;
}

bool has_blocks(CollectiveKind kind) {
  return row(kind).contributors == Who::owner || row(kind).holders == Who::owner;
}

bool is_rooted(CollectiveKind kind) {
  return row(kind).contributors == Who::root || row(kind).holders == Who::root;
}

bool is_pairwise(CollectiveKind kind) {
  return kind == CollectiveKind::all_to_all || kind == CollectiveKind::send_recv;
}

void validate(const Collective& collective) {
  if (collective.ranks < 1)
    throw InputError(std::string(to_string(collective.kind)) + " over " +
                         std::to_string(collective.ranks) + " ranks",
                     "give it at least 1 rank");
  if (collective.bytes.count < 0)
    throw InputError("a size of " + std::to_string(collective.bytes.count) + " B is negative",
                     "write 0 B or more");
  const std::int64_t element = collective.element_size();
  if (collective.bytes.count % element != 0) throw no_multiple(collective, element);
  if (collective.root < 0 || collective.root >= collective.ranks)
    throw InputError("root " + std::to_string(collective.root) + " is no rank",
                     "write a rank from 0 to " + std::to_string(collective.ranks - 1));
  if (is_pairwise(collective.kind) && collective.bytes.count > kMostBufferBytes / collective.ranks)
    throw InputError(std::string(to_string(collective.kind)) + " of " +
                         to_string(collective.bytes) + " on " + std::to_string(collective.ranks) +
                         " ranks is beyond 2^62 bytes in all",
                     "take a smaller size");
}

double busbw_factor(CollectiveKind kind, int ranks) {
  const double n = ranks;
  switch (kind) {
    case CollectiveKind::allreduce:
    case CollectiveKind::barrier:
      return 2 * (n - 1) / n;
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_gather:
    case CollectiveKind::gather:
    case CollectiveKind::scatter:
    case CollectiveKind::all_to_all:
      return (n - 1) / n;
    case CollectiveKind::reduce:
    case CollectiveKind::broadcast:
    case CollectiveKind::send_recv:
      return 1;
  }
  throw InternalError("collective kind without a busbw factor");
}

}  // namespace syncsim
