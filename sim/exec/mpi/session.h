#pragma once
// The processes that mpirun started, as one of them sees them. MPI begins with the first session
// and ends with it, so whoever wants several runs holds one around them all.

#include <cstdint>
#include <string>

namespace syncsim {

class MpiSession {
 public:
  // Waits for others only where MPI begins.
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool leads() const { return rank_ == 0; }
  std::uint64_t machine() const { return machine_; }  // equal on one machine: its name's hash

  // Others may be gone, and the end of MPI would wait for them for ever: it does not come.
  void abandon() { owner_ = false; }
  // Ends all processes, and does not return.
  [[noreturn]] static void end_all(int exit_code);
  static std::string library();  // "Open MPI v4.1.4"

 private:
  bool owner_ = false;
  int rank_ = 0;
  int size_ = 1;
  std::uint64_t machine_ = 0;
};

}  // namespace syncsim
