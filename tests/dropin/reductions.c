/* Reductions: MPI's operators and the program's, on types with and without gaps, in place, of no elements, of fewer
   than there are ranks. All results are exact, so they must be MPI's own to the last bit. */
#include <complex.h>
#include <stdbool.h>

#include "conformance.h"

enum { most = 2600, widest = 64 }; /* elements of a vector; bytes that one spans at most */

/* What is reduced: elements of a type by an operator; how to fill a vector with values that MPI may combine in any
   order it likes without another result, and how to read what of an element is data. */
struct kind {
  const char* name;
  MPI_Datatype type;
  MPI_Op op;
  int extent, below;                          /* bytes; how far its data reach below the address */
  void (*make)(void* at, unsigned value);     /* from a number of 16 bits */
  int (*equal)(const void* a, const void* b); /* whether data of an element are the same */
};

#define MAKE(name, type, expression)                                                 \
  static void make_##name(void* at, unsigned v) { *(type*)at = (type)(expression); } \
  static int equal_##name(const void* a, const void* b) { return memcmp(a, b, sizeof(type)) == 0; }
MAKE(int, int, v * 2654435761u)
MAKE(long, long, v * 0x9e3779b97f4a7c15u)
MAKE(short, short, v)
MAKE(byte, unsigned char, v)
MAKE(truth, int, v % 3 == 0 ? 0 : (int)v)
MAKE(bool, bool, v % 5 != 0)
MAKE(float, float, (int)(v % 200) - 100)
MAKE(double, double, (int)v - 30000)
MAKE(factor, double, v % 7 == 0 ? -2 : 1)
MAKE(complex, double complex, (int)(v % 200) - 100 + (int)(v / 200) * I)

static void make_long_double(void* at, unsigned v) {
  memset(at, 0, sizeof(long double));
  *(long double*)at = (int)v - 30000;
}
static int equal_long_double(const void* a, const void* b) { return *(const long double*)a == *(const long double*)b; }

struct double_int {
  double value;
  int place;
};
struct two_ints {
  int value, place;
};
#define MAKE_PAIR(name)                                                 \
  static void make_##name(void* at, unsigned v) {                       \
    *(struct name*)at = (struct name){.value = v % 4, .place = (int)v}; \
  }                                                                     \
  static int equal_##name(const void* a, const void* b) {               \
    const struct name *x = a, *y = b;                                   \
    return x->value == y->value && x->place == y->place;                \
  }
MAKE_PAIR(double_int)
MAKE_PAIR(two_ints)

/* The map x -> a x + b modulo a prime; the product of two does one after the other, which is not the same as the other
   after the one. */
enum { prime = 30011 };
struct map {
  int a, b;
};
static struct map after(struct map f, struct map g) {
  return (struct map){(int)((long)f.a * g.a % prime), (int)(((long)g.a * f.b + g.b) % prime)};
}
static void make_map(void* at, unsigned v) { *(struct map*)at = (struct map){(int)(v % 1000) + 1, (int)(v % 777)}; }
static int equal_map(const void* a, const void* b) { return memcmp(a, b, sizeof(struct map)) == 0; }

static long combined, wrong_types;
static void compose(void* in, void* inout, int* n, MPI_Datatype* type) {
  struct map *f = in, *g = inout;
  int size = 0;
  MPI_Type_size(*type, &size);
  if (size != (int)sizeof(struct map)) ++wrong_types;
  for (int i = 0; i < *n; ++i) g[i] = after(f[i], g[i]);
  combined += *n;
}
static void add_mod(void* in, void* inout, int* n, MPI_Datatype* type) {
  const int* a = in;
  int* b = inout;
  (void)type;
  for (int i = 0; i < *n; ++i) b[i] = (int)(((long)a[i] % prime + prime + b[i] % prime + prime) % prime);
}
static void make_residue(void* at, unsigned v) { *(int*)at = (int)(v % prime); }
static int equal_residue(const void* a, const void* b) { return *(const int*)a == *(const int*)b; }

/* The same maps with the two numbers apart: one below the address, one above it, gaps around and between. MPICH 4.0
   writes beyond its own memory where a type reaches below its address, and in reduce_scatter of ordered operands with
   gaps. */
#ifdef MPICH_VERSION
enum { apart_extent = 40, apart_low = 0, apart_a = 8, apart_b = 20 };
#else
enum { apart_extent = 40, apart_low = -8, apart_a = -8, apart_b = 12 };
#endif
static struct map read_apart(const char* at) {
  struct map f;
  memcpy(&f.a, at + apart_a, sizeof(int));
  memcpy(&f.b, at + apart_b, sizeof(int));
  return f;
}
static void write_apart(char* at, struct map f) {
  memcpy(at + apart_a, &f.a, sizeof(int));
  memcpy(at + apart_b, &f.b, sizeof(int));
}
static void compose_apart(void* in, void* inout, int* n, MPI_Datatype* type) {
  MPI_Aint low, extent;
  MPI_Type_get_extent(*type, &low, &extent);
  if (extent != apart_extent) ++wrong_types;
  for (int i = 0; i < *n; ++i) {
    char* g = (char*)inout + i * apart_extent;
    write_apart(g, after(read_apart((char*)in + i * apart_extent), read_apart(g)));
  }
}
static void make_apart(void* at, unsigned v) {
  struct map f;
  make_map(&f, v);
  write_apart(at, f);
}
static int equal_apart(const void* a, const void* b) {
  const struct map f = read_apart(a), g = read_apart(b);
  return equal_map(&f, &g);
}

static char *in, *a, *b;
static MPI_Comm comm;

static char* first(char* buffer, const struct kind* k) { return buffer + k->below; }

static void fill_vector(char* buffer, const struct kind* k, int n, int turn) {
  unsigned state = (unsigned)(turn * 7919 + rank * 104729 + 12345);
  for (int i = 0; i < n; ++i) k->make(first(buffer, k) + i * k->extent, (state = state * 1664525u + 1013904223u) >> 16);
}

static void compare(const struct kind* k, int n, const char* call, int turn) {
  char what[100];
  snprintf(what, sizeof what, "%s of %d by %s", call, n, k->name);
  for (int i = 0; i < n; ++i)
    if (!k->equal(first(a, k) + i * k->extent, first(b, k) + i * k->extent)) {
      expect(0, what, turn);
      return;
    }
}

static void again(const struct kind* k, int n, int turn) {
  fill_vector(a, k, n, turn + 1);
  memcpy(b, a, (size_t)(n + 2) * widest);
}

/* The call by both names, from and to data that are alike; `y` is where the result goes. */
#define BY_BOTH(vector, results, what, call, ...)                  \
  do {                                                             \
    again(k, vector, turn);                                        \
    for (int native = 0; native < 2; ++native) {                   \
      char* const y = first(native ? b : a, k);                    \
      (native ? P##call : call)(__VA_ARGS__, k->type, k->op TAIL); \
    }                                                              \
    compare(k, results, what, turn);                               \
  } while (0)

static void whole_vectors(const struct kind* k, int n, int turn) {
  const char* const x = first(in, k);
  const int root = turn % ranks;
#ifdef MPICH_VERSION
  const int here = 0; /* MPICH 4.0 fails in a reduce in place of more than 2 KiB at another root */
#else
  const int here = root;
#endif
#define TAIL , comm
  BY_BOTH(n, n, "allreduce", MPI_Allreduce, x, y, n);
  BY_BOTH(n, n, "allreduce in place", MPI_Allreduce, MPI_IN_PLACE, y, n);
  BY_BOTH(n, n, "scan", MPI_Scan, x, y, n);
  BY_BOTH(n, n, "scan in place", MPI_Scan, MPI_IN_PLACE, y, n);
  BY_BOTH(n, n, "exscan", MPI_Exscan, x, y, n);
  BY_BOTH(n, n, "exscan in place", MPI_Exscan, MPI_IN_PLACE, y, n);
#undef TAIL
#define TAIL , root, comm
  BY_BOTH(n, n, "reduce", MPI_Reduce, x, rank == root ? y : NULL, n);
#undef TAIL
#define TAIL , here, comm
  BY_BOTH(n, n, "reduce in place", MPI_Reduce, rank == here ? MPI_IN_PLACE : x, rank == here ? y : NULL, n);
#undef TAIL
}

static void blocks(const struct kind* k, int n, int turn) {
  const char* const x = first(in, k);
  const int all = n * ranks;
  int counts[64], sum = 0;
  for (int r = 0; r < ranks; ++r) sum += counts[r] = r == 1 ? 0 : r == ranks - 1 ? all - sum : n / 2;
  const int mine = counts[rank];
#define TAIL , comm
  BY_BOTH(all, n, "reduce_scatter_block", MPI_Reduce_scatter_block, x, y, n);
  BY_BOTH(all, n, "reduce_scatter_block in place", MPI_Reduce_scatter_block, MPI_IN_PLACE, y, n);
  BY_BOTH(all, mine, "reduce_scatter", MPI_Reduce_scatter, x, mine > 0 ? y : NULL, counts);
  BY_BOTH(all, mine, "reduce_scatter in place", MPI_Reduce_scatter, MPI_IN_PLACE, y, counts);
#undef TAIL
}

static void test_kind(const struct kind* k) {
  static const int sizes[] = {0, 3, 100, most / 8};
  for (int turn = 0; turn < turns / 2; ++turn)
    for (int s = 0; s < 4; ++s) {
      const int per_rank = sizes[s] < most / 8 ? sizes[s] : most / ranks - 1;
      fill_vector(in, k, most, turn);
      whole_vectors(k, sizes[s] < most / 8 ? sizes[s] : most, turn);
#ifdef MPICH_VERSION
      if (k->extent == apart_extent) continue;
#endif
      blocks(k, per_rank < most / ranks ? per_rank : most / ranks - 1, turn);
    }
}

void test_reductions(MPI_Comm over) {
  const size_t room = (size_t)(most + 64) * widest;
  MPI_Datatype two, apart, inner;
  MPI_Op noncommutative, in_gaps, commutative;
  comm = over;
  in = calloc(1, room), a = calloc(1, room), b = calloc(1, room);
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_commit(&two);
  MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){apart_a, apart_b}, MPI_INT, &inner);
  MPI_Type_create_resized(inner, apart_low, apart_extent, &apart);
  MPI_Type_commit(&apart);
  MPI_Op_create(compose, 0, &noncommutative);
  MPI_Op_create(compose_apart, 0, &in_gaps);
  MPI_Op_create(add_mod, 1, &commutative);
#define KIND(type, op, make, width) \
  { #type " " #op, type, op, width, 0, make_##make, equal_##make }
  const struct kind kinds[] = {KIND(MPI_INT, MPI_SUM, int, 4),
                               KIND(MPI_LONG, MPI_MAX, long, 8),
                               KIND(MPI_SHORT, MPI_MIN, short, 2),
                               KIND(MPI_UNSIGNED_CHAR, MPI_PROD, byte, 1),
                               KIND(MPI_BYTE, MPI_BXOR, byte, 1),
                               KIND(MPI_INT, MPI_BAND, int, 4),
                               KIND(MPI_INT, MPI_LAND, truth, 4),
                               KIND(MPI_INT, MPI_LXOR, truth, 4),
                               KIND(MPI_C_BOOL, MPI_LOR, bool, 1),
                               KIND(MPI_FLOAT, MPI_SUM, float, 4),
                               KIND(MPI_DOUBLE, MPI_SUM, double, 8),
                               KIND(MPI_DOUBLE, MPI_PROD, factor, 8),
                               KIND(MPI_DOUBLE, MPI_MAX, double, 8),
                               KIND(MPI_LONG_DOUBLE, MPI_SUM, long_double, (int)sizeof(long double)),
                               KIND(MPI_C_DOUBLE_COMPLEX, MPI_SUM, complex, 16),
                               KIND(MPI_DOUBLE_INT, MPI_MINLOC, double_int, 16),
                               KIND(MPI_2INT, MPI_MAXLOC, two_ints, 8),
                               {"maps", two, noncommutative, sizeof(struct map), 0, make_map, equal_map},
                               {"residues", MPI_INT, commutative, sizeof(int), 0, make_residue, equal_residue},
                               {"maps with gaps", apart, in_gaps, apart_extent, -apart_low, make_apart, equal_apart}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) test_kind(&kinds[i]);
  expect(wrong_types == 0, "a type that an operator gets", 0);
  MPI_Op_free(&noncommutative);
  MPI_Op_free(&in_gaps);
  MPI_Op_free(&commutative);
  MPI_Type_free(&two);
  MPI_Type_free(&inner);
  MPI_Type_free(&apart);
  free(in);
  free(a);
  free(b);
}
