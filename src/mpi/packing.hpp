// Elements of any datatype as bytes that lie together, in the order of the type's signature, and back.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>

#include "quadrille/base.hpp"

namespace quadrille::mpi {

/// A communicator whose own messages packing may use, while nothing else is under way on it; its errors are returned.
struct Packer {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;

  /// `bytes`: of all elements. Throws MpiError.
  void pack(const std::byte* from, Bytes count, MPI_Datatype type, std::byte* to, Bytes bytes) const;
  void unpack(const std::byte* from, Bytes bytes, std::byte* to, Bytes count, MPI_Datatype type) const;
};

/// Whether elements one after the other are one run of bytes in the order of the type's signature.
bool dense(MPI_Datatype type);

/// Whether it may be sent. `comm` returns errors.
bool committed(MPI_Datatype type, MPI_Comm comm);

/// Where an element starts.
std::byte* element(void* buffer, MPI_Datatype type, Bytes index);

/// Room for what does not lie together; grows, and is kept for the next call.
class Staging {
 public:
  std::byte* take(std::size_t which, Bytes bytes);

 private:
  struct Area {
    std::unique_ptr<std::byte[]> memory;
    Bytes bytes = 0;
  };
  std::array<Area, 3> areas_;
};

}  // namespace quadrille::mpi
