// Fortran's names of MPI's functions, for programs whose MPI goes past the names that C programs call: all of them
// under Open MPI, under MPICH those of mpi_f08 that take no buffer.
#pragma once

#include <mpi.h>

#include <tuple>
#include <type_traits>

namespace quadrille::dropin::fortran {

using F = MPI_Fint*;  ///< whole numbers and handles come by address

inline MPI_Comm comm(const MPI_Fint* handle) { return PMPI_Comm_f2c(*handle); }
/// mpi_f08 may leave the error out.
inline void set(MPI_Fint* error, int code) {
  if (error != nullptr) *error = code;
}

/// How handles of a type are told in Fortran. Where they are numbers, as in MPICH, they are what they are in C.
template <class T>
struct Handle : std::false_type {};

#ifdef OMPI_MAJOR_VERSION
/// A buffer as C has it: Fortran's MPI_IN_PLACE and MPI_BOTTOM are addresses of its own.
void* buffer(void* address);
inline MPI_Datatype type(const MPI_Fint* handle) { return PMPI_Type_f2c(*handle); }
inline MPI_Op op(const MPI_Fint* handle) { return PMPI_Op_f2c(*handle); }

#define FORTRAN_HANDLE(c, name)                                          \
  template <>                                                            \
  struct Handle<c> : std::true_type {                                    \
    static c from(MPI_Fint handle) { return PMPI_##name##_f2c(handle); } \
    static MPI_Fint to(c handle) { return PMPI_##name##_c2f(handle); }   \
  };
FORTRAN_HANDLE(MPI_Comm, Comm)
FORTRAN_HANDLE(MPI_Datatype, Type)
FORTRAN_HANDLE(MPI_Info, Info)
FORTRAN_HANDLE(MPI_Op, Op)
FORTRAN_HANDLE(MPI_Request, Request)
#undef FORTRAN_HANDLE
#else
inline void* buffer(void* address) { return address; }  // none comes here that is none in C
#endif

/// An argument of a function of C, from what a Fortran program passes.
template <class T>
class Argument {
 public:
  explicit Argument(void* given) : value_(converted(given)) {}
  T value() { return value_; }
  void give_back() const {}

 private:
  static T converted(void* given) {
    if constexpr (Handle<T>::value)
      return Handle<T>::from(*static_cast<F>(given));
    else if constexpr (std::is_void_v<std::remove_pointer_t<T>>)
      return buffer(given);
    else if constexpr (std::is_pointer_v<T>)
      return static_cast<T>(given);
    else
      return *static_cast<T*>(given);
  }
  T value_;
};

/// A handle that the function may change.
template <class T>
requires Handle<T>::value class Argument<T*> {
 public:
  explicit Argument(void* given) : handle_(static_cast<F>(given)), value_(Handle<T>::from(*handle_)) {}
  T* value() { return &value_; }
  void give_back() const { *handle_ = Handle<T>::to(value_); }

 private:
  F handle_;
  T value_;
};

/// What the function of C answers to a Fortran program.
template <class... A, class... Given>
void answer(MPI_Fint* error, int (*function)(A...), Given... given) {
  std::tuple<Argument<A>...> arguments{Argument<A>(given)...};
  const int code = std::apply([&](auto&... each) { return function(each.value()...); }, arguments);
  if (code == MPI_SUCCESS) std::apply([](const auto&... each) { (each.give_back(), ...); }, arguments);
  set(error, code);
}

/// MPI's own function of this Fortran name. A library that was opened for itself alone is asked by its name.
void* of_mpi(const char* name);

/// What it answers to the same arguments.
template <class... Given>
int passed_on(void* function, MPI_Fint* error, Given... given) {
  MPI_Fint code = MPI_ERR_OTHER;
  if (function != nullptr) reinterpret_cast<void (*)(Given..., MPI_Fint*)>(function)(given..., &code);
  set(error, code);
  return code;
}

}  // namespace quadrille::dropin::fortran

// Defines what compilers make of MPI_BCAST in mpif.h and `use mpi`, and of MPI_Bcast in mpi_f08, by fortran_bcast.
#ifdef OMPI_MAJOR_VERSION
#define FORTRAN_NAMES(lower, upper, parameters, arguments)          \
  extern "C" {                                                      \
  void mpi_##lower parameters { fortran_##lower arguments; }        \
  void mpi_##lower##_ parameters { fortran_##lower arguments; }     \
  void mpi_##lower##__ parameters { fortran_##lower arguments; }    \
  void mpi_##lower##_f08_ parameters { fortran_##lower arguments; } \
  void MPI_##upper parameters { fortran_##lower arguments; }        \
  }
#else
#define FORTRAN_NAMES(lower, upper, parameters, arguments) \
  extern "C" void mpi_##lower##_f08_ parameters { fortran_##lower arguments; }
#endif

// So many arguments, which all come by address.
#define FORTRAN_PARAMETERS_1 void* a
#define FORTRAN_PARAMETERS_2 FORTRAN_PARAMETERS_1, void* b
#define FORTRAN_PARAMETERS_3 FORTRAN_PARAMETERS_2, void* c
#define FORTRAN_PARAMETERS_4 FORTRAN_PARAMETERS_3, void* d
#define FORTRAN_PARAMETERS_5 FORTRAN_PARAMETERS_4, void* e
#define FORTRAN_PARAMETERS_6 FORTRAN_PARAMETERS_5, void* f
#define FORTRAN_PARAMETERS_7 FORTRAN_PARAMETERS_6, void* g
#define FORTRAN_PARAMETERS_8 FORTRAN_PARAMETERS_7, void* h
#define FORTRAN_PARAMETERS_9 FORTRAN_PARAMETERS_8, void* i
#define FORTRAN_PARAMETERS_10 FORTRAN_PARAMETERS_9, void* j
#define FORTRAN_PARAMETERS_11 FORTRAN_PARAMETERS_10, void* k
#define FORTRAN_ARGUMENTS_1 a
#define FORTRAN_ARGUMENTS_2 a, b
#define FORTRAN_ARGUMENTS_3 a, b, c
#define FORTRAN_ARGUMENTS_4 a, b, c, d
#define FORTRAN_ARGUMENTS_5 a, b, c, d, e
#define FORTRAN_ARGUMENTS_6 a, b, c, d, e, f
#define FORTRAN_ARGUMENTS_7 a, b, c, d, e, f, g
#define FORTRAN_ARGUMENTS_8 a, b, c, d, e, f, g, h
#define FORTRAN_ARGUMENTS_9 a, b, c, d, e, f, g, h, i
#define FORTRAN_ARGUMENTS_10 a, b, c, d, e, f, g, h, i, j
#define FORTRAN_ARGUMENTS_11 a, b, c, d, e, f, g, h, i, j, k

#define FORTRAN_SYMBOL(symbol, count, ...) \
  extern "C" void symbol(FORTRAN_PARAMETERS_##count, MPI_Fint* error) { __VA_ARGS__; }
#define FORTRAN_ANSWER(symbol, count, function) \
  FORTRAN_SYMBOL(symbol, count, quadrille::dropin::fortran::answer(error, function, FORTRAN_ARGUMENTS_##count))
#define FORTRAN_PASS(symbol, count, around)                                                                      \
  FORTRAN_SYMBOL(symbol, count, static void* const of_mpi = quadrille::dropin::fortran::of_mpi(#symbol); around( \
                     [&] { return quadrille::dropin::fortran::passed_on(of_mpi, error, FORTRAN_ARGUMENTS_##count); }))
#ifdef OMPI_MAJOR_VERSION
#define FORTRAN_EACH(define, count, lower, upper, what)                                   \
  define(lower, count, what) define(lower##_, count, what) define(lower##__, count, what) \
      define(lower##_f08_, count, what) define(upper, count, what)
#else
#define FORTRAN_EACH(define, count, lower, upper, what) define(lower##_f08_, count, what)
#endif

// The same for a function of C that takes so many arguments.
#define FORTRAN(count, name, lower, upper) FORTRAN_EACH(FORTRAN_ANSWER, count, mpi_##lower, MPI_##upper, MPI_##name)
// For one that is MPI's, called within around(function).
#define FORTRAN_PASSED_ON(count, around, lower, upper) \
  FORTRAN_EACH(FORTRAN_PASS, count, mpi_##lower, MPI_##upper, around)
// For one with buffers: MPICH comes to C's name by itself.
#ifdef OMPI_MAJOR_VERSION
#define FORTRAN_OF_BUFFERS(count, name, lower, upper) FORTRAN(count, name, lower, upper)
#else
#define FORTRAN_OF_BUFFERS(count, name, lower, upper)
#endif
