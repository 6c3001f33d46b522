// Fortran's names for the begin and end of a program, of its communicators and its memory; and what its buffers are in
// C.
#include "dropin/calls/fortran.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <array>

#undef MPI_Abort  // as in life.cpp

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

/// The addresses of a Fortran constant. A library that was opened for itself alone is asked by name.
class Constant {
 public:
  Constant(std::array<const void*, 4> linked, const char* name) : linked_(linked) {
    if (void* const library = dlopen("libmpi_mpifh.so.40", RTLD_LAZY | RTLD_NOLOAD)) {
      opened_ = dlsym(library, name);
      dlclose(library);
    }
  }
  bool is(const void* address) const {
    if (address == nullptr) return false;
    for (const void* const a : linked_)
      if (a == address) return true;
    return address == opened_;
  }

 private:
  std::array<const void*, 4> linked_;
  const void* opened_ = nullptr;
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
void fortran_comm_free(MPI_Fint* handle, MPI_Fint* error) {
  MPI_Comm c = comm(handle);
  const int code = MPI_Comm_free(&c);
  if (code == MPI_SUCCESS) *handle = PMPI_Comm_c2f(c);
  set(error, code);
}
void fortran_comm_disconnect(MPI_Fint* handle, MPI_Fint* error) {
  MPI_Comm c = comm(handle);
  const int code = MPI_Comm_disconnect(&c);
  if (code == MPI_SUCCESS) *handle = PMPI_Comm_c2f(c);
  set(error, code);
}
void fortran_alloc_mem(MPI_Aint* size, MPI_Fint* info, void* base, MPI_Fint* error) {
  set(error, MPI_Alloc_mem(*size, PMPI_Info_f2c(*info), base));
}
void fortran_abort(MPI_Fint* c, MPI_Fint* code, MPI_Fint* error) { set(error, MPI_Abort(comm(c), *code)); }

}  // namespace

FORTRAN_NAMES(init, INIT, (F a), (a))
FORTRAN_NAMES(init_thread, INIT_THREAD, (F a, F b, F c), (a, b, c))
FORTRAN_NAMES(finalize, FINALIZE, (F a), (a))
FORTRAN_NAMES(comm_free, COMM_FREE, (F a, F b), (a, b))
FORTRAN_NAMES(comm_disconnect, COMM_DISCONNECT, (F a, F b), (a, b))
FORTRAN_NAMES(alloc_mem, ALLOC_MEM, (MPI_Aint * a, F b, void* c, F d), (a, b, c, d))
FORTRAN_NAMES(abort, ABORT, (F a, F b, F c), (a, b, c))

#ifdef OMPI_MAJOR_VERSION

namespace {

void fortran_alloc_mem_cptr(MPI_Aint* size, MPI_Fint* info, void* base, MPI_Fint* error) {
  fortran_alloc_mem(size, info, base, error);
}
void fortran_free_mem(void* base, MPI_Fint* error) { set(error, MPI_Free_mem(base)); }

}  // namespace

FORTRAN_NAMES(alloc_mem_cptr, ALLOC_MEM_CPTR, (MPI_Aint * a, F b, void* c, F d), (a, b, c, d))
FORTRAN_NAMES(free_mem, FREE_MEM, (void* a, F b), (a, b))

#endif
