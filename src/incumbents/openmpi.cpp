// Rules files of Open MPI's coll/tuned, written: a stream of integers, and JSON for Open MPI 6.
#include "incumbents/openmpi.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "incumbents/explained.hpp"
#include "incumbents/incumbents.hpp"

namespace quadrille::incumbents {

namespace {

struct Row {
  Bytes from;
  int id;
  std::int64_t fanout;
  Bytes segment;
  std::string_view name;
};

/// What the file's collective is told; equal rows in a row are one.
std::vector<Row> rows_of(const Rules& rules, const Numbered& n) {
  std::vector<Row> rows;
  for (const Rule& rule : rules.rules) {
    const int id = n.number == reduce_scatter_block ? id_of_block(rule.use.own->id) : rule.use.own->id;
    const Row row{rule.from * (n.times_ranks ? rules.ranks : 1), id, n.number == 7 && id != 2 ? 0 : rule.use.fanout(),
                  rule.use.segment(), n.algorithms[static_cast<std::size_t>(id)]};
    const bool again =
        !rows.empty() && rows.back().id == id && rows.back().fanout == row.fanout && rows.back().segment == row.segment;
    if (!again) rows.push_back(row);
  }
  return rows;
}

std::string rules_text(const Rules& rules, const Numbered& n) {
  const std::vector<Row> rows = rows_of(rules, n);
  std::string text = fmt::format("{} 1  # {}\n{} {}\n", n.number, n.name, rules.ranks, rows.size());
  for (const Row& row : rows)
    text += fmt::format("{} {} {} {}  # {}\n", row.from, row.id, row.fanout, row.segment, row.name);
  return text;
}

/// Both ends of a range are in it.
nlohmann::ordered_json rules_ranges(const Rules& rules, const Numbered& n) {
  const std::vector<Row> rows = rows_of(rules, n);
  auto ranges = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    nlohmann::ordered_json range{{"msg_size_min", rows[i].from}};
    if (i + 1 < rows.size())
      range["msg_size_max"] = rows[i + 1].from - 1;
    else
      range["msg_size_max"] = "inf";
    range["alg"] = rows[i].id;
    range["faninout"] = rows[i].fanout;
    range["seg_size"] = rows[i].segment;
    ranges.push_back(std::move(range));
  }
  return {{"comm_size_min", rules.ranks}, {"comm_size_max", rules.ranks}, {"rules", std::move(ranges)}};
}

}  // namespace

std::string openmpi_text(const std::vector<Rules>& all, std::string_view comment) {
  std::string body;
  int collectives = 0;
  for (const Rules& rules : all)
    for (const Numbered& n : numbered())
      if (n.collective == rules.collective) body += rules_text(rules, n), ++collectives;
  std::string text = fmt::format("{}  # collectives; {}\n{}", collectives, comment, body);
  if (const Explained said = explain_openmpi_text(text); !said.mistakes.empty())
    throw Error(Error::Kind::internal, said.mistakes.front());
  return text;
}

std::string openmpi_json(const std::vector<Rules>& all) {
  nlohmann::ordered_json file{{"rule_file_version", 3}, {"module", "tuned"}};
  auto& collectives = file["collectives"] = nlohmann::ordered_json::object();
  for (const Rules& rules : all)
    for (const Numbered& n : numbered())
      if (n.collective == rules.collective)
        collectives[std::string(n.name)] = nlohmann::ordered_json::array({rules_ranges(rules, n)});
  return file.dump(1) + "\n";
}

}  // namespace quadrille::incumbents
