#include "sim/exec/mpi/session.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "sim/base/hash.h"
#include "sim/exec/mpi/mpi.h"

namespace syncsim {

MpiSession::MpiSession() {
  int begun = 0;
  MPI_Initialized(&begun);
  owner_ = begun == 0;
  if (owner_) MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  machine_ = hashed({name.data(), static_cast<std::size_t>(length)});
}

MpiSession::~MpiSession() {
  if (owner_) MPI_Finalize();
}

void MpiSession::end_all(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();
}

std::string MpiSession::library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const auto end = std::find_if(text.begin(), text.begin() + length,
                                [](char c) { return c == ',' || c == '\n' || c == '\0'; });
  return {text.begin(), end};
}

}  // namespace syncsim
