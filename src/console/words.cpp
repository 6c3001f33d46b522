#include "console/words.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "console/table.hpp"

namespace quadrille::console {

std::string some(std::int64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", base::format_count(n), noun, n == 1 ? "" : "s");
}

std::string share(Seconds part, Seconds whole) {
  if (!(whole > 0)) return "-";
  const double percent = 100 * part / whole;
  if (percent > 0 && percent < 0.05) return "< 0.1 %";
  return fmt::format("{:.{}f} %", percent, percent > 0 && percent < 0.95 ? 1 : 0);
}

std::string slower(Seconds time, Seconds best) {
  if (time <= best) return "just as fast";
  if (!(best > 0)) return "slower";
  const double ratio = time / best;
  if (ratio < 1.0005) return "less than 0.1 % slower";
  if (ratio >= 2) return fmt::format("{} times as long", base::format_ratio(ratio));
  const double percent = 100 * (ratio - 1);
  return fmt::format("{:.{}f} % slower", percent, percent < 9.95 ? 1 : 0);
}

bool in_units(const Machine& machine) { return machine.alpha >= 1 || machine.beta >= 1; }

std::string unit_words(const Machine& machine) {
  if (!in_units(machine)) return {};
  if (machine.alpha == 1 && machine.beta == 1) return ", which counts start-ups + bytes";
  return fmt::format(", which counts {:.4g} a start-up and {:.4g} a byte", machine.alpha, machine.beta);
}

std::string time_text(Seconds time, const Machine& machine) {
  if (!in_units(machine)) return base::format_seconds(time);
  if (time == std::floor(time) && time < 1e18) return base::format_count(static_cast<std::int64_t>(time));
  return time < 1e4 ? fmt::format("{:.4g}", time) : fmt::format("{:.6g}", time);
}

void print_line(Context& context, std::string_view label, std::string_view text, std::string_view broken) {
  std::string lines = wrapped(text, 8, line_width - broken.size());
  if (!broken.empty())
    for (auto at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at + broken.size() + 1))
      lines.insert(at, broken);
  context.print("{:<8}{}\n", label, lines);
}

std::string gap_words(double gap, bool measured) {
  if (gap >= 1.0005) return fmt::format("the time is {} times the limit", base::format_ratio(gap));
  if (gap >= 0.9995) return "none: nothing is faster on this machine";
  if (measured)
    return fmt::format(
        "{:.3g}: faster than the limit, so that the machine's constants are not those of where it was measured", gap);
  return fmt::format("internal error: the time is {:.3g} times a limit that no schedule beats. Please report this line",
                     gap);
}

void print_limit(const Bound& bound, double gap, const Machine& machine, Context& context, bool measured) {
  if (!(bound.time > 0)) return print_line(context, "limit", "none: there is nothing to move");
  print_line(context, "limit",
             fmt::format("{}: no schedule is faster; it is set by {}{}", time_text(bound.time, machine), bound.binding,
                         bound.binding == "rounds against volume" ? ": fewer rounds mean more bytes" : ""));
  std::size_t width = 0;
  for (const Bound::Part& p : bound.parts) width = std::max(width, p.name.size());
  for (const Bound::Part& p : bound.parts)
    if (p.time > 0)
      context.print("        {:<{}} {:>10}  {}\n", p.name, width, time_text(p.time, machine),
                    context.faint(wrapped(p.why, width + 21)));
  print_line(context, "gap", gap_words(gap, measured));
}

std::string_view yes_no(bool value) { return value ? "yes" : "no"; }

}  // namespace quadrille::console
