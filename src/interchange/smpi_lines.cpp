#include "interchange/smpi_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace quadrille::interchange {

namespace {

/// How the words of an action follow each other: a number for the trace's name of it.
enum class SmpiWords {
  count_root,
  count_flops_root,
  count_flops,
  two_counts_root,
  two_counts,
  gatherv,
  scatterv,
  allgatherv,
  alltoallv,
  reduce_scatter
};
struct SmpiCollective {
  std::string_view name;
  Collective collective;
  SmpiWords words;
  std::string_view form;
};
constexpr std::array<SmpiCollective, 13> smpi_collectives{{
    {"bcast", Collective::bcast, SmpiWords::count_root, "COUNT [ROOT [TYPE]]"},
    {"reduce", Collective::reduce, SmpiWords::count_flops_root, "COUNT FLOPS [ROOT [TYPE]]"},
    {"allreduce", Collective::allreduce, SmpiWords::count_flops, "COUNT FLOPS [TYPE]"},
    {"scan", Collective::scan, SmpiWords::count_flops, "COUNT FLOPS [TYPE]"},
    {"exscan", Collective::exscan, SmpiWords::count_flops, "COUNT FLOPS [TYPE]"},
    {"gather", Collective::gather, SmpiWords::two_counts_root, "SENT RECEIVED [ROOT [TYPE TYPE]]"},
    {"scatter", Collective::scatter, SmpiWords::two_counts_root, "SENT RECEIVED [ROOT [TYPE TYPE]]"},
    {"allgather", Collective::allgather, SmpiWords::two_counts, "SENT RECEIVED [TYPE TYPE]"},
    {"alltoall", Collective::alltoall, SmpiWords::two_counts, "SENT RECEIVED [TYPE TYPE]"},
    {"gatherv", Collective::gather, SmpiWords::gatherv, "SENT RECEIVED.. [ROOT [TYPE TYPE]]"},
    {"scatterv", Collective::scatter, SmpiWords::scatterv, "SENT.. RECEIVED [ROOT [TYPE TYPE]]"},
    {"allgatherv", Collective::multibcast, SmpiWords::allgatherv, "SENT RECEIVED.. [TYPE TYPE [PLACES..]]"},
    {"alltoallv", Collective::alltoall, SmpiWords::alltoallv, "BUFFER SENT.. BUFFER RECEIVED.. [TYPE TYPE]"},
}};
constexpr SmpiCollective smpi_reduce_scatter{"reducescatter", Collective::reduce_scatter, SmpiWords::reduce_scatter,
                                             "RECEIVED.. FLOPS [TYPE]"};

const SmpiCollective* find_smpi(std::string_view name) {
  if (name == smpi_reduce_scatter.name) return &smpi_reduce_scatter;
  const auto found = std::find_if(smpi_collectives.begin(), smpi_collectives.end(),
                                  [&](const SmpiCollective& c) { return c.name == name; });
  return found == smpi_collectives.end() ? nullptr : &*found;
}

/// Reads the words of a line one after the other.
class SmpiLine {
 public:
  SmpiLine(const SmpiAction& action, const SmpiCollective& kind, Rank ranks, const ApplicationBuilder& builder)
      : action_(action), kind_(kind), ranks_(ranks), builder_(builder) {}

  Called read() {
    Called called;
    CalledCollective& call = called.call;
    call.collective = kind_.collective, call.ranks = ranks_;
    switch (kind_.words) {
      case SmpiWords::count_root:
      case SmpiWords::count_flops_root:
      case SmpiWords::count_flops: {
        const std::int64_t count = number("count");
        if (kind_.words != SmpiWords::count_root) skip("FLOPS");
        if (kind_.words != SmpiWords::count_flops) call.root = optional_root();
        call.element = optional_type();
        call.bytes = count * call.element;
        if (!combines_in(kind_.collective)) call.element = 1;
        break;
      }
      case SmpiWords::two_counts_root:
      case SmpiWords::two_counts:
        two_counts(call);
        break;
      default:
        several_counts(called);
    }
    if (at_ < action_.words.size()) refuse("more words than that");
    return called;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    builder_.refuse(action_.line, fmt::format("{}; expected RANK {} {}", why, kind_.name, kind_.form));
  }
  static bool combines_in(Collective c) {
    return c == Collective::reduce || c == Collective::allreduce || c == Collective::scan || c == Collective::exscan ||
           c == Collective::reduce_scatter;
  }
  std::string_view word(std::string_view what) {
    if (at_ >= action_.words.size()) refuse(fmt::format("{} is missing", what));
    return action_.words[at_++];
  }
  void skip(std::string_view what) { word(what); }
  std::int64_t whole(std::string_view text, std::int64_t high, std::string_view what) const {
    try {
      return base::parse_integer(text, 0, high, what);
    } catch (const Error& error) {
      builder_.refuse(action_.line, error.what());
    }
  }
  std::int64_t number(std::string_view what) { return whole(word(what), most_smpi_count, what); }
  std::vector<std::int64_t> numbers(std::string_view what) {
    std::vector<std::int64_t> all;
    for (Rank r = 0; r < ranks_; ++r) all.push_back(number(what));
    return all;
  }
  bool more() const { return at_ < action_.words.size(); }
  Rank optional_root() { return more() ? whole(word("root"), ranks_ - 1, "root") : 0; }
  std::int64_t optional_type() {
    const std::int64_t type = more() ? whole(word("type"), std::ssize(smpi_type_bytes) - 1, "type") : action_.type;
    return smpi_type_bytes[static_cast<std::size_t>(type)];
  }

  /// Of a scatter what comes counts: only the root knows what is sent. Of others what is sent.
  void two_counts(CalledCollective& call) {
    const std::int64_t sent = number("sent"), received = number("received");
    if (kind_.words == SmpiWords::two_counts_root) call.root = optional_root();
    const std::int64_t sent_type = optional_type(), received_type = optional_type();
    call.bytes = kind_.collective == Collective::scatter ? received * received_type : sent * sent_type;
  }

  void several_counts(Called& called) {
    CalledCollective& call = called.call;
    if (kind_.words == SmpiWords::alltoallv) {
      skip("the buffer");
      const std::vector<std::int64_t> sent = numbers("sent");
      skip("the buffer");
      numbers("received");
      const std::int64_t type = optional_type();
      optional_type();
      for (const std::int64_t count : sent) called.sent.push_back(count * type);
    } else if (kind_.words == SmpiWords::gatherv) {
      const std::int64_t sent = number("sent");
      numbers("received");
      call.root = optional_root();
      called.sent.assign(static_cast<std::size_t>(ranks_), 0);
      called.sent[static_cast<std::size_t>(call.root)] = sent * optional_type();
      optional_type();
    } else if (kind_.words == SmpiWords::scatterv) {
      const std::vector<std::int64_t> sent = numbers("sent");
      number("received");
      call.root = optional_root();
      const std::int64_t type = optional_type();
      optional_type();
      for (const std::int64_t count : sent) called.sent.push_back(count * type);
    } else {
      vectors(call);
    }
  }
  /// Blocks of different lengths that a schedule moves: an allgatherv, which is a broadcast from every rank, and a
  /// reduce-scatter.
  void vectors(CalledCollective& call) {
    const bool reduces = kind_.words == SmpiWords::reduce_scatter;
    if (!reduces) number("sent");
    call.counts = numbers("received");
    if (reduces) skip("FLOPS");
    std::int64_t type = optional_type();
    if (!reduces) {
      type = optional_type();
      if (more()) numbers("place");
    }
    for (Bytes& count : call.counts) count *= type;
    call.bytes = *std::max_element(call.counts.begin(), call.counts.end());
    call.element = reduces ? type : 1;
    if (std::any_of(call.counts.begin(), call.counts.end(), [&](Bytes b) { return b != call.bytes; })) return;
    call.counts.clear();
    if (!reduces) call.collective = Collective::allgather;
  }

  const SmpiAction& action_;
  const SmpiCollective& kind_;
  Rank ranks_;
  const ApplicationBuilder& builder_;
  std::size_t at_ = 2;
};

}  // namespace

std::string Called::text() const {
  return fmt::format("a {} of {} bytes{}", to_string(call.collective), call.bytes,
                     has_root(call.collective) ? fmt::format(" with root {}", call.root) : "");
}

Called read_call(const SmpiAction& action, Rank ranks, const ApplicationBuilder& builder) {
  return SmpiLine(action, *find_smpi(action.words[1]), ranks, builder).read();
}

bool is_smpi_collective(std::string_view action) { return find_smpi(action) != nullptr; }

double smpi_flops(const SmpiAction& action, const ApplicationBuilder& builder) {
  const SmpiCollective& kind = *find_smpi(action.words[1]);
  const bool counted = kind.words == SmpiWords::count_flops || kind.words == SmpiWords::count_flops_root;
  if (!counted || action.words.size() < 4) return 0;
  try {
    const double flops = base::parse_number(action.words[3], "FLOPS");
    if (flops >= 0 && flops < 1e18) return flops;
  } catch (const Error& error) {
    builder.refuse(action.line, error.what());
  }
  builder.refuse(action.line, fmt::format("FLOPS {}; expected 0 to 1e18", base::quoted(action.words[3], 40)));
}

}  // namespace quadrille::interchange
