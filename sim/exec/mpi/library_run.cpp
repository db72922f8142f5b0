#include "sim/exec/mpi/library_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "sim/exec/mpi/session.h"

namespace syncsim {
namespace {

using Kind = CollectiveKind;

struct Row {
  CollectiveKind kind;
  bool sums;
  bool in_parts;  // a call counts one rank's part
  MpiFunction function;
};

const Row kRows[] = {
    {Kind::allreduce,
     true,
     false,
     {"MPI_Allreduce",
      [](const void* from, void* to, int count, MPI_Datatype type, int, MPI_Comm ranks) {
        MPI_Allreduce(from, to, count, type, MPI_SUM, ranks);
      }}},
    {Kind::reduce,
     true,
     false,
     {"MPI_Reduce",
      [](const void* from, void* to, int count, MPI_Datatype type, int root, MPI_Comm ranks) {
        MPI_Reduce(from, to, count, type, MPI_SUM, root, ranks);
      }}},
    {Kind::reduce_scatter,
     true,
     true,
     {"MPI_Reduce_scatter_block",
      [](const void* from, void* to, int count, MPI_Datatype type, int, MPI_Comm ranks) {
        MPI_Reduce_scatter_block(from, to, count, type, MPI_SUM, ranks);
      }}},
    {Kind::broadcast,
     false,
     false,
     {"MPI_Bcast", [](const void*, void* to, int count, MPI_Datatype type, int root,
                      MPI_Comm ranks) { MPI_Bcast(to, count, type, root, ranks); }}},
    {Kind::all_gather,
     false,
     true,
     {"MPI_Allgather",
      [](const void* from, void* to, int count, MPI_Datatype type, int, MPI_Comm ranks) {
        MPI_Allgather(from, count, type, to, count, type, ranks);
      }}},
    {Kind::gather,
     false,
     true,
     {"MPI_Gather",
      [](const void* from, void* to, int count, MPI_Datatype type, int root, MPI_Comm ranks) {
        MPI_Gather(from, count, type, to, count, type, root, ranks);
      }}},
    {Kind::scatter,
     false,
     true,
     {"MPI_Scatter",
      [](const void* from, void* to, int count, MPI_Datatype type, int root, MPI_Comm ranks) {
        MPI_Scatter(from, count, type, to, count, type, root, ranks);
      }}},
    {Kind::all_to_all,
     false,
     true,
     {"MPI_Alltoall",
      [](const void* from, void* to, int count, MPI_Datatype type, int, MPI_Comm ranks) {
        MPI_Alltoall(from, count, type, to, count, type, ranks);
      }}}};

// MPI_DATATYPE_NULL: it has none.
MPI_Datatype type_of(std::string_view datatype) {
  if (datatype == "int8") return MPI_INT8_T;
  if (datatype == "int32") return MPI_INT32_T;
  if (datatype == "int64") return MPI_INT64_T;
  if (datatype == "float32") return MPI_FLOAT;
  if (datatype == "float64") return MPI_DOUBLE;
  return MPI_DATATYPE_NULL;
}

bool computes(const Schedule& schedule) {
  return std::any_of(schedule.ops.begin(), schedule.ops.end(),
                     [](const Op& op) { return op.kind == OpKind::compute; });
}

}  // namespace

MpiLibrary::MpiLibrary(const Schedule& schedule) {
  if (schedule.collectives.size() == 1 && !computes(schedule))
    choose(schedule.collectives[0].collective);
}

void MpiLibrary::choose(const Collective& collective) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& each) { return each.kind == collective.kind; });
  if (row == std::end(kRows) || collective.bytes.count == 0) return;
  const auto refuse = [&](const std::string& why) {
    note_ = fmt::format("not beside {}: {}", row->function.name, why);
  };
  const MPI_Datatype type = type_of(collective.datatype);
  if (row->sums && type == MPI_DATATYPE_NULL)
    return refuse(fmt::format("MPI has no {}", collective.datatype));
  // What is not summed is as well moved as bytes.
  const std::int64_t all = row->sums ? collective.elements() : collective.bytes.count;
  if (row->in_parts && all % collective.ranks != 0)
    return refuse(fmt::format("{} parts of one size do not make up the buffer", collective.ranks));
  const std::int64_t count = row->in_parts ? all / collective.ranks : all;
  if (count > INT_MAX) return refuse("MPI counts up to 2^31 - 1 elements");
  function_ = &row->function;
  count_ = static_cast<int>(count);
  root_ = collective.root;
  type_ = row->sums ? type : MPI_BYTE;
  bytes_ = static_cast<std::size_t>(collective.bytes.count);
}

std::string MpiLibrary::name() const {
  return fmt::format("{} of {}", function_->name, MpiSession::library());
}

std::uint64_t MpiLibrary::needed_bytes() const { return 2 * std::uint64_t{bytes_}; }

void MpiLibrary::allocate() {
  from_.resize(bytes_);
  to_.resize(bytes_);
}

void MpiLibrary::call(MPI_Comm ranks) {
  function_->call(from_.data(), to_.data(), count_, type_, root_, ranks);
}

}  // namespace syncsim
