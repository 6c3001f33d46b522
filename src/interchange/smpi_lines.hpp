// Lines of collectives in a time-independent trace of SMPI: which words they have, and what these mean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interchange/application.hpp"

namespace quadrille::interchange {

/// Bytes of SMPI's types by their numbers, as far as they are simple.
constexpr std::int64_t smpi_type_bytes[] = {8, 4, 1, 2, 8, 4, 1, 8};
constexpr std::int64_t most_smpi_count = std::int64_t{1} << 37;

/// Whether an action is a collective of which this file knows the messages.
bool is_smpi_collective(std::string_view action);

/// A rank's line.
struct SmpiAction {
  std::vector<std::string_view> words;  ///< the rank and the name first; of text that outlives this
  std::int64_t line = 0, type = 6;      ///< type: of what has none
  std::uint32_t begin = 0;              ///< the operation before its messages; the next one is behind them
};

/// Floating-point operations that a rank performs after the collective.
double smpi_flops(const SmpiAction& action, const ApplicationBuilder& builder);

/// What one rank's line says.
struct Called {
  CalledCollective call;
  std::vector<Bytes> sent;  ///< to each rank, of those whose lengths may differ and that go straight

  bool alike(const Called& other) const {
    return call.collective == other.call.collective && call.bytes == other.call.bytes && call.root == other.call.root &&
           call.counts == other.call.counts && call.element == other.call.element;
  }
  std::string text() const;  ///< "a bcast of 8 bytes with root 0"
};

/// Throws Error(format) with the line for what it may not say.
Called read_call(const SmpiAction& action, Rank ranks, const ApplicationBuilder& builder);

}  // namespace quadrille::interchange
