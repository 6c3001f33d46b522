// Rules files of Open MPI's coll/tuned: a stream of integers in which lines mean nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "incumbents/incumbents.hpp"

namespace quadrille::incumbents {

namespace {

struct Numbered {
  int number;  ///< COLLID of the file
  Collective collective;
  bool times_ranks;  ///< sizes are blocks of all ranks together
  int algorithms;    ///< ids from 0, "as built in", to this
  std::string_view name;
};
constexpr std::array<Numbered, 6> numbered{{{0, Collective::allgather, true, 6, "allgather"},
                                            {2, Collective::allreduce, false, 6, "allreduce"},
                                            {3, Collective::alltoall, true, 5, "alltoall"},
                                            {7, Collective::bcast, false, 9, "bcast"},
                                            {12, Collective::reduce_scatter, true, 4, "reduce_scatter"},
                                            {13, Collective::reduce_scatter, true, 4, "reduce_scatter_block"}}};

constexpr int block_number = 13;

/// reduce_scatter_block has other numbers: recursive halving, 2 there, is 3 here; a ring it has not.
int id_of_block(int id) { return id == 2 ? 3 : 0; }

std::string rules_text(const Rules& rules, const Numbered& n) {
  std::string text = fmt::format("{} 1  # {}\n{} {}\n", n.number, n.name, rules.ranks, rules.rules.size());
  for (const Rule& rule : rules.rules) {
    const int id = n.number == block_number ? id_of_block(rule.use->id) : rule.use->id;
    text += fmt::format("{} {} 0 {}  # {}\n", rule.from * (n.times_ranks ? rules.ranks : 1), id, rule.use->segment,
                        id == 0 ? "as built in" : rule.use->name);
  }
  return text;
}

/// One number after the other, with the line it stands on.
class Numbers {
 public:
  explicit Numbers(std::string_view text) : rest_(text) {}
  std::int64_t next(std::string_view what, std::int64_t low, std::int64_t high) {
    skip();
    const auto end = std::min(rest_.find_first_of(" \t\r\n#"), rest_.size());
    if (end == 0) refuse(fmt::format("the file ends; expected {}: one number is missing before", what));
    const std::string_view word = rest_.substr(0, end);
    rest_ = rest_.substr(end);
    try {
      return base::parse_integer(word, low, high, what);
    } catch (const Error& error) {
      refuse(error.what());
    }
  }
  void end() {
    skip();
    if (!rest_.empty()) refuse("numbers behind the last rule; expected the end: a count before is too small");
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(Error::Kind::format, fmt::format("rules file, line {}: {}", line_, why));
  }

 private:
  void skip() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '#') {
        rest_ = rest_.substr(std::min(rest_.find('\n'), rest_.size()));
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        line_ += c == '\n';
        rest_ = rest_.substr(1);
      } else {
        return;
      }
    }
  }
  std::string_view rest_;
  std::int64_t line_ = 1;
};

constexpr std::int64_t most_size = std::int64_t{1} << 50;

void check_block(Numbers& numbers, const Numbered& n) {
  const std::int64_t rows = numbers.next("rows of a communicator", 1, 1000);
  std::int64_t before = -1;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t from = numbers.next("bytes", i == 0 ? 0 : before + 1, i == 0 ? 0 : most_size);
    numbers.next(fmt::format("algorithm of {}", n.name), 0, n.algorithms);
    numbers.next("fan-out", 0, 1 << 20);
    numbers.next("segment", 0, most_size);
    before = from;
  }
}

}  // namespace

std::string openmpi_text(const std::vector<Rules>& all, std::string_view comment) {
  std::string body;
  int collectives = 0;
  for (const Rules& rules : all)
    for (const Numbered& n : numbered)
      if (n.collective == rules.collective) body += rules_text(rules, n), ++collectives;
  const std::string text = fmt::format("{}  # collectives; {}\n{}", collectives, comment, body);
  check_openmpi_text(text);
  return text;
}

void check_openmpi_text(std::string_view text) {
  Numbers numbers(text);
  const std::int64_t collectives = numbers.next("the number of collectives", 1, 22);
  for (std::int64_t i = 0; i < collectives; ++i) {
    const std::int64_t id = numbers.next("a collective's number", 0, 21);
    const auto n =
        std::find_if(numbered.begin(), numbered.end(), [&](const Numbered& one) { return one.number == id; });
    if (n == numbered.end()) numbers.refuse(fmt::format("collective {}; expected 0, 2, 3, 7, 12 or 13", id));
    const std::int64_t blocks = numbers.next("communicator sizes", 1, 1000);
    std::int64_t before = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      before = numbers.next("ranks of a communicator", before + 1, std::int64_t{1} << 31);
      check_block(numbers, *n);
    }
  }
  numbers.end();
}

}  // namespace quadrille::incumbents
