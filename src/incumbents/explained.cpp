#include "incumbents/explained.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace quadrille::incumbents {

Explained explain(const std::string& text) {
  constexpr std::size_t most = std::size_t{4} << 20;
  if (text.size() > most)
    throw Error(Error::Kind::budget, fmt::format("a rules file of {} bytes; expected at most {}", text.size(), most));
  const std::string_view begin = base::trimmed(text);
  if (begin.starts_with("{"))
    return text.find("\"collectives\"") != std::string::npos ? explain_openmpi_json(text) : explain_mpich(text);
  if (!begin.empty() &&
      (begin[0] == '#' || begin.starts_with("rule-file-version-") || (begin[0] >= '0' && begin[0] <= '9')))
    return explain_openmpi_text(text);
  throw Error(Error::Kind::format,
              fmt::format("begins with {}; expected rules of Open MPI, which are numbers or JSON with \"collectives\", "
                          "or JSON of MPICH with \"collective=...\" keys",
                          base::quoted(begin.substr(0, 20))));
}

}  // namespace quadrille::incumbents
