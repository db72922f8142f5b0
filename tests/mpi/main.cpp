// Started by mpirun: every process goes through the same cases, and each fails for itself.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "sim/exec/mpi/session.h"

int main(int argc, char** argv) {
  const syncsim::MpiSession session;
  doctest::Context context(argc, argv);
  if (!session.leads()) context.setOption("minimal", true);
  return context.run();
}
