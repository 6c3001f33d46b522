#include "mpi/packing.hpp"

#include <algorithm>
#include <vector>

#include "mpi/basic_types.hpp"
#include "mpi/peers.hpp"

namespace quadrille::mpi {

namespace {

/// MPICH packs nothing at MPI_BOTTOM, but sends it.
bool at_bottom(const std::byte* address) { return address == MPI_BOTTOM; }
constexpr int own_tag = 0;                      // to itself, while no plan is under way
constexpr Bytes most_at_once = Bytes{1} << 30;  // MPI counts in int

/// Calls use(first element, elements, offset in bytes, bytes) for as many elements at a time as MPI can count.
template <class Use>
void in_parts(Bytes count, Bytes bytes, Use use) {
  if (count == 0) return;
  const Bytes size = bytes / count, part = std::max<Bytes>(1, most_at_once / std::max<Bytes>(1, size));
  for (Bytes first = 0; first < count; first += part) {
    const Bytes elements = std::min(part, count - first);
    use(first, static_cast<int>(elements), first * size, static_cast<int>(elements * size));
  }
}

/// Types that are MPI's own are not released by anyone: those with a name, and those that Fortran asks for by
/// precision.
bool owned_by_mpi(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
         combiner == MPI_COMBINER_F90_INTEGER;
}

/// The type that `type` is so many of, or a copy of; to be released by the caller where it is not MPI's own.
MPI_Datatype inner_type(MPI_Datatype type, int integers, int addresses, int types) {
  std::vector<int> i(static_cast<std::size_t>(integers) + 1);
  std::vector<MPI_Aint> a(static_cast<std::size_t>(addresses) + 1);
  std::vector<MPI_Datatype> t(static_cast<std::size_t>(types) + 1, MPI_DATATYPE_NULL);
  MPI_Type_get_contents(type, integers, addresses, types, i.data(), a.data(), t.data());
  return t.front();
}

}  // namespace

void Packer::pack(const std::byte* from, Bytes count, MPI_Datatype type, std::byte* to, Bytes bytes) const {
  in_parts(count, bytes, [&](Bytes first, int elements, Bytes offset, int room) {
    const std::byte* const at = element(const_cast<std::byte*>(from), type, first);
    int position = 0;
    check(at_bottom(at) ? MPI_Sendrecv(at, elements, type, rank, own_tag, to + offset, room, MPI_PACKED, rank, own_tag,
                                       comm, MPI_STATUS_IGNORE)
                        : MPI_Pack(at, elements, type, to + offset, room, &position, comm),
          "packing elements of a derived type");
  });
}

void Packer::unpack(const std::byte* from, Bytes bytes, std::byte* to, Bytes count, MPI_Datatype type) const {
  in_parts(count, bytes, [&](Bytes first, int elements, Bytes offset, int length) {
    std::byte* const at = element(to, type, first);
    int position = 0;
    check(at_bottom(at) ? MPI_Sendrecv(from + offset, length, MPI_PACKED, rank, own_tag, at, elements, type, rank,
                                       own_tag, comm, MPI_STATUS_IGNORE)
                        : MPI_Unpack(from + offset, length, &position, at, elements, type, comm),
          "unpacking elements of a derived type");
  });
}

bool dense(MPI_Datatype type) {
  if (const BasicType* const basic = find_basic(type); basic != nullptr) return basic->dense;
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (owned_by_mpi(combiner)) {
    int size = 0;
    MPI_Aint low = 0, extent = 0;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &low, &extent);
    return low == 0 && extent == size;  // pairs such as MPI_DOUBLE_INT have a gap
  }
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) return false;
  MPI_Datatype inner = inner_type(type, integers, addresses, types);
  const bool is = dense(inner);
  MPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner);
  if (!owned_by_mpi(combiner)) MPI_Type_free(&inner);
  return is;
}

/// Nothing in MPI tells but an error.
bool committed(MPI_Datatype type, MPI_Comm comm) {
  if (find_basic(type) != nullptr) return true;
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (owned_by_mpi(combiner)) return true;
  std::byte nothing{};
  int position = 0;
  return MPI_Pack(&nothing, 0, type, &nothing, 1, &position, comm) == MPI_SUCCESS;
}

std::byte* element(void* buffer, MPI_Datatype type, Bytes index) {
  MPI_Aint low = 0, extent = 0;
  MPI_Type_get_extent(type, &low, &extent);
  return static_cast<std::byte*>(buffer) + index * static_cast<Bytes>(extent);
}

std::byte* Staging::take(std::size_t which, Bytes bytes) {
  Area& area = areas_[which];
  if (area.bytes < bytes) {
    area = {};
    area.memory.reset(new std::byte[static_cast<std::size_t>(bytes)]);
    area.bytes = bytes;
  }
  return area.memory.get();
}

}  // namespace quadrille::mpi
