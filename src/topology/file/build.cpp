#include "topology/file/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"
#include "topology/file/amount.hpp"

namespace quadrille::topology {

namespace {

constexpr std::size_t most_name = 255, most_kinds = 256;

Exact divisor(Exact a, Exact b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

bool may_name(std::string_view name) {
  constexpr std::string_view other = "_.-:/+";
  return !name.empty() && name.size() <= most_name && std::all_of(name.begin(), name.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || other.find(c) != other.npos;
  });
}

class Builder {
 public:
  explicit Builder(const Description& d) : d_(d) {}

  Network build() {
    read_routes();
    for (const Word& word : d_.hosts) add_node(word);
    n_.ranks = n_.vertices;
    for (const Word& word : d_.switches) add_node(word);
    if (n_.ranks == 0) d_.refuse(0, "no host; expected a line such as 'host g0 g1'");
    for (const LinkLine& line : d_.links) add_link(line);
    for (const FailLine& line : d_.fails) fail(line);
    add_nics();
    scale();
    drop_failed();
    take_job();
    check_ways();
    return std::move(n_);
  }

 private:
  void read_routes() {
    if (d_.routes.line == 0) return;
    const std::optional<Routing> routing = routing_of(d_.routes.text);
    if (!routing)
      d_.refuse(d_.routes.line,
                fmt::format("routes {}; expected shortest, updown, balanced or chosen", base::quoted(d_.routes.text)));
    n_.routing = *routing;
  }

  void add_node(const Word& word) {
    if (!may_name(word.text))
      d_.refuse(word.line, fmt::format("node {}; expected a name of at most 255 letters, digits and _ . - : / +",
                                       base::quoted(word.text)));
    if (n_.vertices == most_vertices) d_.refuse(word.line, "more than 2^20 nodes, the most there can be");
    const auto [known, added] = nodes_.emplace(word.text, static_cast<std::int32_t>(n_.vertices));
    if (!added)
      d_.refuse(word.line, fmt::format("node {} once more; line {} names it; expected every node once",
                                       base::quoted(word.text), lines_[at(known->second)]));
    n_.names.emplace_back(word.text);
    lines_.push_back(word.line);
    ++n_.vertices;
  }

  std::int32_t node(const Word& word) const {
    const auto found = nodes_.find(word.text);
    if (found != nodes_.end()) return found->second;
    const std::vector<std::string> some(n_.names.begin(),
                                        n_.names.begin() + std::min<std::ptrdiff_t>(std::ssize(n_.names), 30));
    base::unknown_name(fmt::format("{}, line {}: node", d_.name, word.line), word.text, "host or switch", some);
  }

  Exact capacity(std::string_view text, std::int64_t line) {
    if (text.empty()) text = "1";
    const auto amount = read_amount(text);
    if (!amount || amount->millionths == 0)
      d_.refuse(line,
                fmt::format("capacity {}; expected a number above 0 such as 25GB/s, 100Gbit/s or 4, of at most 18 "
                            "digits; a link that has failed is left out, or said in a line 'fail'",
                            base::quoted(text)));
    if (rates_line_ != 0 && amount->is_rate != rates_)
      d_.refuse(line, fmt::format("capacity {} is {}, that of line {} is not; expected rates everywhere, or numbers of "
                                  "one unit",
                                  base::quoted(text), amount->is_rate ? "a rate" : "a plain number", rates_line_));
    rates_ = amount->is_rate;
    rates_line_ = line;
    return amount->millionths;
  }

  Seconds latency(std::string_view text, std::int64_t line) const {
    const auto seconds = text.empty() ? std::optional<Seconds>(0) : read_latency(text);
    if (!seconds) d_.refuse(line, fmt::format("latency {}; expected a time such as 1us or 250ns", base::quoted(text)));
    return *seconds;
  }

  int kind(std::string_view text, std::int64_t line) {
    if (text.empty()) return 0;
    if (!may_name(text))
      d_.refuse(line, fmt::format("kind {}; expected a name such as kind=nvlink", base::quoted(text)));
    const auto known = std::find(n_.kinds.begin(), n_.kinds.end(), text);
    if (known != n_.kinds.end()) return static_cast<int>(known - n_.kinds.begin());
    if (n_.kinds.size() == most_kinds) d_.refuse(line, "more than 256 kinds of links, the most there can be");
    n_.kinds.emplace_back(text);
    return static_cast<int>(n_.kinds.size()) - 1;
  }

  std::int64_t number(std::string_view text, std::int64_t most, std::string_view what, std::int64_t line) const {
    return base::parse_integer(text, 1, most, fmt::format("{}, line {}: {}", d_.name, line, what));
  }

  void add_link(const LinkLine& line) {
    Wire wire{.a = node(line.a), .b = node(line.b), .both_ways = line.both_ways};
    if (wire.a == wire.b)
      d_.refuse(line.line, fmt::format("a link joins {} to itself; expected two nodes", base::quoted(line.a.text)));
    const Exact width = capacity(line.capacity, line.line);
    wire.latency = latency(line.latency, line.line);
    wire.kind = kind(line.kind, line.line);
    const std::int64_t count = line.count.empty() ? 1 : number(line.count, most_arcs, "count", line.line);
    arcs_ += count * (line.both_ways ? 2 : 1);
    if (arcs_ > most_arcs) d_.refuse(line.line, "more than 2^24 directed links, the most there can be");
    for (std::int64_t i = 0; i < count; ++i) add_wire(wire, width, line.line);
  }

  void add_wire(const Wire& wire, Exact width, std::int64_t line) {
    n_.wires.push_back(wire);
    widths_.push_back(width);
    wire_lines_.push_back(line);
    failed_.push_back(false);
  }

  void fail(const FailLine& line) {
    const std::int32_t a = node(line.a);
    if (line.b.line == 0) {
      gone_.push_back(a);
      return;
    }
    const std::vector<std::int64_t>& joined = between(a, node(line.b));
    if (joined.empty())
      d_.refuse(line.a.line, fmt::format("no link joins {} and {}; expected two nodes that one joins",
                                         base::quoted(line.a.text), base::quoted(line.b.text)));
    if (line.which.empty()) {
      for (const std::int64_t wire : joined) failed_[at(wire)] = true;
      return;
    }
    failed_[at(
        joined[at(number(line.which, std::ssize(joined), "number of the link between the two", line.a.line) - 1)])] =
        true;
  }

  /// Wires between two nodes, in the order of the file.
  const std::vector<std::int64_t>& between(std::int32_t a, std::int32_t b) {
    const auto key = [](std::int64_t x, std::int64_t y) { return std::min(x, y) * most_vertices + std::max(x, y); };
    if (joined_.empty())
      for (std::size_t i = 0; i < n_.wires.size(); ++i)
        joined_[key(n_.wires[i].a, n_.wires[i].b)].push_back(static_cast<std::int64_t>(i));
    return joined_[key(a, b)];
  }

  /// All links of a host with a limit get a node between them and the host.
  void add_nics() {
    if (d_.nics.empty()) return;
    std::vector<std::int32_t> between(at(n_.vertices), -1);
    const std::size_t wires = n_.wires.size();
    for (const NicLine& line : d_.nics) {
      const std::int64_t where = line.host.line;
      const std::int32_t host = node(line.host);
      if (host >= n_.ranks)
        d_.refuse(where, fmt::format("{} is a switch; expected a host", base::quoted(line.host.text)));
      names_.push_back(fmt::format("{}.nic", line.host.text));
      add_node({names_.back(), where});
      between[at(host)] = static_cast<std::int32_t>(n_.vertices - 1);
      Wire wire{.a = host, .b = between[at(host)], .latency = latency(line.latency, where)};
      wire.kind = kind("nic", where);
      add_wire(wire, capacity(line.capacity, where), where);
    }
    for (std::size_t i = 0; i < wires; ++i)
      for (std::int32_t* const end : {&n_.wires[i].a, &n_.wires[i].b})
        if (const std::int32_t nic = between[at(*end)]; nic >= 0) *end = nic;
  }

  /// What one unit is, in the terms of widths_.
  Exact unit() {
    Exact common = 0;
    for (const Exact width : widths_) common = divisor(common, width);
    const auto said = read_amount(d_.unit.text);
    if (d_.unit.line == 0) {
      n_.rate = rates_ ? static_cast<double>(common) / 8e6 : 0;
      return common;
    }
    if (!said || said->millionths == 0 || (rates_ && !said->is_rate))
      d_.refuse(d_.unit.line, fmt::format("unit {}; expected one such as 1GB/s{}", base::quoted(d_.unit.text),
                                          rates_ ? ", as capacities are rates" : ""));
    if (said->is_rate) n_.rate = static_cast<double>(said->millionths) / 8e6;
    return said->is_rate && !rates_ ? Exact{1'000'000} : said->millionths;  // plain numbers count units
  }

  void scale() {
    const Exact one = unit();
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      if (widths_[i] % one != 0)
        d_.refuse(wire_lines_[i], "the capacity is no whole number of units; expected a smaller 'unit', or none");
      if (widths_[i] / one > most_width)
        d_.refuse(wire_lines_[i],
                  "the capacity is more than 2^31 units; expected a larger 'unit', or capacities that "
                  "have a larger one in common");
      n_.wires[i].width = static_cast<std::int64_t>(widths_[i] / one);
      if (n_.routing == Routing::updown && !n_.wires[i].both_ways)
        d_.refuse(wire_lines_[i], "an arc leads one way; expected links for routes updown, or routes shortest");
    }
  }

  void drop_failed() {
    std::vector<Wire> left;
    for (std::size_t i = 0; i < n_.wires.size(); ++i) (failed_[i] ? n_.failed : left).push_back(n_.wires[i]);
    n_.wires = std::move(left);
  }

  /// Failed nodes and the hosts without a rank leave, or relay.
  void take_job() {
    std::vector<bool> gone(at(n_.vertices), false), taken(gone);
    for (const std::int32_t v : gone_) gone[at(v)] = true;
    std::vector<std::int32_t> order;
    for (const Word& word : d_.job) {
      const std::int32_t host = node(word);
      const auto refuse = [&](std::string_view why) {
        d_.refuse(word.line, fmt::format("job: {} {}", base::quoted(word.text), why));
      };
      if (host >= n_.ranks) refuse("is a switch; expected hosts");
      if (taken[at(host)]) refuse("once more; expected every host once");
      if (gone[at(host)]) refuse("has failed; expected hosts that have not");
      taken[at(host)] = true;
      order.push_back(host);
    }
    if (d_.job.empty() && d_.others.line != 0)
      d_.refuse(d_.others.line, "others without a job; expected job = [\"a\", ...]");
    if (d_.others.line != 0 && d_.others.text != "relay" && d_.others.text != "removed")
      d_.refuse(d_.others.line, fmt::format("others {}; expected relay or removed", base::quoted(d_.others.text)));
    if (d_.job.empty() && gone_.empty()) return;
    for (Rank r = 0; r < n_.ranks && d_.job.empty(); ++r)
      if (!gone[at(r)]) order.push_back(static_cast<std::int32_t>(r));
    const Rank ranks = std::ssize(order);
    if (ranks == 0) d_.refuse(0, "every host has failed; expected at least one that has not");
    const bool removed = d_.others.text == "removed";
    for (std::int64_t v = 0; v < n_.vertices; ++v) {
      const bool host = v < n_.ranks;
      if (gone[at(v)] || taken[at(v)] || (host && (removed || d_.job.empty()))) continue;
      order.push_back(static_cast<std::int32_t>(v));
    }
    n_ = renumbered(n_, order, ranks);
  }

  void check_ways() const {
    const auto pair = unreachable_pair(n_);
    if (!pair) return;
    const auto line = [&](Rank r) { return lines_[at(n_.place(r))]; };
    d_.refuse(
        line(pair->second),
        fmt::format("rank {} ({}) cannot be reached from rank {} ({}); expected links or arcs both ways between any "
                    "two hosts",
                    pair->second, n_.name(pair->second), pair->first, n_.name(pair->first)));
  }

  const Description& d_;
  Network n_;
  std::unordered_map<std::string_view, std::int32_t> nodes_;
  std::vector<std::int64_t> lines_, wire_lines_;  ///< of nodes and of wires
  std::vector<Exact> widths_;
  std::vector<bool> failed_;
  std::vector<std::int32_t> gone_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> joined_;
  std::deque<std::string> names_;
  std::int64_t arcs_ = 0, rates_line_ = 0;
  bool rates_ = false;
};

}  // namespace

Network network_of(const Description& description) { return Builder(description).build(); }

Network parse_network(std::string content, const std::string& name) {
  return network_of(name.ends_with(".toml") ? describe_toml(std::move(content), name)
                                            : describe_text(std::move(content), name));
}

}  // namespace quadrille::topology
