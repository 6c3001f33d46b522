// Lines of GOAL as programs write them, taken apart in some dozen instructions each. Traces have a hundred million.
#pragma once

#include <cstdint>
#include <cstring>

namespace quadrille::interchange {

/// "l7: calc 1000", "l8: send 64b to 3 tag 5", "l9: recv 64b from 3" and "l8 requires l7", whose labels are numbers
/// behind an l. Numbers are as they stand: whether they may be is for whoever reads them.
struct GoalLine {
  enum class What : std::uint8_t { calc, send, recv, needs_end, needs_begin };
  What what = What::calc;
  std::uint64_t label = 0, other = 0;  ///< other: the peer, or the label of the operation that is needed
  std::uint64_t amount = 0, tag = 0;   ///< nanoseconds, or bytes
};

/// Takes one such line apart; null for any other, which may be right nevertheless. Looks at no more than
/// `longest` characters from `at` on.
class GoalLineScanner {
 public:
  static constexpr int longest = 256;

  /// Returns the beginning of the next line.
  static const char* scan(const char* at, GoalLine& line) {
    for (int blanks = 0; *at == ' ' && blanks < most_blanks; ++blanks) ++at;
    if ((at = label(at, line.label)) == nullptr) return nullptr;
    if (*at == ' ') return needs(at + 1, line);
    if (at[0] != ':' || at[1] != ' ') return nullptr;
    at += 2;
    if (begins(at, "calc ")) {
      line.what = GoalLine::What::calc;
      at = number(at + 5, line.amount);
    } else if (begins(at, "send ")) {
      line.what = GoalLine::What::send;
      at = message(at + 5, "b to ", line);
    } else if (begins(at, "recv ")) {
      line.what = GoalLine::What::recv;
      at = message(at + 5, "b from ", line);
    } else {
      return nullptr;
    }
    line.tag = 0;
    return at == nullptr ? nullptr : stream(at, line);
  }

 private:
  static constexpr int most_blanks = 16, most_digits = 18, most_label_digits = 9;

  template <std::size_t size>
  static bool begins(const char* at, const char (&word)[size]) {
    return std::memcmp(at, word, size - 1) == 0;
  }
  template <int most = most_digits>
  static const char* number(const char* at, std::uint64_t& value) {
    const char* const end = at + most;
    std::uint64_t got = static_cast<unsigned char>(*at - '0');
    if (got > 9) return nullptr;
    for (++at; at != end; ++at) {
      const auto digit = static_cast<unsigned char>(*at - '0');
      if (digit > 9) {
        value = got;
        return at;
      }
      got = 10 * got + digit;
    }
    return nullptr;
  }
  static const char* label(const char* at, std::uint64_t& value) {
    return at[0] == 'l' && at[1] != '0' ? number<most_label_digits>(at + 1, value) : nullptr;
  }
  static const char* needs(const char* at, GoalLine& line) {
    line.what = *at == 'i' ? GoalLine::What::needs_begin : GoalLine::What::needs_end;
    if (*at == 'i') ++at;
    if (!begins(at, "requires ") || (at = label(at + 9, line.other)) == nullptr) return nullptr;
    return *at == '\n' ? at + 1 : nullptr;
  }
  template <std::size_t size>
  static const char* message(const char* at, const char (&between)[size], GoalLine& line) {
    if ((at = number(at, line.amount)) == nullptr || !begins(at, between)) return nullptr;
    return number(at + (size - 1), line.other);
  }
  /// Up to three of a tag, a processor and a network card, then the line's end. The last tag counts.
  static const char* stream(const char* at, GoalLine& line) {
    for (int words = 0; words < 3; ++words) {
      if (*at == '\n') return at + 1;
      const bool tag = begins(at, " tag ");
      if (!tag && !begins(at, " cpu ") && !begins(at, " nic ")) return nullptr;
      std::uint64_t value = 0;
      if ((at = number<most_label_digits>(at + 5, value)) == nullptr) return nullptr;
      if (tag) line.tag = value;
    }
    return *at == '\n' ? at + 1 : nullptr;
  }
};

}  // namespace quadrille::interchange
