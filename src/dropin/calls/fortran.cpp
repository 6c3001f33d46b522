// Fortran's names for the begin and end of a program, of its communicators and its memory; and what its buffers are in
// C.
#include "dropin/calls/fortran.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <array>

#undef MPI_Abort  // as in life.cpp

namespace quadrille::dropin::fortran {

namespace {

/// Where its name is, should one of MPI's libraries for Fortran have been opened for itself alone.
void* in_library(const char* library, const char* name) {
  void* const opened = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  if (opened == nullptr) return nullptr;
  void* const found = dlsym(opened, name);
  dlclose(opened);
  return found;
}

}  // namespace

void* of_mpi(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
#ifdef OMPI_MAJOR_VERSION
  if (found == nullptr)
    for (const char* const library : {"libmpi_mpifh.so.40", "libmpi_usempif08.so.40"})
      if (void* const there = in_library(library, name)) return there;
  return found;
#else
  return found != nullptr ? found : in_library("libmpichfort.so.12", name);
#endif
}

}  // namespace quadrille::dropin::fortran

#ifdef OMPI_MAJOR_VERSION

extern "C" {

// Where Fortran's MPI_IN_PLACE and MPI_BOTTOM are, by each compiler's spelling; in whatever the program has loaded.
extern int mpi_fortran_in_place __attribute__((weak));
extern int mpi_fortran_in_place_ __attribute__((weak));
extern int mpi_fortran_in_place__ __attribute__((weak));
extern int MPI_FORTRAN_IN_PLACE __attribute__((weak));
extern int mpi_fortran_bottom __attribute__((weak));
extern int mpi_fortran_bottom_ __attribute__((weak));
extern int mpi_fortran_bottom__ __attribute__((weak));
extern int MPI_FORTRAN_BOTTOM __attribute__((weak));
}

namespace quadrille::dropin::fortran {

namespace {

static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of counts are passed on as they are");

/// The addresses of a Fortran constant.
class Constant {
 public:
  Constant(std::array<const void*, 4> linked, const char* name)
      : linked_(linked), opened_(in_library("libmpi_mpifh.so.40", name)) {}
  bool is(const void* address) const {
    if (address == nullptr) return false;
    for (const void* const a : linked_)
      if (a == address) return true;
    return address == opened_;
  }

 private:
  std::array<const void*, 4> linked_;
  const void* const opened_;
};

}  // namespace

void* buffer(void* address) {
  static const Constant in_place(
      {&mpi_fortran_in_place, &mpi_fortran_in_place_, &mpi_fortran_in_place__, &MPI_FORTRAN_IN_PLACE},
      "mpi_fortran_in_place_");
  static const Constant bottom({&mpi_fortran_bottom, &mpi_fortran_bottom_, &mpi_fortran_bottom__, &MPI_FORTRAN_BOTTOM},
                               "mpi_fortran_bottom_");
  if (in_place.is(address)) return MPI_IN_PLACE;
  return bottom.is(address) ? MPI_BOTTOM : address;
}

}  // namespace quadrille::dropin::fortran

#endif

namespace {

using namespace quadrille::dropin::fortran;

void fortran_init(MPI_Fint* error) { set(error, MPI_Init(nullptr, nullptr)); }
void fortran_init_thread(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
  set(error, MPI_Init_thread(nullptr, nullptr, *required, provided));
}
void fortran_finalize(MPI_Fint* error) { set(error, MPI_Finalize()); }
void fortran_alloc_mem(MPI_Aint* size, MPI_Fint* info, void* base, MPI_Fint* error) {
  set(error, MPI_Alloc_mem(*size, PMPI_Info_f2c(*info), base));
}

}  // namespace

FORTRAN_NAMES(init, INIT, (F a), (a))
FORTRAN_NAMES(init_thread, INIT_THREAD, (F a, F b, F c), (a, b, c))
FORTRAN_NAMES(finalize, FINALIZE, (F a), (a))
FORTRAN(1, Comm_free, comm_free, COMM_FREE)
FORTRAN(1, Comm_disconnect, comm_disconnect, COMM_DISCONNECT)
FORTRAN_NAMES(alloc_mem, ALLOC_MEM, (MPI_Aint * a, F b, void* c, F d), (a, b, c, d))
FORTRAN(2, Abort, abort, ABORT)

#ifdef OMPI_MAJOR_VERSION

namespace {

void fortran_alloc_mem_cptr(MPI_Aint* size, MPI_Fint* info, void* base, MPI_Fint* error) {
  fortran_alloc_mem(size, info, base, error);
}

}  // namespace

FORTRAN(1, Free_mem, free_mem, FREE_MEM)
FORTRAN_NAMES(alloc_mem_cptr, ALLOC_MEM_CPTR, (MPI_Aint * a, F b, void* c, F d), (a, b, c, d))

#endif
