// What trials have found, kept in a file for the next run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dropin/operation.hpp"

namespace quadrille::dropin {

/// Where a trial was held: what else must be equal for its result to hold.
struct Circumstances {
  std::string mpi;       ///< "Open MPI v4.1.4"
  std::string topology;  ///< "crossbar:4"
  Bytes segment = 0;     ///< plans' messages travel in pieces of this; 0: whole
  bool operator==(const Circumstances&) const = default;
};

struct Verdict {
  Circumstances where;
  Operation operation{};
  int size_class = 0;
  std::string choice;  ///< "native", or an algorithm with its parameters
  Seconds native = 0;  ///< measured, of a call of this size
  Seconds chosen = 0;
};

class Verdicts {
 public:
  /// Null when nothing is known.
  const Verdict* find(const Circumstances& where, Operation operation, int size_class) const;
  /// Replaces what was known of the same.
  void learn(Verdict verdict);
  bool empty() const { return verdicts_.empty(); }

  std::string text() const;
  /// Throws Error(format); `where` opens its message.
  static Verdicts parse(std::string_view text, std::string_view where);

 private:
  std::vector<Verdict> verdicts_;
};

/// A file's text; throws Error(argument) where there is none or it is longer than any of ours.
std::string read_file(const std::string& path, std::string_view what);
/// All of it or nothing; throws Error(argument).
void write_file(const std::string& path, std::string_view text, std::string_view what);

}  // namespace quadrille::dropin
