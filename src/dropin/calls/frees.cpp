// MPI's names for freeing operators and types, which calls under way may still need.
#include "dropin/calls/fortran.hpp"
#include "dropin/later/kept_handles.hpp"

using namespace quadrille::dropin;

#undef MPI_Type_free  // the library's own calls have another name (pmpi.hpp); here it is the program's

extern "C" int MPI_Op_free(MPI_Op* op) { return KeptHandles<Operators>::get().free(op); }
extern "C" int MPI_Type_free(MPI_Datatype* type) { return KeptHandles<Types>::get().free(type); }

FORTRAN(1, Op_free, op_free, OP_FREE)
FORTRAN(1, Type_free, type_free, TYPE_FREE)
