// Fortran's names where MPI's own go past the names that C programs call: all of them under Open MPI, under MPICH those
// of mpi_f08 that take no buffer.
#include <dlfcn.h>
#include <mpi.h>

#include <array>

#undef MPI_Abort  // as in life.cpp

namespace {

MPI_Comm comm(const MPI_Fint* handle) { return PMPI_Comm_f2c(*handle); }
/// mpi_f08 may leave the error out.
void set(MPI_Fint* error, int code) {
  if (error != nullptr) *error = code;
}

void init(MPI_Fint* error) { set(error, MPI_Init(nullptr, nullptr)); }
void init_thread(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
  set(error, MPI_Init_thread(nullptr, nullptr, *required, provided));
}
void finalize(MPI_Fint* error) { set(error, MPI_Finalize()); }
void comm_free(MPI_Fint* handle, MPI_Fint* error) {
  MPI_Comm c = comm(handle);
  const int code = MPI_Comm_free(&c);
  if (code == MPI_SUCCESS) *handle = PMPI_Comm_c2f(c);
  set(error, code);
}
void comm_disconnect(MPI_Fint* handle, MPI_Fint* error) {
  MPI_Comm c = comm(handle);
  const int code = MPI_Comm_disconnect(&c);
  if (code == MPI_SUCCESS) *handle = PMPI_Comm_c2f(c);
  set(error, code);
}
void alloc_mem(MPI_Aint* size, MPI_Fint* info, void* base, MPI_Fint* error) {
  set(error, MPI_Alloc_mem(*size, PMPI_Info_f2c(*info), base));
}
void abort(MPI_Fint* c, MPI_Fint* code, MPI_Fint* error) { set(error, MPI_Abort(comm(c), *code)); }
void barrier(MPI_Fint* c, MPI_Fint* error) { set(error, MPI_Barrier(comm(c))); }

}  // namespace

// What compilers make of MPI_BCAST in mpif.h and `use mpi`, and of MPI_Bcast in mpi_f08.
#ifdef OMPI_MAJOR_VERSION
#define FORTRAN_NAMES(lower, upper, parameters, arguments) \
  extern "C" {                                             \
  void mpi_##lower parameters { lower arguments; }         \
  void mpi_##lower##_ parameters { lower arguments; }      \
  void mpi_##lower##__ parameters { lower arguments; }     \
  void mpi_##lower##_f08_ parameters { lower arguments; }  \
  void MPI_##upper parameters { lower arguments; }         \
  }
#else
#define FORTRAN_NAMES(lower, upper, parameters, arguments) \
  extern "C" void mpi_##lower##_f08_ parameters { lower arguments; }
#endif
#define F MPI_Fint*

FORTRAN_NAMES(init, INIT, (F a), (a))
FORTRAN_NAMES(init_thread, INIT_THREAD, (F a, F b, F c), (a, b, c))
FORTRAN_NAMES(finalize, FINALIZE, (F a), (a))
FORTRAN_NAMES(comm_free, COMM_FREE, (F a, F b), (a, b))
FORTRAN_NAMES(comm_disconnect, COMM_DISCONNECT, (F a, F b), (a, b))
FORTRAN_NAMES(alloc_mem, ALLOC_MEM, (MPI_Aint * a, F b, void* c, F d), (a, b, c, d))
FORTRAN_NAMES(abort, ABORT, (F a, F b, F c), (a, b, c))
FORTRAN_NAMES(barrier, BARRIER, (F a, F b), (a, b))

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

/// A buffer as C has it.
void* buffer(void* address) {
  static const Constant in_place(
      {&mpi_fortran_in_place, &mpi_fortran_in_place_, &mpi_fortran_in_place__, &MPI_FORTRAN_IN_PLACE},
      "mpi_fortran_in_place_");
  static const Constant bottom({&mpi_fortran_bottom, &mpi_fortran_bottom_, &mpi_fortran_bottom__, &MPI_FORTRAN_BOTTOM},
                               "mpi_fortran_bottom_");
  if (in_place.is(address)) return MPI_IN_PLACE;
  return bottom.is(address) ? MPI_BOTTOM : address;
}

MPI_Datatype type(const MPI_Fint* handle) { return PMPI_Type_f2c(*handle); }
MPI_Op op(const MPI_Fint* handle) { return PMPI_Op_f2c(*handle); }
void bcast(void* data, MPI_Fint* count, MPI_Fint* t, MPI_Fint* root, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Bcast(buffer(data), *count, type(t), *root, comm(c)));
}
void allgather(void* in, MPI_Fint* n, MPI_Fint* t, void* out, MPI_Fint* out_n, MPI_Fint* out_t, MPI_Fint* c,
               MPI_Fint* error) {
  set(error, MPI_Allgather(buffer(in), *n, type(t), buffer(out), *out_n, type(out_t), comm(c)));
}
void allgatherv(void* in, MPI_Fint* n, MPI_Fint* t, void* out, MPI_Fint* counts, MPI_Fint* displaces, MPI_Fint* out_t,
                MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Allgatherv(buffer(in), *n, type(t), buffer(out), counts, displaces, type(out_t), comm(c)));
}
void scatter(void* in, MPI_Fint* n, MPI_Fint* t, void* out, MPI_Fint* out_n, MPI_Fint* out_t, MPI_Fint* root,
             MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Scatter(buffer(in), *n, type(t), buffer(out), *out_n, type(out_t), *root, comm(c)));
}
void gather(void* in, MPI_Fint* n, MPI_Fint* t, void* out, MPI_Fint* out_n, MPI_Fint* out_t, MPI_Fint* root,
            MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Gather(buffer(in), *n, type(t), buffer(out), *out_n, type(out_t), *root, comm(c)));
}
void alltoall(void* in, MPI_Fint* n, MPI_Fint* t, void* out, MPI_Fint* out_n, MPI_Fint* out_t, MPI_Fint* c,
              MPI_Fint* error) {
  set(error, MPI_Alltoall(buffer(in), *n, type(t), buffer(out), *out_n, type(out_t), comm(c)));
}
void alltoallv(void* in, MPI_Fint* counts, MPI_Fint* displaces, MPI_Fint* t, void* out, MPI_Fint* out_counts,
               MPI_Fint* out_displaces, MPI_Fint* out_t, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Alltoallv(buffer(in), counts, displaces, type(t), buffer(out), out_counts, out_displaces, type(out_t),
                           comm(c)));
}
void reduce(void* in, void* out, MPI_Fint* n, MPI_Fint* t, MPI_Fint* o, MPI_Fint* root, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Reduce(buffer(in), buffer(out), *n, type(t), op(o), *root, comm(c)));
}
void allreduce(void* in, void* out, MPI_Fint* n, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Allreduce(buffer(in), buffer(out), *n, type(t), op(o), comm(c)));
}
void alloc_mem_cptr(MPI_Aint* size, MPI_Fint* info, void* base, MPI_Fint* error) { alloc_mem(size, info, base, error); }
void free_mem(void* base, MPI_Fint* error) { set(error, MPI_Free_mem(base)); }
void reduce_scatter_block(void* in, void* out, MPI_Fint* n, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c, MPI_Fint* error) {
  set(error, MPI_Reduce_scatter_block(buffer(in), buffer(out), *n, type(t), op(o), comm(c)));
}

}  // namespace

FORTRAN_NAMES(alloc_mem_cptr, ALLOC_MEM_CPTR, (MPI_Aint * a, F b, void* c, F d), (a, b, c, d))
FORTRAN_NAMES(free_mem, FREE_MEM, (void* a, F b), (a, b))
FORTRAN_NAMES(bcast, BCAST, (void* a, F b, F c, F d, F e, F f), (a, b, c, d, e, f))
FORTRAN_NAMES(allgather, ALLGATHER, (void* a, F b, F c, void* d, F e, F f, F g, F h), (a, b, c, d, e, f, g, h))
FORTRAN_NAMES(allgatherv, ALLGATHERV, (void* a, F b, F c, void* d, F e, F f, F g, F h, F i),
              (a, b, c, d, e, f, g, h, i))
FORTRAN_NAMES(scatter, SCATTER, (void* a, F b, F c, void* d, F e, F f, F g, F h, F i), (a, b, c, d, e, f, g, h, i))
FORTRAN_NAMES(gather, GATHER, (void* a, F b, F c, void* d, F e, F f, F g, F h, F i), (a, b, c, d, e, f, g, h, i))
FORTRAN_NAMES(alltoall, ALLTOALL, (void* a, F b, F c, void* d, F e, F f, F g, F h), (a, b, c, d, e, f, g, h))
FORTRAN_NAMES(alltoallv, ALLTOALLV, (void* a, F b, F c, F d, void* e, F f, F g, F h, F i, F j),
              (a, b, c, d, e, f, g, h, i, j))
FORTRAN_NAMES(reduce, REDUCE, (void* a, void* b, F c, F d, F e, F f, F g, F h), (a, b, c, d, e, f, g, h))
FORTRAN_NAMES(allreduce, ALLREDUCE, (void* a, void* b, F c, F d, F e, F f, F g), (a, b, c, d, e, f, g))
FORTRAN_NAMES(reduce_scatter_block, REDUCE_SCATTER_BLOCK, (void* a, void* b, F c, F d, F e, F f, F g),
              (a, b, c, d, e, f, g))

#endif

#undef F
#undef FORTRAN_NAMES
