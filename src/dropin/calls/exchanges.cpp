// Exchanges: MPI_Alltoallv, MPI_Alltoallw and neighbourhood collectives, in C. Their non-blocking forms stay with MPI:
// ranks would have to tell each other what they have, and a non-blocking call may wait for nobody.
#include "dropin/calls/both_widths.hpp"
#include "dropin/calls/later.hpp"

using namespace quadrille;
using namespace quadrille::dropin;

namespace {

/// `make(communicator)` says what the call is.
template <class Make, class Native>
int exchange(Operation operation, MPI_Comm comm, Make make, Native native) {
  ProgramCommunicator* const communicator = Session::communicator(comm);
  if (communicator == nullptr) return native();
  const ExchangeCall call = make(*communicator);
  const Bytes bytes = call.taken();
  if (bytes < 0) return native();
  Row& row = communicator->row(operation, bytes);
  const std::uint64_t kind = kind_of(operation, bytes, 0);
  if (row.decision.native_only) return native_call(*communicator, row, bytes, kind, native);
  if (communicator->rests_with_mpi(operation)) {
    const int code = native_call(*communicator, row, bytes, kind, native);
    if (code == MPI_SUCCESS) communicator->count(operation, bytes);
    return code;
  }
  if (!communicator->accepts(call)) return native();
  communicator->note(kind);
  ++row.calls;
  row.bytes += bytes;
  return communicator->answer(operation, row, call, bytes, std::cref(native));  // copying it would allocate
}

/// A persistent one.
template <class Make, class Native>
int exchange(Operation operation, MPI_Comm comm, Make make, const Later<Native>& later) {
  if (!Engine::runs() || later.request == nullptr) return later();
  ProgramCommunicator* const communicator = Session::communicator_of_named(comm);
  if (communicator == nullptr || !communicator->deciding()) return later();
  const ExchangeCall call = make(*communicator);
  const Bytes bytes = call.taken();
  if (bytes < 0 || !communicator->accepts(call)) return later();
  return communicator->init(operation, call, bytes, later.request, std::cref(later));
}

/// Blocks of one side as a call tells them: of one type or, `w`, of a type each.
ExchangeSide blocks_v(const void* buffer, const Numbers& counts, const Numbers& places, MPI_Datatype type) {
  return {.buffer = plain(buffer), .counts = counts, .places = places, .type = type};
}
ExchangeSide blocks_w(const void* buffer, const Numbers& counts, const Numbers& places, const MPI_Datatype* types) {
  const Numbers lengths = types == nullptr ? Numbers() : counts;  // without types none is understood
  return {.buffer = plain(buffer), .counts = lengths, .places = places, .types = types};
}
/// All alike, one after the other or, with a `stride` of 0, all the same.
ExchangeSide blocks_alike(const void* buffer, Bytes count, MPI_Datatype type, Bytes stride) {
  return {.buffer = plain(buffer), .each = count, .stride = stride, .type = type};
}

/// Of and for all ranks.
template <class Native>
int among_all(Operation operation, ExchangeSide in, ExchangeSide out, MPI_Comm comm, const Native& native) {
  return exchange(
      operation, comm,
      [=](const ProgramCommunicator& c) {
        ExchangeCall call{.in = in, .out = out, .in_place = in.buffer == MPI_IN_PLACE};
        call.in.blocks = call.out.blocks = c.ranks();
        return call;
      },
      native);
}

/// Of and for neighbours.
template <class Native>
int among_neighbours(Operation operation, ExchangeSide in, ExchangeSide out, MPI_Comm comm, const Native& native) {
  return exchange(
      operation, comm,
      [=](ProgramCommunicator& c) {
        const GraphNeighbours& neighbours = c.neighbours(comm);
        const auto to_or_from = [&](ExchangeSide side, const std::vector<int>& ranks) {
          side.blocks = neighbours.there ? static_cast<int>(ranks.size()) : -1;
          side.partners = ranks.data();
          return side;
        };
        return ExchangeCall{.in = to_or_from(in, neighbours.to), .out = to_or_from(out, neighbours.from)};
      },
      native);
}

}  // namespace

// `asked` says what the call asks for, of `call`, which is MPI's own answer.
#define AT_ONCE(symbol, of_mpi, parameters, arguments, asked)   \
  extern "C" int symbol(ALL_OF parameters) {                    \
    const auto call = [=] { return of_mpi(ALL_OF arguments); }; \
    return asked;                                               \
  }
#define PERSISTENT(symbol, of_mpi, counter, parameters, arguments, asked)                                          \
  extern "C" int symbol(ALL_OF parameters, MPI_Info info, MPI_Request* request) {                                  \
    const auto call = later_call(                                                                                  \
        Ending::persistent, [=] { return of_mpi(ALL_OF arguments, info, request); }, request, calls_of_##counter); \
    return asked;                                                                                                  \
  }
#define EXCHANGE(name, parameters, arguments, asked)                                                                  \
  COUNTER_OF_INIT(name)                                                                                               \
  IN_NARROW(AT_ONCE(MPI_##name, PMPI_##name, parameters, arguments, asked))                                           \
  IN_WIDE(AT_ONCE(MPI_##name##_c, PMPI_##name##_c, parameters, arguments, asked))                                     \
  IF_PERSISTENT(IN_NARROW(PERSISTENT(QUADRILLE_PERSISTENT_NAME(name), QUADRILLE_PERSISTENT_OF_MPI(name), name##_init, \
                                     parameters, arguments, asked)))                                                  \
  IN_WIDE(PERSISTENT(MPI_##name##_init_c, PMPI_##name##_init_c, name##_init, parameters, arguments, asked))

EXCHANGE(Alltoallv,
         (const void* a, const Number b[], const Place c[], MPI_Datatype d, void* e, const Number f[], const Place g[],
          MPI_Datatype h, MPI_Comm i),
         (a, b, c, d, e, f, g, h, i),
         among_all(Operation::alltoallv, blocks_v(a, b, c, d), blocks_v(e, f, g, h), i, call))
EXCHANGE(Alltoallw,
         (const void* a, const Number b[], const Place c[], const MPI_Datatype d[], void* e, const Number f[],
          const Place g[], const MPI_Datatype h[], MPI_Comm i),
         (a, b, c, d, e, f, g, h, i),
         among_all(Operation::alltoallw, blocks_w(a, b, c, d), blocks_w(e, f, g, h), i, call))
EXCHANGE(Neighbor_allgather, (const void* a, Number b, MPI_Datatype c, void* d, Number e, MPI_Datatype f, MPI_Comm g),
         (a, b, c, d, e, f, g),
         among_neighbours(Operation::neighbor_allgather, blocks_alike(a, b, c, 0), blocks_alike(d, e, f, e), g, call))
EXCHANGE(Neighbor_allgatherv,
         (const void* a, Number b, MPI_Datatype c, void* d, const Number e[], const Place f[], MPI_Datatype g,
          MPI_Comm h),
         (a, b, c, d, e, f, g, h),
         among_neighbours(Operation::neighbor_allgatherv, blocks_alike(a, b, c, 0), blocks_v(d, e, f, g), h, call))
EXCHANGE(Neighbor_alltoall, (const void* a, Number b, MPI_Datatype c, void* d, Number e, MPI_Datatype f, MPI_Comm g),
         (a, b, c, d, e, f, g),
         among_neighbours(Operation::neighbor_alltoall, blocks_alike(a, b, c, b), blocks_alike(d, e, f, e), g, call))
EXCHANGE(Neighbor_alltoallv,
         (const void* a, const Number b[], const Place c[], MPI_Datatype d, void* e, const Number f[], const Place g[],
          MPI_Datatype h, MPI_Comm i),
         (a, b, c, d, e, f, g, h, i),
         among_neighbours(Operation::neighbor_alltoallv, blocks_v(a, b, c, d), blocks_v(e, f, g, h), i, call))
EXCHANGE(Neighbor_alltoallw,
         (const void* a, const Number b[], const MPI_Aint c[], const MPI_Datatype d[], void* e, const Number f[],
          const MPI_Aint g[], const MPI_Datatype h[], MPI_Comm i),
         (a, b, c, d, e, f, g, h, i),
         among_neighbours(Operation::neighbor_alltoallw, blocks_w(a, b, c, d), blocks_w(e, f, g, h), i, call))

#undef EXCHANGE
#undef PERSISTENT
#undef AT_ONCE
