// What the ranks of a communicator say to each other before the first decision on a row, and what follows from it. Each
// says some numbers, and all learn the largest of each. Nothing here knows MPI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dropin/decide/budget.hpp"
#include "dropin/decide/request.hpp"

namespace quadrille::dropin {

/// One rank's part of it.
struct Statement {
  bool room = true;          ///< for one more private communicator
  std::int64_t number = 0;   ///< for a private communicator, of no other in the program; 0 but on rank 0
  std::int64_t kept = 0;     ///< the number of a private communicator that an earlier communicator has left; 0: none
  std::string found = {};    ///< what a trial on another communicator of these ranks has found for this row
  std::uint64_t call = 0;    ///< Request::hash() of the call that this rank is in
  Seconds native_time = 0;   ///< of the row's calls until now
  std::int64_t calls = 1;    ///< of the row until now
  Seconds spent = 0;         ///< on trials, in the whole program
  Seconds since_begin = 0;   ///< since MPI_Init
  Seconds opening_cost = 0;  ///< what a trial is thought to take before its first turn

  /// Always as many.
  std::vector<std::int64_t> numbers() const;
};

/// What all ranks know after it, the same on all.
struct Meeting {
  bool same_call = false;     ///< all are in the same call
  bool room = false;          ///< on all ranks
  std::int64_t number = 0;    ///< rank 0's
  std::int64_t kept = 0;      ///< where all have said the same
  bool same_found = false;    ///< all have found something, and the same
  bool affordable = false;    ///< a trial is, now
  std::int64_t patience = 0;  ///< where it is not: by how much more calls there shall be before ranks meet again
  Seconds native_call = 0;    ///< the longest time of all ranks over the most calls

  /// `largest`: of each of the numbers, of all ranks.
  Meeting(const std::vector<std::int64_t>& largest, const Budget& budget);
};

/// Numbers from 0 are in the same order as what their bits say: so the largest can be found among whole numbers.
std::int64_t ordered_bits(double number);
double from_ordered_bits(std::int64_t bits);

/// A request's hash as a number from 0, whose negative exists.
inline std::int64_t whole_hash(std::uint64_t hash) { return static_cast<std::int64_t>(hash >> 2); }

}  // namespace quadrille::dropin
