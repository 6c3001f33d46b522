// Bytes of an element. MPI is asked, but for types that are its own and every program's, which stay what they are: the
// question is a tenth of what a small call takes.
#pragma once

#include <mpi.h>

#include <array>

#include "mpi/handles.hpp"
#include "quadrille/base.hpp"

namespace quadrille::dropin {

using mpi::number_of;

class Sizes {
 public:
  /// Before any other thread may call MPI.
  static void learn();

  /// -1: not understood.
  static Bytes of(MPI_Datatype type) {
    const Known& known = known_[place(type)];
    return known.type == type ? known.size : ask(type);
  }
  /// Whether this handle always means the same size; false, too, of some of MPI's own types.
  static bool stays(MPI_Datatype type) {
    const Known& known = known_[place(type)];
    return known.type == type && known.size >= 0;
  }

 private:
  struct Known {
    MPI_Datatype type;
    Bytes size;
  };
  static constexpr std::size_t room = 256;

  static std::size_t place(MPI_Datatype type) { return (number_of(type) ^ number_of(type) >> 9) % room; }
  static Bytes ask(MPI_Datatype type);

  [[gnu::visibility("hidden")]] static std::array<Known, room> known_;
};

}  // namespace quadrille::dropin
