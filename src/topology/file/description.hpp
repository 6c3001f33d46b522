// What a network file says, line by line, before anybody has asked whether it makes sense.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::topology {

constexpr std::size_t most_network_bytes = std::size_t{16} << 20;

/// A word of the file; line 0 for one that is not there.
struct Word {
  std::string_view text;
  std::int64_t line = 0;
};

struct LinkLine {
  Word a, b;
  std::string_view capacity = {}, latency = {}, count = {}, kind = {};  ///< empty: not said
  bool both_ways = true;
  std::int64_t line = 0;
};

struct NicLine {
  Word host;
  std::string_view capacity, latency;
};

/// A link, the `which`-th one of several where that is said; a node where `b` is not there.
struct FailLine {
  Word a, b;
  std::string_view which;
};

struct Description {
  std::string name;                      ///< of the file, for messages
  std::deque<std::string> written = {};  ///< the texts that words are parts of; they stay where they are
  Word network = {}, unit = {}, routes = {};
  std::vector<Word> hosts = {}, switches = {};
  std::vector<LinkLine> links = {};
  std::vector<NicLine> nics = {};
  std::vector<FailLine> fails = {};
  std::vector<Word> job = {};
  Word others = {};  ///< of the hosts without a rank: "relay" or "removed"

  /// A name, or the names of a list of SLURM's: n[01-03,07].
  void add_names(std::vector<Word>& place, const Word& word);
  /// Throws Error(format): "network file 'a.net', line 3: <why>".
  [[noreturn]] void refuse(std::int64_t line, const std::string& why) const;
};

/// One thing a line. `where` names it in messages.
Description describe_text(std::string text, const std::string& where);
/// The same words in TOML.
Description describe_toml(std::string text, const std::string& where);

}  // namespace quadrille::topology
