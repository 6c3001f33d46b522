#include "algorithm/from_file.hpp"

#include <fmt/format.h>

#include <mutex>

#include "files/file.hpp"
#include "interchange/schedule_file.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm {

namespace {

using interchange::ScheduleFile;
using FilePtr = std::shared_ptr<const ScheduleFile>;

constexpr const char* path_key = "path";

/// The latest file: a command asks for the same one again and again. What has changed meanwhile is read anew.
FilePtr load(const std::string& path) {
  static std::mutex mutex;
  static std::string latest_path, latest_text;
  static FilePtr latest;
  const std::lock_guard lock(mutex);
  std::string text = files::read_file(path, interchange::most_schedule_bytes, "schedule file");
  if (latest && latest_path == path && latest_text == text) return latest;
  latest = std::make_shared<ScheduleFile>(interchange::read_schedule(text, path));
  latest_path = path;
  latest_text = std::move(text);
  return latest;
}

FilePtr load(const Params& params) { return load(std::string(params.choice(path_key))); }

/// The least that a question demands of any schedule.
Claims claims_of_file(const Spec& spec, const Machine&, const Params&) {
  const bool same_bits = spec.collective == Collective::allreduce && spec.identical;
  return {.once = false,
          .contention_free = false,
          .exact = true,
          .port_free = false,
          .in_order = combines(spec) && spec.operands == Operands::ordered,
          .identical = same_bits ? Identical::commutatively : Identical::no,
          .canonical = spec.canonical};
}

std::string file_illegal(const Spec& spec, const Machine&, const Params& params) {
  if (params.choice(path_key).empty()) return "it is given as file:NAME";
  return interchange::mismatch(*load(params), spec);
}

std::vector<Params> file_variants(const Spec&, const Machine&) { return {}; }

SchedulePtr build_from_file(const Spec& spec, const Machine&, const Params& params) {
  return interchange::schedule_of(*load(params), spec);
}

Cost cost_of_file(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *build_from_file(spec, machine, params));
}

/// One for each collective, in the order of collectives().
const std::vector<Algorithm>& file_algorithms() {
  static const std::vector<Algorithm> all = [] {
    std::vector<Algorithm> made;
    for (const Collective c : collectives())
      made.push_back({.name = "file",
                      .collective = c,
                      .summary = "the schedule that a file holds",
                      .source = "counted from the messages of the file",
                      .closed_form = {.where = "any network: counted"},
                      .parameters = {},
                      .claims = claims_of_file,
                      .illegal = file_illegal,
                      .variants = file_variants,
                      .cost = cost_of_file,
                      .build = build_from_file});
    return made;
  }();
  return all;
}

const Algorithm& file_algorithm(Collective collective) {
  const std::vector<Algorithm>& all = file_algorithms();
  return *std::find_if(all.begin(), all.end(), [&](const Algorithm& a) { return a.collective == collective; });
}

}  // namespace

bool is_from_file(const Algorithm& algorithm) { return algorithm.build == build_from_file; }

std::string text_of_file(const Params& params) { return fmt::format("{}{}", file_prefix, params.choice(path_key)); }

Choice choice_of_file(std::string_view text) {
  const std::string path(text.substr(file_prefix.size()));
  if (path.empty())
    throw Error(Error::Kind::argument, "algorithm file: expected the name of a schedule file after the colon");
  Params params;
  params.set_choice(path_key, path);
  return {&file_algorithm(load(path)->collective.value_or(collectives().front())), params};
}

std::string unprovable(const Choice& choice) {
  if (!is_from_file(*choice.algorithm)) return {};
  const FilePtr file = load(choice.params);
  if (file->says_contents) return {};
  return fmt::format(
      "{} is {} that says who sends how much to whom, and not what: there is nothing to prove, and no data "
      "to move; price and simulate take it",
      text_of_file(choice.params), file->form);
}

Choice for_collective(const Choice& choice, Collective collective) {
  if (choice.algorithm == nullptr || !is_from_file(*choice.algorithm) || load(choice.params)->collective) return choice;
  return {&file_algorithm(collective), choice.params};
}

}  // namespace quadrille::algorithm
