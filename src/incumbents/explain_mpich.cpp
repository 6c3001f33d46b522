// MPICH's selection of algorithms, read as MPICH 4.0 walks it, and what is wrong with it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"
#include "incumbents/explained.hpp"
#include "incumbents/mpich_frame.hpp"

namespace quadrille::incumbents {

namespace {

using Json = nlohmann::ordered_json;
constexpr int most_nested = 32;

/// Tests that compare a number; they need a sibling "=any" behind them.
constexpr std::string_view numeric[] = {"comm_size", "comm_avg_ppn", "avg_msg_size", "total_msg_size", "count"};
constexpr std::string_view yes_or_no[] = {"is_sendbuf_inplace", "is_commutative",    "is_op_built_in",
                                          "is_block_regular",   "is_multi_threaded", "is_node_consecutive"};
/// Algorithms of collectives that block, as 4.0 has them besides those of the frame.
constexpr std::string_view known_algorithms[] = {"Allgather_intra_brucks",
                                                 "Allgather_intra_recursive_doubling",
                                                 "Allgatherv_intra_brucks",
                                                 "Allgatherv_intra_recursive_doubling",
                                                 "Allreduce_intra_reduce_scatter_allgather",
                                                 "Allreduce_intra_smp",
                                                 "Alltoall_intra_pairwise",
                                                 "Barrier_intra_smp",
                                                 "Bcast_intra_smp",
                                                 "Bcast_intra_scatter_recursive_doubling_allgather",
                                                 "Bcast_intra_scatter_ring_allgather",
                                                 "Reduce_intra_reduce_scatter_gather",
                                                 "Reduce_intra_smp",
                                                 "Reduce_scatter_intra_noncommutative",
                                                 "Reduce_scatter_intra_pairwise",
                                                 "Reduce_scatter_intra_recursive_halving",
                                                 "Reduce_scatter_block_intra_noncommutative",
                                                 "Reduce_scatter_block_intra_pairwise",
                                                 "Reduce_scatter_block_intra_recursive_halving",
                                                 "Scan_intra_smp"};

void collect(const Json& json, std::set<std::string>& names) {
  for (const auto& [key, value] : json.items()) {
    if (key.starts_with("algorithm=")) names.insert(key.substr(key.find('=') + 1));
    if (value.is_object()) collect(value, names);
  }
}

class SelectionExplainer {
 public:
  SelectionExplainer() {
    const Json frame = Json::parse(mpich_frame_text);
    for (const auto& [key, value] : frame.items()) collectives_.insert(key.substr(key.find('=') + 1));
    collect(frame, algorithms_);
    for (const std::string_view name : known_algorithms) algorithms_.insert(fmt::format("MPIR_{}", name));
  }

  Explained explain(const std::string& text) {
    said_.form = "MPICH's selection, as 4.0 reads it";
    const Json file = Json::parse(text, nullptr, false);
    if (!file.is_object()) {
      mistake("the file", "is no JSON; MPI_Init aborts");
      return std::move(said_);
    }
    std::set<std::string> missing = collectives_;
    for (const auto& [raw, value] : file.items()) {
      const std::string key = without_blanks(raw), name = key.substr(std::min(key.find('='), key.size() - 1) + 1);
      missing.erase(name);
      if (!key.starts_with("collective="))
        said_.remarks.push_back(fmt::format("{}: what stands below it is not looked at here", base::quoted(raw, 60)));
      else if (!collectives_.contains(name))
        mistake(base::quoted(raw, 60), "is no collective of MPICH 4.0; MPI_Init aborts");
      else
        walk(value, name, {}, 0);
    }
    if (!missing.empty())
      said_.mistakes.push_back(fmt::format("missing: {}; a program that calls one aborts",
                                           base::join(std::vector<std::string>(missing.begin(), missing.end()), ", ")));
    return std::move(said_);
  }

 private:
  static std::string without_blanks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
  }
  void mistake(const std::string& place, const std::string& why) { said_.mistakes.push_back(place + ": " + why); }
  static std::string place_of(const std::string& collective, const std::vector<std::string>& path) {
    std::string place = collective;
    for (const std::string& key : path) place += " / " + base::quoted(key, 60);
    return place;
  }

  void walk(const Json& json, const std::string& collective, std::vector<std::string> path, int depth) {
    const std::string place = place_of(collective, path);
    if (!json.is_object()) return mistake(place, "expected an object");
    if (json.empty()) return mistake(place, "is empty: the call aborts");
    if (depth > most_nested) return mistake(place, "is nested too deeply");
    bool any = false;
    for (const auto& [raw, value] : json.items()) {
      const std::string key = without_blanks(raw);
      if (any)
        mistake(place,
                fmt::format("{} comes behind a test that always holds: it is never tried", base::quoted(raw, 60)));
      if (key.starts_with("algorithm=")) {
        leaf(key.substr(key.find('=') + 1), collective, path);
        continue;
      }
      check(key, collective, place);
      any = any || key.ends_with("=any");
      std::vector<std::string> below = path;
      below.push_back(key);
      walk(value, collective, below, depth + 1);
    }
    for (const std::string_view name : numeric) {
      const bool compares = has(json, fmt::format("{}<", name));
      if (compares && !has(json, fmt::format("{}=any", name)))
        mistake(place, fmt::format("{} is compared, and no {}=any follows: the call aborts", name, name));
    }
  }

  static bool has(const Json& json, const std::string& begin) {
    for (const auto& [key, value] : json.items())
      if (without_blanks(key).starts_with(begin)) return true;
    return false;
  }

  void check(const std::string& key, const std::string& collective, const std::string& place) {
    const std::string name = key.substr(0, key.find_first_of("=<"));
    const bool compares = std::find(std::begin(numeric), std::end(numeric), name) != std::end(numeric);
    const bool asks = std::find(std::begin(yes_or_no), std::end(yes_or_no), name) != std::end(yes_or_no);
    if (!compares && !asks && name != "comm_type" && name != "comm_hierarchy")
      return mistake(place, fmt::format("{} is no test of MPICH 4.0; MPI_Init aborts", base::quoted(key, 60)));
    const std::string plain = collective.starts_with("i") ? collective.substr(1) : collective;
    const bool averaged = plain == "bcast" || plain == "allreduce" || plain == "reduce" || plain == "alltoall";
    if (name == "avg_msg_size" && !averaged)
      mistake(place, "avg_msg_size is known for bcast, allreduce, reduce and alltoall only: the call aborts");
    if (name == "is_sendbuf_inplace" && !plain.starts_with("alltoall"))
      mistake(place, "is_sendbuf_inplace is a test of alltoall and its like only");
    if (asks && !key.ends_with("=yes") && !key.ends_with("=no"))
      mistake(place, fmt::format("{}: expected {}=yes or {}=no", base::quoted(key, 60), name, name));
  }

  void leaf(const std::string& name, const std::string& collective, const std::vector<std::string>& path) {
    const std::string place = place_of(collective, path);
    std::string begin = "MPIR_" + collective;
    begin[5] = static_cast<char>(begin[5] - 'a' + 'A');
    if (!name.starts_with(begin + "_"))
      mistake(place, fmt::format("{} is no algorithm of {}; MPI_Init aborts", base::quoted(name, 80), collective));
    else if (!algorithms_.contains(name) && name.find("allcomm_nb") == std::string::npos)
      (collective.starts_with("i") || collective.starts_with("neighbor") ? said_.remarks : said_.mistakes)
          .push_back(fmt::format("{}: {} is not known here", place, base::quoted(name, 80)));
    const bool in_place = std::find(path.begin(), path.end(), "is_sendbuf_inplace=yes") != path.end();
    if (name.ends_with("_sendrecv_replace") && !in_place)
      mistake(place, fmt::format("{} is for data in place only, and delivers wrong data elsewhere", name));
    said_.says.push_back({collective, "all", path.empty() ? "all" : base::join(path, ", "), name, ""});
  }

  std::set<std::string> collectives_, algorithms_;
  Explained said_;
};

}  // namespace

Explained explain_mpich(const std::string& text) { return SelectionExplainer().explain(text); }

}  // namespace quadrille::incumbents
