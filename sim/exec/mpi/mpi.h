#pragma once
// MPI's C interface alone. Only builds with MPI have it, and only .cpp files include it.

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
