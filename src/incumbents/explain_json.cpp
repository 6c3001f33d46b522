// Rules of Open MPI 6, which are JSON, and what is wrong with them.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "incumbents/explained.hpp"
#include "incumbents/openmpi.hpp"

namespace quadrille::incumbents {

namespace {

using Json = nlohmann::ordered_json;

class JsonExplainer {
 public:
  Explained explain(const std::string& text) {
    said_.form = "rules of Open MPI 6, JSON";
    const Json file = Json::parse(text, nullptr, false, true);
    if (!file.is_object() || !file.contains("collectives") || !file["collectives"].is_object()) {
      mistake("the file", "expected a JSON object in which \"collectives\" is an object");
      return std::move(said_);
    }
    for (const auto& item : file["collectives"].items()) {
      const std::string& name = item.key();
      const Json& sizes = item.value();
      const auto n =
          std::find_if(numbered().begin(), numbered().end(), [&](const Numbered& one) { return one.name == name; });
      if (n == numbered().end())
        mistake(shown(name), "is no collective; the whole file is dropped");
      else if (!sizes.is_array())
        mistake(shown(name), "expected a list of communicators");
      else
        for (std::size_t i = 0; i < sizes.size(); ++i) communicator(*n, sizes[i], fmt::format("{}[{}]", name, i));
    }
    return std::move(said_);
  }

 private:
  static std::string shown(const std::string& name) { return base::quoted(name, 60); }
  void mistake(const std::string& place, const std::string& why) { said_.mistakes.push_back(place + ": " + why); }

  /// An integer, or "inf", which is what a missing maximum is.
  std::int64_t number(const Json& object, const char* key, std::int64_t otherwise, const std::string& place) {
    if (!object.contains(key)) return otherwise;
    const Json& value = object[key];
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= (std::uint64_t{1} << 62))
      return value.get<std::int64_t>();
    if (value.is_string() && value.get<std::string>() == "inf") return infinite;
    mistake(place, fmt::format("{}: expected an integer from 0 on, or \"inf\"", key));
    return otherwise;
  }

  void communicator(const Numbered& n, const Json& one, const std::string& place) {
    if (!one.is_object() || !one.contains("rules") || !one["rules"].is_array())
      return mistake(place, "expected an object with a list \"rules\"");
    const std::int64_t low = number(one, "comm_size_min", 0, place),
                       high = number(one, "comm_size_max", infinite, place);
    if (low > high) mistake(place, "comm_size_min is above comm_size_max: it is never taken");
    const std::string ranks = high == infinite ? fmt::format("{} and more", low) : fmt::format("{} to {}", low, high);
    std::int64_t through = -1;
    for (std::size_t i = 0; i < one["rules"].size(); ++i)
      rule(n, one["rules"][i], ranks, fmt::format("{}.rules[{}]", place, i), through);
  }

  void rule(const Numbered& n, const Json& one, const std::string& ranks, const std::string& place,
            std::int64_t& through) {
    if (!one.is_object()) return mistake(place, "expected an object");
    const std::int64_t low = number(one, "msg_size_min", 0, place), high = number(one, "msg_size_max", infinite, place);
    if (low > high) mistake(place, "msg_size_min is above msg_size_max: it is never taken");
    if (high <= through) mistake(place, "rules before it take all its sizes: it is never taken");
    through = std::max(through, high);
    const std::string from = high == infinite ? fmt::format("{} bytes of {}", low, n.sizes)
                                              : fmt::format("{} to {} bytes of {}", low, high, n.sizes);
    std::string details;
    if (const std::int64_t segment = number(one, "seg_size", 0, place); segment > 0)
      details = fmt::format("segments of {}", base::format_bytes(segment));
    said_.says.push_back({std::string(n.name), ranks, from, algorithm(n, one, place), details});
  }

  std::string algorithm(const Numbered& n, const Json& one, const std::string& place) {
    const Json id = one.contains("alg") ? one["alg"] : Json(0);
    const std::int64_t most = std::ssize(n.algorithms) - 1;
    if (id.is_number_unsigned() && id.get<std::uint64_t>() <= static_cast<std::uint64_t>(most))
      return fmt::format("{} ({})", n.algorithms[id.get<std::size_t>()], id.get<std::size_t>());
    if (id.is_string())
      for (std::size_t i = 1; i < n.algorithms.size(); ++i)
        if (n.algorithms[i] == id.get<std::string>()) return fmt::format("{} ({})", n.algorithms[i], i);
    mistake(place,
            fmt::format("alg: expected a number from 0 to {} or a name of {}; the rule is passed over", most, n.name));
    return "none";
  }

  static constexpr std::int64_t infinite = std::int64_t{1} << 62;
  Explained said_;
};

}  // namespace

Explained explain_openmpi_json(const std::string& text) { return JsonExplainer().explain(text); }

}  // namespace quadrille::incumbents
