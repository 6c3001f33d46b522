// Words that every layer shares: integers with a meaning, and the one exception type.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace quadrille {

using Rank = std::int64_t;   ///< a processor, 0 .. ranks-1
using Round = std::int64_t;  ///< a step of a schedule, 0 .. rounds-1
using Slot = std::int64_t;   ///< an indivisible place in a buffer
using Link = std::int64_t;   ///< a directed wire of a topology, 0 .. links-1
using Bytes = std::int64_t;
using Seconds = double;

/// The only exception this library throws. `what()` says what is wrong, where, and what would be accepted.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    argument,   ///< a value outside its domain
    illegal,    ///< an algorithm that cannot run on this machine, topology or size
    format,     ///< text or a file that does not parse
    budget,     ///< more work or memory than allowed; the message names a cheaper way
    transport,  ///< data could not be moved, or arrived wrong
    internal    ///< a mistake of ours
  };

  Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

std::string_view to_string(Error::Kind kind);

}  // namespace quadrille
