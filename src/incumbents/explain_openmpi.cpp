// Rules of Open MPI as numbers, read as Open MPI reads them, and what is wrong with them.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "incumbents/explained.hpp"
#include "incumbents/openmpi.hpp"

namespace quadrille::incumbents {

namespace {

/// What ends the reading: everything behind it would mean something else.
struct Stop {
  std::string why;
};

/// One number after the other, with the line it stands on.
class Numbers {
 public:
  explicit Numbers(std::string_view text) : rest_(text) {}
  std::int64_t next(std::string_view what, std::int64_t low, std::int64_t high) {
    skip();
    const auto end = std::min(rest_.find_first_of(" \t\r\n#"), rest_.size());
    if (end == 0) stop(fmt::format("the file ends; expected {}: one number is missing before", what));
    const std::string_view word = rest_.substr(0, end);
    rest_ = rest_.substr(end);
    try {
      return base::parse_integer(word, low, high, what);
    } catch (const Error& error) {
      stop(error.what());
    }
  }
  bool ended() {
    skip();
    return rest_.empty();
  }
  /// A first line "rule-file-version-2", whose number is given; 1 where there is none.
  std::int64_t version() {
    skip();
    constexpr std::string_view word = "rule-file-version-";
    if (!rest_.starts_with(word)) return 1;
    rest_ = rest_.substr(word.size());
    return next("the version", 1, 2);
  }
  std::int64_t line() const { return line_; }
  [[noreturn]] void stop(const std::string& why) const { throw Stop{fmt::format("line {}: {}", line_, why)}; }

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

bool reads_fanout(const Numbered& n, std::int64_t id) { return (n.name == "bcast" || n.name == "reduce") && id == 2; }
bool reads_segment(const Numbered& n, std::int64_t id) {
  if (n.name == "bcast") return id >= 2 && id != 7;
  if (n.name == "reduce") return id >= 2 && id <= 6;
  return (n.name == "allreduce" && id == 5) || (n.name == "gather" && id == 3) || n.name == "alltoall" || id == 7;
}

class Explainer {
 public:
  explicit Explainer(std::string_view text) : numbers_(text) {}

  Explained explain() {
    said_.form = "rules of Open MPI's coll/tuned, 4.1 and 5.0";
    try {
      version_ = numbers_.version();
      if (version_ != 1)
        remark("the first line is a version: Open MPI before 5.0.7 passes over the whole file without a word");
      const std::int64_t count = numbers_.next("the number of collectives", 1, 22);
      std::vector<std::int64_t> seen;
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t id = numbers_.next("a collective's number", 0, 21);
        if (std::find(seen.begin(), seen.end(), id) != seen.end())
          mistake(fmt::format("collective {} comes twice; the rules before are lost", id));
        seen.push_back(id);
        collective(numbered()[static_cast<std::size_t>(id)]);
      }
      if (!numbers_.ended()) {
        numbers_.next("nothing behind the last rule: a count before is too small, and the rest is not read", 1, 0);
      }
    } catch (const Stop& stop) {
      said_.mistakes.push_back(stop.why);
    }
    return std::move(said_);
  }

 private:
  void mistake(const std::string& why) { said_.mistakes.push_back(fmt::format("line {}: {}", numbers_.line(), why)); }
  void remark(const std::string& why) { said_.remarks.push_back(fmt::format("line {}: {}", numbers_.line(), why)); }

  void collective(const Numbered& n) {
    const std::int64_t blocks = numbers_.next(fmt::format("communicator sizes of {}", n.name), 1, 1000);
    std::int64_t before = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t ranks = numbers_.next("ranks of a communicator", 0, std::int64_t{1} << 31);
      if (ranks <= before && b > 0)
        mistake(fmt::format("communicators of {} ranks behind those of {}; expected them to grow", ranks, before));
      if (b == 0 && ranks > 1)
        remark(fmt::format("smaller communicators than {} ranks take these rules of {}, too", ranks, n.name));
      before = ranks;
      rows(n, fmt::format("{}{}", ranks, b + 1 == blocks ? " and more" : " and more, up to the next"));
    }
  }

  void rows(const Numbered& n, const std::string& ranks) {
    const std::int64_t rows = numbers_.next("rules of a communicator", 1, 1000);
    std::int64_t before = -1;
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t from = numbers_.next("bytes", 0, most_size), line = numbers_.line();
      if (i == 0 && from != 0) mistake(fmt::format("the first rule begins at {} bytes; expected 0", from));
      if (from <= before) mistake(fmt::format("{} bytes behind {}; expected them to grow", from, before));
      before = from;
      row(n, ranks, from);
      if (numbers_.line() != line)
        remark(
            fmt::format("a rule's numbers stand on lines {} to here, and lines mean nothing: is one missing, or one "
                        "too many, before?",
                        line));
    }
  }

  void row(const Numbered& n, const std::string& ranks, std::int64_t from) {
    const std::int64_t most = std::ssize(n.algorithms) - 1;
    const std::int64_t id =
        numbers_.next(fmt::format("algorithm of {}, 0 to {}: others abort the job", n.name, most), 0, most);
    const std::int64_t fanout = numbers_.next("fan-out", 0, 1 << 20);
    const std::int64_t segment = numbers_.next("segment", 0, most_size);
    const std::int64_t requests = version_ == 2 ? numbers_.next("requests at once", 0, 1 << 30) : 0;
    std::string details;
    const auto detail = [&](const std::string& text) { details += (details.empty() ? "" : ", ") + text; };
    if (fanout > 0) detail(fmt::format("fan-out {}", fanout));
    if (segment > 0) detail(fmt::format("segments of {}", base::format_bytes(segment)));
    if (requests > 0) detail(fmt::format("{} requests at once", requests));
    if (fanout > 1 && !reads_fanout(n, id)) remark(fmt::format("{} {} reads no fan-out", n.name, id));
    if (segment > 0 && !reads_segment(n, id)) remark(fmt::format("{} {} reads no segment", n.name, id));
    if (const std::string since = newer(n, id); !since.empty()) remark(since);
    said_.says.push_back({std::string(n.name), ranks, fmt::format("{} bytes of {}", from, n.sizes),
                          fmt::format("{} ({})", n.algorithms[static_cast<std::size_t>(id)], id), details});
  }

  static std::string newer(const Numbered& n, std::int64_t id) {
    const bool since_five = (n.name == "allgather" && id == 7) || (n.name == "allgatherv" && id == 6);
    const bool since_six =
        (n.name == "allgather" && id == 8) || (n.name == "allreduce" && id == 7) || (n.name == "reduce" && id == 8);
    if (!since_five && !since_six) return {};
    return fmt::format("{} {} is there since Open MPI {}; ones before abort the job", n.name, id, since_six ? 6 : 5);
  }

  Numbers numbers_;
  Explained said_;
  std::int64_t version_ = 1;
};

}  // namespace

Explained explain_openmpi_text(std::string_view text) { return Explainer(text).explain(); }

}  // namespace quadrille::incumbents
