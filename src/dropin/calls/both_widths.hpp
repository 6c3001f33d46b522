// For lists of MPI's names: each collective has a name with counts of int and, since MPI 4, one with wider counts,
// `_c`. The list says the arguments once; in the namespaces below their types are those of either.
#pragma once

#include <mpi.h>

#include "dropin/later/native_later.hpp"

namespace quadrille::dropin::narrow {
using Number = int;
using Place = int;
}  // namespace quadrille::dropin::narrow

#define ALL_OF(...) __VA_ARGS__
#if MPI_VERSION >= 4
namespace quadrille::dropin::wide {
using Number = MPI_Count;
using Place = MPI_Aint;
}  // namespace quadrille::dropin::wide
#define IN_WIDE(...)                  \
  namespace quadrille::dropin::wide { \
  __VA_ARGS__                         \
  }
#else
#define IN_WIDE(...)
#endif
#define IN_NARROW(...)                  \
  namespace quadrille::dropin::narrow { \
  __VA_ARGS__                           \
  }
#ifdef QUADRILLE_PERSISTENT_NAME
#define IF_PERSISTENT(...) __VA_ARGS__
#else
#define IF_PERSISTENT(...)
#endif

// Of the non-blocking and of the persistent form.
#define COUNTER_OF_I(lower) static Counter& calls_of_I##lower = counter("I" #lower);
#define COUNTER_OF_INIT(name) IF_PERSISTENT(static Counter& calls_of_##name##_init = counter(#name "_init");)
#define COUNTERS(name, lower) COUNTER_OF_I(lower) COUNTER_OF_INIT(name)
