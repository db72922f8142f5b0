#pragma once
// The same collective by MPI's own function, on as many bytes of the same datatype.

#include <optional>
#include <string>

#include "sim/exec/mpi/mpi.h"
#include "sim/exec/real/real_executor.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

struct MpiFunction {
  std::string_view name;  // "MPI_Allreduce"
  // Of `count` elements, of the whole buffer or of a part, from one buffer into the other.
  void (*call)(const void* from, void* to, int count, MPI_Datatype type, int root, MPI_Comm ranks);
};

class MpiLibrary {
 public:
  MpiLibrary() = default;  // nothing to call
  // The same where the schedule is no collective alone, or MPI has none such; `note()` then
  // may say why.
  explicit MpiLibrary(const Schedule& schedule);

  explicit operator bool() const { return function_ != nullptr; }
  const std::string& note() const { return note_; }
  std::string name() const;
  std::uint64_t needed_bytes() const;
  void allocate();
  // By every rank of the schedule at once; spins.
  void call(MPI_Comm ranks);

 private:
  void choose(const Collective& collective);

  const MpiFunction* function_ = nullptr;
  std::string note_;
  std::size_t bytes_ = 0;  // of a buffer
  int count_ = 0;
  int root_ = 0;
  MPI_Datatype type_ = MPI_BYTE;
  std::vector<std::byte> from_;
  std::vector<std::byte> to_;
};

}  // namespace syncsim
