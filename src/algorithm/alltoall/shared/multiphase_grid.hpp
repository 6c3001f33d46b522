// Costs of multiphase exchanges as whole numbers of a small unit of time, so that comparisons are exact.
#pragma once

#include "quadrille/multiphase.hpp"

namespace quadrille::algorithm::alltoall {

__extension__ typedef __int128 Wide;

/// The sign (-1, 0 or 1) of a/b - c/d for b, d > 0, without a product that could overflow.
int compare_fractions(Wide a, Wide b, Wide c, Wide d);

/// A model with its constants in units of 1/per_second() s. All times stay below 2^118 units.
class MultiphaseGrid {
 public:
  explicit MultiphaseGrid(const MultiphaseModel& model);

  struct Line {
    Wide intercept = 0, slope = 0;
    Wide at(Bytes bytes) const { return intercept + slope * bytes; }
  };
  int dimension() const { return d_; }
  bool charge_identity() const { return charge_identity_; }
  /// P(n); n = 0 gives what a phase costs beside its messages.
  Line phase(std::int64_t n) const;
  /// T; checks that the parts add up to the dimension.
  Line partition(const Partition& phases) const;
  /// What one-phase runs save by not performing the identity permutation.
  Wide identity_slope() const;
  Wide message() const { return message_; }  ///< lambda + delta
  Wide tau() const { return tau_; }

  Seconds seconds(Wide units) const { return static_cast<Seconds>(static_cast<long double>(units) / per_second_); }
  TimeLine seconds(const Line& line) const { return {seconds(line.intercept), seconds(line.slope)}; }
  /// Throws Error(argument) unless 0 <= bytes and 2^d bytes fit 62 bits.
  void check(Bytes bytes) const;

 private:
  int d_;
  bool charge_identity_;
  long double per_second_ = 1;
  Wide message_ = 0, hop_ = 0, tau_ = 0, rho_ = 0, barrier_ = 0;
};

}  // namespace quadrille::algorithm::alltoall
