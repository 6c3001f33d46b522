#include "cli/options/from.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "console/words.hpp"
#include "report/measured.hpp"

namespace quadrille::cli {

void add_source(CLI::App& command, Source& source) {
  source.command = &command;
  add_request(command, source.request, Needs::maybe_algorithm);
  for (const char* name : {"COLLECTIVE", "TOPOLOGY"}) command.get_option(name)->required(false);
  command
      .add_option(
          "--from", source.from,
          "Finished answers: the JSON of run, simulate, plan, price or verify with --json, the file of a sweep, "
          "the CSV of quadrille-lab validate. The question is read from them; COLLECTIVE, TOPOLOGY, --bytes and "
          "--machine are needed only where they leave it open")
      ->type_name("FILE");
  command
      .add_option("--measured", source.measured,
                  "Times taken elsewhere, drawn beside the prices: a CSV file of lines bytes,seconds[,label]")
      ->type_name("FILE.csv");
}

namespace {

bool typed(const Source& source, const char* option) { return source.command->get_option(option)->count() > 0; }

void refuse_without_files(const Source& source) {
  for (const char* name : {"COLLECTIVE", "TOPOLOGY"})
    if (!typed(source, name))
      throw Error(Error::Kind::argument, fmt::format("{} is required, or --from with a finished answer; see 'quadrille "
                                                     "{} --help'",
                                                     name, source.command->get_name()));
}

report::Asked asked(const Source& source) {
  report::Asked asked;
  for (const char* name :
       {"--root", "--target", "--sources", "--demands", "--element", "--operands", "--bits", "--counts"})
    if (typed(source, name)) throw Error(Error::Kind::argument, fmt::format("{}: the files of --from say that", name));
  const Request& r = source.request;
  if (!r.collective.empty() && r.topology.empty())  // one word alone may be either
    throw Error(Error::Kind::argument,
                "TOPOLOGY is missing; with --from name both COLLECTIVE and TOPOLOGY, or neither");
  if (!r.collective.empty()) asked.collective = read_collective(r.collective);
  if (!r.topology.empty()) asked.topology = parse_topology(r.topology);
  if (typed(source, "--bytes")) asked.bytes = base::parse_bytes(r.bytes, "bytes");
  return asked;
}

void read_files(const Source& source, Subject& subject) {
  const bool given_machine = typed(source, "--machine");
  for (const std::string& path : source.from) subject.files.push_back(report::read_answers(path));
  report::FinishedQuestion question = report::question_of(subject.files, asked(source), given_machine);
  subject.task.spec = std::move(question.spec);
  if (!given_machine && !question.machine)
    throw Error(Error::Kind::argument,
                "the files of --from name no machine; add --machine, such as the file that "
                "'quadrille-lab validate --machine' has written");
  MachineFile& file = subject.task.file;
  file = given_machine ? load_machine_file(source.request.machine.name)
                       : MachineFile{*std::move(question.machine), {}, {}};
  for (const std::string& assignment : source.request.machine.assignments) set_parameter(file, assignment);
  if (!given_machine) file.given.clear();  // what a finished answer leaves out is not known
  check(file.machine);
  subject.task.machine = file.machine;
  subject.choice = std::move(question.choice);
  subject.times = std::move(question.times);
  subject.notes = std::move(question.notes);
}

}  // namespace

Subject read(const Source& source) {
  Subject subject;
  if (source.from.empty()) {
    refuse_without_files(source);
    subject.task = read(source.request);
  } else {
    read_files(source, subject);
  }
  if (!source.request.algorithm.empty()) subject.choice = parse_choice(source.request.algorithm);
  if (!source.measured.empty())
    for (Measurement& m : report::read_measurements(source.measured)) subject.times.push_back(std::move(m));
  constexpr std::size_t most = 10'000;
  if (subject.times.size() > most)
    throw Error(Error::Kind::argument, fmt::format("{} times: at most {} can be shown", subject.times.size(), most));
  return subject;
}

std::string words(const Source& source) {
  std::string line;
  const auto add = [&](const char* option, const std::string& value) {
    if (option[0] != '-' ? typed(source, option) : (!value.empty() && (source.from.empty() || typed(source, option))))
      line += (option[0] == '-' ? fmt::format(" {} ", option) : " ") + shell_quoted(value);
  };
  const Request& r = source.request;
  add("COLLECTIVE", r.collective);
  add("TOPOLOGY", r.topology);
  add("--bytes", r.bytes);
  add("--machine", r.machine.name);
  for (const std::string& assignment : r.machine.assignments) add("--set", assignment);
  add("--root", r.root);
  add("--target", r.target);
  add("--sources", r.sources);
  add("--demands", r.demands);
  for (const auto& [key, value] : reduction_options(r)) add(fmt::format("--{}", key).c_str(), *value);
  add("--algorithm", r.algorithm);
  add("--measured", source.measured);
  for (const std::string& file : source.from) line += " --from " + shell_quoted(file);
  return line;
}

}  // namespace quadrille::cli
