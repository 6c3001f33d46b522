// Finished answers read back: what each kind of file is about, which of several questions is meant, and refusals.
#include "report/answers.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "answers_samples.hpp"

namespace quadrille::answers_test {
namespace {

/// The message of the refusal; empty when there is none.
template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

report::FinishedQuestion asked(const std::string& text, const report::Asked& which = {}) {
  return report::question_of({report::parse_answers(text, "'f'")}, which, false);
}

struct Sample {
  std::string text, label;
  double time;
};

// The times are those that stand in the samples.
TEST(Answers, EveryKindSaysItsQuestionAndItsTime) {
  for (const auto& [text, label, time] :
       {Sample{run_json, "run on threads", 20.5}, Sample{simulate_json, "simulated, dataflow, cut-through network", 24},
        Sample{plan_json, "simulated, lockstep, free network", 30}, Sample{verify_json, "", 0},
        Sample{price_json, "", 0}}) {
    const report::FinishedQuestion q = asked(text);
    EXPECT_EQ(to_string(q.spec.collective), "alltoall") << text;
    EXPECT_EQ(q.spec.topology->text(), "mesh:2x2") << text;
    EXPECT_EQ(q.spec.bytes, 8) << text;
    ASSERT_TRUE(q.machine) << text;
    EXPECT_EQ(q.machine->name, "unit") << text;
    EXPECT_FALSE(q.machine->origins.empty()) << "the preset's own sources";
    ASSERT_NE(q.choice.algorithm, nullptr) << text;
    EXPECT_EQ(q.choice.algorithm->name, "alltoall_cycle") << text;
    ASSERT_EQ(q.times.size(), label.empty() ? 0U : 1U) << text;
    if (label.empty()) continue;
    EXPECT_EQ(q.times[0].label, label);
    EXPECT_EQ(q.times[0].time, time);
    EXPECT_EQ(q.times[0].bytes, 8);
    EXPECT_EQ(q.times[0].choice, "alltoall_cycle");
  }
  EXPECT_EQ(asked(verify_json).notes,
            std::vector<std::string>{"'f': its algorithm was proven right by 'quadrille verify'"});
}

TEST(Answers, ChangedConstantsAreToldToComeFromTheFile) {
  std::string text = run_json;
  text.replace(text.find("\"alpha_s\": 1.0"), 14, "\"alpha_s\": 7.5");
  const report::FinishedQuestion q = asked(text);
  EXPECT_EQ(q.machine->alpha, 7.5);
  ASSERT_FALSE(q.machine->origins.empty());
  EXPECT_EQ(q.machine->origins[0].source, "as 'f' has it");
  EXPECT_NE(
      refusal([&] {
        report::question_of({report::parse_answers(text, "'f'"), report::parse_answers(run_json, "'g'")}, {}, false);
      }).find("'f' is of machine unit and 'g' of machine unit, with other constants; --machine says which"),
      std::string::npos);
  EXPECT_EQ(report::question_of({report::parse_answers(text, "'f'"), report::parse_answers(run_json, "'g'")}, {}, true)
                .times.size(),
            2U);
}

// Sizes 8 and 64: the one in the middle is the lower of two; a size asked for is that one.
TEST(Answers, SweepsAreReadInBothForms) {
  for (const SweepForm form : {SweepForm::csv, SweepForm::json}) {
    const report::FinishedQuestion q = asked(sweep_text(form));
    EXPECT_EQ(q.spec.bytes, 8);
    EXPECT_EQ(q.machine->name, "unit");
    EXPECT_EQ(q.times.size(), 2U);
    EXPECT_EQ(q.times[1].bytes, 64);
    EXPECT_EQ(asked(sweep_text(form), {.bytes = 100}).spec.bytes, 100);
    std::string text = sweep_text(form);
    text.replace(text.rfind("mesh:2x2"), 8, "mesh:2x3");
    EXPECT_NE(refusal([&] { asked(text); }).find("'f': row 2 is damaged: it is of another point"), std::string::npos)
        << refusal([&] { asked(text); });
  }
}

TEST(Answers, ValidationsNameNoMachineAndCompareWithTheMpi) {
  const report::FinishedQuestion q = asked(validated_csv);
  EXPECT_FALSE(q.machine);
  ASSERT_EQ(q.times.size(), 2U);
  EXPECT_EQ(q.times[0].label, "collective of MPICH");
  EXPECT_EQ(q.times[0].choice, "");
  EXPECT_EQ(q.times[1].label, "run over MPICH");
  EXPECT_EQ(q.times[1].time, 0.25);
  EXPECT_EQ(q.choice.algorithm->name, "alltoall_cycle");
}

TEST(Answers, ValidationsOfNetworksWithCommasInTheirNames) {
  const std::string heading = validated_csv.substr(0, validated_csv.find('\n') + 1);
  const report::FinishedQuestion q =
      asked(heading + "\"xgft:2;4,2;1,1\",openmpi,alltoall,8,\"alltoall_pairwise\",1,0.2,0.25,0.2,0.3,5\n");
  EXPECT_EQ(q.spec.topology->text(), "xgft:2;4,2;1,1");
  EXPECT_EQ(q.times[0].time, 0.25);
  for (const char* wrong : {"\"xgft:2;4,2;1,1,openmpi,alltoall,8,\"x\",1,0.2,0.25,0.2,0.3,5\n", "\"\n", "\"\"\n"})
    EXPECT_NE(refusal([&] { asked(heading + wrong); }).find("line 2: not an answer"), std::string::npos) << wrong;
}

TEST(Answers, SeveralQuestionsAreToldApart) {
  const std::vector<report::FinishedFile> files{
      report::parse_answers(run_json, "'a'"),
      report::parse_answers(task_json(R"("choice": "bcast_chain", "formula": {})", "bcast", R"(, "root": 2)"), "'b'")};
  EXPECT_NE(refusal([&] { report::question_of(files, {}, false); })
                .find("2 questions are answered; COLLECTIVE and TOPOLOGY say which is meant: alltoall mesh:2x2; bcast "
                      "mesh:2x2 root=2"),
            std::string::npos);
  const report::FinishedQuestion q = report::question_of(files, {.collective = Collective::bcast}, false);
  EXPECT_EQ(q.spec.root, 2);
  EXPECT_TRUE(q.times.empty());
  EXPECT_NE(refusal([&] {
              report::question_of(files, {.collective = Collective::gather}, false);
            }).find("no answer is about that; there are: alltoall mesh:2x2; bcast mesh:2x2 root=2"),
            std::string::npos);
}

TEST(Answers, ForeignFilesAreRefusedInOneLine) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = run_json;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "not an answer of Quadrille; expected the JSON of 'quadrille run'"},
           {"{}", "not an answer of Quadrille"},
           {"[1, 2]", "not an answer of Quadrille"},
           {"bytes,seconds\n1,2\n", "not an answer of Quadrille"},
           {std::string(100000, '['), "not an answer of Quadrille"},
           {task_json("\"choice\": \"alltoall_cycle\""), "not an answer of Quadrille"},
           {with("\"ranks\": 4", "\"ranks\": 5"), "'ranks' is missing or wrong: expected a whole number from 4 to 4"},
           {with("\"bytes\": 8", "\"bytes\": 8.5"), "'bytes' is missing or wrong"},
           {with("\"bytes\": 8", "\"bytes\": 18446744073709551615"), "'bytes' is missing or wrong"},
           {with("alltoall_cycle", "bcast_chain"), "bcast_chain performs bcast, not alltoall"},
           {with("alltoall_cycle", "alltoall_x\\u001b[2J"), "alltoall_x"},
           {with("20.5", "-1"), "'median_s' is -1; expected seconds from 0"},
           {with("\"alpha_s\": 1.0", "\"alpha_s\": -1"), "alpha"},
           {with("\"shared\": 1", "\"share\": 1"), "'shared' is missing or wrong"},
           {with("\"threads\"", "\"<b>\""), "'transport' is '<b>'; expected one of Quadrille's"},
           {validated_csv + "mesh:2x2,mpich,alltoall,8,native,0\n", "line 4: not an answer of Quadrille"}}) {
    const std::string message = refusal([&] { asked(text); });
    EXPECT_EQ(message.find("'f': "), 0U) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nfor\n" << text.substr(0, 400);
    EXPECT_EQ(message.find('\x1b'), std::string::npos);
  }
}

// The report's document has each time beside what the plan's machine charges for it: alltoall_cycle's own closed form.
TEST(Answers, ReportsCompareTimesWithPrices) {
  const report::FinishedQuestion q = asked(run_json);
  ReportOptions options{.choice = q.choice, .notes = {}, .command = "quadrille report --from f", .measured = q.times};
  options.measured.push_back({100, 3, "a clock"});
  const auto json = nlohmann::json::parse(report_document(plan(q.spec, *q.machine), options));
  const auto& points = json["crossover"]["measured"];
  EXPECT_EQ(points[0]["time_s"], 20.5);
  EXPECT_EQ(points[0]["price_s"], json["answer"]["price_s"]);
  EXPECT_EQ(points[1]["choice"], nullptr);
  EXPECT_EQ(points[1]["price_s"], nullptr);
}

}  // namespace
}  // namespace quadrille::answers_test
