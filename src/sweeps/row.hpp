// Rows of sweeps as text, both ways.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "quadrille/sweep.hpp"

namespace quadrille::sweeps {

/// What notes say that are looked for later.
constexpr std::string_view not_proven = "not proven: ", is_wrong = "wrong: ";

/// Where rows are in a file: after head, each between lead and trail, then tail.
struct SweepText {
  SweepForm form;
  std::string head(const std::string& question) const;
  /// What heads of any question begin with.
  std::string_view magic() const;
  std::string row(const SweepRow& row, bool first) const;
  std::string_view tail() const;
  /// Takes the next whole row off `text`; none when what is left is no whole row.
  std::optional<SweepRow> next(std::string_view& text, bool first) const;
};

/// The question in a head, as JSON; takes the head off `text`. Throws Error(format) where there is none.
std::string_view take_csv_question(std::string_view& text);
SweepRow parse_row(const nlohmann::ordered_json& row);

/// "alltoall_mce" and "phases=3,3" as "alltoall_mce:phases=3,3", and the parameters as an object.
std::string choice_text(const std::string& algorithm, const std::string& params);
nlohmann::ordered_json params_json(const std::string& algorithm, const std::string& params);

std::string csv_row(const SweepRow& row);
std::string json_row(const SweepRow& row);

}  // namespace quadrille::sweeps
