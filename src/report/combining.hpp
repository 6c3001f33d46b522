// Who has combined which contributions to a reduction, round after round: the proof's own execution, told in the names
// that ranks have for each other.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/items.hpp"
#include "report/naming.hpp"
#include "verifier/combination.hpp"

namespace quadrille::report {

/// A part of the vector is a block and a piece of it. A set of contributions is a list: 1 if an operator got them in
/// the order of ranks, else 0; then runs of names, each its first name, length and stride.
class Combining {
 public:
  /// Lists go to `items`, those of contributions to `sets`.
  Combining(const Spec& spec, const Schedule& schedule, const Naming& naming, Dictionary& items, Dictionary& sets,
            bool pieces_move);

  /// Executes the schedule and calls `observe(t)` at the end of round t. False: it does not end with the results.
  bool run(const std::function<void(Round)>& observe);
  /// The names of parts: labels of the vector.
  const BlockNames& blocks() const { return blocks_; }

  // Numbers of lists in `items`: groups of first piece, pieces, set, runs of blocks as in packed(). During observe().
  std::int64_t initial(Rank r);
  std::int64_t wanted(Rank r);
  /// What a message carries.
  std::int64_t carried(Round t, Rank from, Rank to);
  /// Parts of which the rank has combined more than before, or other contributions. To be asked after every round.
  std::int64_t made(Round t, Rank r);

 private:
  using Value = verifier::Combination::Value;
  /// Names of parts by the set that goes with them.
  using Parts = std::unordered_map<std::int64_t, std::vector<Item>>;
  std::int64_t part(const Value& value) const { return value.piece * blocks_.count + value.block; }
  std::size_t place(Rank r, Buffer buffer, Slot slot) const {
    return static_cast<std::size_t>(r * slots_ + (buffer == Buffer::tmp ? out_slots_ : 0) + slot);
  }
  Value at(Rank r, std::int64_t place) const;
  void moved(Rank r, Buffer buffer, Slot slot, std::vector<std::int64_t>& touched);
  verifier::Expression best(Rank r, std::int64_t part) const;
  bool exists(std::int64_t part) const;
  std::int64_t set(verifier::Expression expression, Rank from);
  std::optional<std::pair<std::int64_t, std::int64_t>> steps_of(const std::vector<std::pair<Rank, Rank>>& runs,
                                                                Rank from) const;
  std::int64_t set(bool in_order, std::vector<std::int64_t>& names);
  std::int64_t number(Parts& parts, Slot moved);
  void add(Parts& parts, Rank from, std::int64_t part, std::int64_t set) const;

  const Spec& spec_;
  const Schedule& schedule_;
  const Naming& naming_;
  Dictionary& items_;
  Dictionary& sets_;
  bool pieces_move_;
  Slot out_slots_, slots_;  ///< of out, of out and tmp: at a rank
  std::int64_t parts_;      ///< of the vector
  BlockNames blocks_;
  schedule::Meter meter_;
  verifier::Combination execution_;
  Collected collected_;
  std::vector<std::int64_t> part_of_;  ///< the part that each place of a rank's memory holds, or -1
  std::unordered_map<std::int64_t, std::vector<std::int32_t>> places_;  ///< rank * parts_ + part -> places
  std::vector<verifier::Expression> best_;                              ///< the same, as told so far
};

}  // namespace quadrille::report
