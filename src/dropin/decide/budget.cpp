#include "dropin/decide/budget.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace quadrille::dropin {

Budget parse_budget(std::string_view text) {
  if (text == "off") return {.limited = false};
  std::string_view number = text;
  const bool part = number.ends_with('%');
  if (part) number.remove_suffix(1);
  while (part && number.ends_with(' ')) number.remove_suffix(1);
  double percent = -1;
  try {
    if (part && !number.empty()) percent = base::parse_number(number, "budget");
  } catch (const Error&) {  // said below
  }
  if (percent >= 0 && percent <= 100) return {.share = percent / 100};
  throw Error(Error::Kind::argument,
              fmt::format("budget {}: expected a part of the program's time from 0% to 100%, such as 5%, or off for no "
                          "limit",
                          base::quoted(text)));
}

}  // namespace quadrille::dropin
