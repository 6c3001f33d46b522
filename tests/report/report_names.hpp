// Names in a report's schedule turned back into ranks and blocks, written from docs/reference/report.md and not from
// the program.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace quadrille::report_test {

using Json = nlohmann::json;

class Names {
 public:
  explicit Names(const Json& json)
      : s_(json["schedule"]),
        kind_(s_["naming"]["kind"]),
        sides_(s_["naming"]["sides"]),
        p_(json["network"]["ranks"]),
        nodes_(json["network"]["nodes"]) {
    for (const std::int64_t side : sides_) names_ *= kind_ == "mesh" ? 2 * side - 1 : side;
    if (sides_.empty()) names_ = nodes_;
  }

  std::int64_t rank(std::int64_t name, std::int64_t from) const {
    if (kind_ == "absolute") return name;
    if (kind_ == "xor") return name ^ from;
    if (kind_ == "rotate") return (name + from) % p_;
    std::int64_t rank = 0, scale = 1;
    for (std::size_t i = sides_.size(); i-- > 0;) {
      const std::int64_t side = sides_[i], radix = kind_ == "mesh" ? 2 * side - 1 : side, digit = name % radix;
      const std::int64_t here = from / scale % side;
      rank += scale * (kind_ == "mesh" ? here + digit - side + 1 : (here + digit) % side);
      scale *= side;
      name /= radix;
    }
    return rank;
  }
  std::int64_t block(std::int64_t name, std::int64_t from) const {
    const std::string kind = s_["blocks"]["kind"];
    if (kind == "plain") return name;
    if (kind == "owner") return rank(name, from);
    return rank(name / names_, from) * p_ + rank(name % names_, from);
  }

  /// Calls visit(rank, value) for runs of first rank, ranks, value.
  static void runs(const Json& list, const std::function<void(std::int64_t, std::int64_t)>& visit) {
    for (std::size_t i = 0; i < list.size(); i += 3)
      for (std::int64_t r = list[i]; r < list[i].get<std::int64_t>() + list[i + 1].get<std::int64_t>(); ++r)
        visit(r, list[i + 2]);
  }

 protected:
  const Json s_;
  std::string kind_;
  std::vector<std::int64_t> sides_;
  std::int64_t p_, nodes_, names_ = 1;
};

}  // namespace quadrille::report_test
