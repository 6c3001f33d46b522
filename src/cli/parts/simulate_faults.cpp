#include "cli/parts/simulate_faults.hpp"

#include "base/integer.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"

namespace quadrille::cli {

namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view text, std::string_view why, const Topology& topology) {
  throw Error(Error::Kind::argument,
              fmt::format("{} {}: {}; expected a link of {}{} its number, 0 .. {}", what, base::quoted(text), why,
                          topology.text(), topology.direct() ? " such as 0>1 (one direction), 0-1 (both), or" : ":",
                          topology.links() - 1));
}

/// "0.05", "5%".
double parse_share(const std::string& text, std::string_view what) {
  const bool percent = text.ends_with('%');
  const double share = base::parse_number(percent ? std::string_view(text).substr(0, text.size() - 1) : text, what);
  return percent ? share / 100 : share;
}

/// "2us", "1.5ms", "3s", "2e-6".
Seconds parse_time(const std::string& text, std::string_view what) {
  constexpr std::pair<std::string_view, double> units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  for (const auto& [unit, seconds] : units)
    if (text.ends_with(unit))
      return seconds * base::parse_number(std::string_view(text).substr(0, text.size() - unit.size()), what);
  return base::parse_number(text, what);
}

}  // namespace

std::vector<Link> parse_links(std::string_view text, const Topology& topology, std::string_view what) {
  if (topology.links() == 0 || topology.shared_medium())
    throw Error(Error::Kind::argument,
                fmt::format("{} {}: all ranks of {} share one medium; expected a network with links", what,
                            base::quoted(text), topology.text()));
  const auto sign = text.find_first_of(">-", 1);
  if (sign == std::string_view::npos)
    return {base::parse_integer(text, 0, topology.links() - 1, fmt::format("{} on {}", what, topology.text()))};
  const std::string where = fmt::format("{} on {}", what, topology.text());
  const Rank from = base::parse_integer(text.substr(0, sign), 0, topology.nodes() - 1, where);
  const Rank to = base::parse_integer(text.substr(sign + 1), 0, topology.nodes() - 1, where);
  if (!topology.direct()) refuse(what, text, "its links join switches and go by number", topology);
  std::vector<Link> path;
  if (from != to) topology.route(from, to, path);
  if (path.size() != 1) refuse(what, text, "no link joins these ranks", topology);
  if (text[sign] == '-' && topology.reverse(path[0]) != path[0]) path.push_back(topology.reverse(path[0]));
  return path;
}

void add_fault_options(CLI::App& command, FaultOptions& options) {
  command
      .add_option("--slow", options.slow,
                  "Links on which a byte takes FACTOR times as long: 3>4=2 one direction, 3-4=2 both, 12=2 by number; "
                  "may be repeated")
      ->type_name("LINK=FACTOR")
      ->allow_extra_args(false)
      ->take_all();
  command.add_option("--fail", options.failed, "Links that carry nothing; may be repeated")
      ->type_name("LINK")
      ->allow_extra_args(false)
      ->take_all();
  command
      .add_option("--jitter", options.jitter,
                  "Every message's start-up and bytes take up to this share longer, such as 5%")
      ->type_name("SHARE");
  command.add_option("--skew", options.skew, "Every rank begins up to this late, such as 2us")->type_name("TIME");
  command.add_option("--seed", options.seed, "Of jitter and skew; default 1")->type_name("N");
}

Faults read(const FaultOptions& options, const Topology& topology) {
  Faults faults;
  for (const std::string& text : options.slow) {
    const auto equals = text.find('=');
    if (equals == std::string::npos)
      throw Error(Error::Kind::argument,
                  fmt::format("--slow {}: expected LINK=FACTOR, such as 0>1=2", base::quoted(text)));
    const double factor = base::parse_number(std::string_view(text).substr(equals + 1), "--slow");
    for (const Link link : parse_links(std::string_view(text).substr(0, equals), topology, "--slow"))
      faults.slow.emplace_back(link, factor);
  }
  for (const std::string& text : options.failed)
    for (const Link link : parse_links(text, topology, "--fail")) faults.failed.push_back(link);
  if (!options.jitter.empty()) faults.jitter = parse_share(options.jitter, "--jitter");
  if (!options.skew.empty()) faults.skew = parse_time(options.skew, "--skew");
  faults.seed = static_cast<std::uint64_t>(base::parse_integer(options.seed, 0, base::bit(62), "--seed"));
  return faults;
}

}  // namespace quadrille::cli
