// Sweeps: the same rows from any number of threads, files that are valid whenever they are looked at and go on where
// they stopped, and what the rows say in short.
#include "quadrille/sweep.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "files/file.hpp"
#include "settings.hpp"
#include "sweeps/row.hpp"

namespace quadrille::sweep_test {
namespace {

using testing::request;

class SweepFiles : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              fmt::format("sweep_{}_{}", getpid(), std::string_view(GetParam()).substr(1));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / "out").string() + GetParam();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string content() const { return files::read_file(path_, 1 << 26, "file"); }
  /// The whole command: goes on with the file until it is complete.
  std::string finish(const SweepQuestion& question, int threads) const {
    SweepFile file(path_, question);
    const std::size_t first = file.kept().size() / question.choices.size();
    sweep(question, first, threads, [&](const std::vector<SweepRow>& rows) { file.append(rows); });
    return content();
  }

  std::filesystem::path folder_;
  std::string path_;
};

SweepQuestion small_question(Effort effort = Effort::simulate) {
  SweepQuestion q;
  q.machine = testing::test_machine(Ports::all, Duplex::full, Switching::circuit);
  for (const std::string network : {"hypercube:2", "torus:3x3"})
    for (const Bytes bytes : {Bytes{1}, Bytes{20}, Bytes{3000}})
      q.points.push_back(request(Collective::alltoall, network, bytes));
  for (const std::string_view name :
       {"alltoall_direct", "alltoall_standard", "alltoall_mce:phases=1,1", "alltoall_rotate"})
    q.choices.push_back(parse_choice(name));
  q.effort = effort;
  return q;
}

TEST_P(SweepFiles, DoNotDependOnTheNumberOfThreads) {
  const SweepQuestion question = small_question();
  const std::string one = finish(question, 1);
  std::filesystem::remove(path_);
  EXPECT_EQ(finish(question, 3), one);
  EXPECT_EQ(finish(question, 2), one);  // complete already
  EXPECT_EQ(SweepFile(path_, question).kept().size(), question.points.size() * question.choices.size());
}

TEST_P(SweepFiles, GoOnWhereverTheyWereCut) {
  const SweepQuestion question = small_question();
  const std::string whole = finish(question, 2);
  const std::size_t head = sweeps::SweepText{sweep_form(path_)}.head(to_text(question)).size();
  std::size_t most = 0;
  for (std::size_t length = head; length <= whole.size(); length += 23) {
    files::write_file(path_, whole.substr(0, length));
    {
      const SweepFile file(path_, question);
      EXPECT_EQ(file.kept().size() % question.choices.size(), 0U);
      most = std::max(most, file.kept().size());
    }
    ASSERT_EQ(finish(question, 1), whole) << length;
  }
  EXPECT_GE(most, 5 * question.choices.size());  // it did not begin anew every time
}

TEST_P(SweepFiles, AreValidAfterEveryAppend) {
  const SweepQuestion question = small_question(Effort::estimate);
  SweepFile file(path_, question);
  for (std::size_t point = 0; point <= question.points.size(); ++point) {
    const std::string text = content();
    if (std::string_view(GetParam()) == ".json") {
      EXPECT_EQ(nlohmann::json::parse(text)["rows"].size(), point * question.choices.size());
    } else {
      EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
                2 + point * question.choices.size());
    }
    if (point < question.points.size()) file.append(sweep_point(question, point));
  }
}

TEST_P(SweepFiles, RefuseAnotherQuestion) {
  const SweepQuestion question = small_question();
  finish(question, 1);
  const auto refused = [&](const SweepQuestion& other, std::string_view reason) {
    try {
      const SweepFile file(path_, other);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string_view(error.what()).find(reason), std::string_view::npos) << error.what();
      EXPECT_NE(std::string_view(error.what()).find("-o names another"), std::string_view::npos) << error.what();
    }
  };
  SweepQuestion other = question;
  other.machine.alpha = 1;
  refused(other, "holds the answers to another question; --force starts it anew");
  other = question, other.points.pop_back();
  refused(other, "another question");
  other = question, other.effort = Effort::estimate;
  refused(other, "another question");
  const std::string whole = content();
  std::string damaged = whole;
  damaged.replace(damaged.rfind("torus:3x3"), 9, "torus:3x4");
  files::write_file(path_, damaged);
  refused(question, "is damaged: it is of another point or algorithm");
  files::write_file(path_, "my thesis");
  refused(question, "is not the file of a sweep");
  EXPECT_EQ(content(), "my thesis");
  EXPECT_TRUE(SweepFile(path_, question, true).kept().empty());
  EXPECT_EQ(finish(question, 2), whole);
  const SweepFile open(path_, question);
  refused(question, "another sweep is writing it");
}

TEST_P(SweepFiles, StopWhenAsked) {
  const SweepQuestion question = small_question();
  const std::string whole = finish(question, 1);
  std::filesystem::remove(path_);
  const std::atomic<bool> stop = true;
  {
    SweepFile file(path_, question);
    file.append(sweep_point(question, 0));
    EXPECT_EQ(sweep(
                  question, 1, 3, [&](const std::vector<SweepRow>& rows) { file.append(rows); }, &stop),
              0U);
  }
  EXPECT_EQ(SweepFile(path_, question).kept().size(), question.choices.size());
  EXPECT_EQ(finish(question, 2), whole);
}

INSTANTIATE_TEST_SUITE_P(Forms, SweepFiles, ::testing::Values(".csv", ".json"),
                         [](const auto& one) { return std::string(one.param).substr(1); });

TEST(Sweep, RowsAreWhatPlanAndSimulateSay) {
  // Two dimensions, no wire shared, on unit constants: direct exchange by 3 rounds of 1 + m, standard by 2 of 1 + 2 m.
  SweepQuestion q;
  q.machine.switching = Switching::circuit;
  q.points = {request(Collective::alltoall, "hypercube:2", 1)};
  q.choices = {parse_choice("alltoall_direct"), parse_choice("alltoall_standard"), parse_choice("alltoall_bidir")};
  q.effort = Effort::simulate;
  const std::vector<SweepRow> rows = sweep_point(q, 0);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(*rows[0].price, 6);
  EXPECT_EQ(*rows[0].simulated, 6);
  EXPECT_EQ(*rows[1].price, 6);
  EXPECT_FALSE(rows[0].best);
  EXPECT_TRUE(rows[1].best);  // of two that take as long the one with fewer start-ups, as plan has it
  EXPECT_FALSE(rows[2].price);
  EXPECT_NE(rows[2].note.find("needs a torus or a ring"), std::string::npos);
  EXPECT_EQ(rows[0].bound, limit(q.points[0], q.machine, usual_network(q.machine, *q.points[0].topology)).time);
  for (const SweepRow& row : rows)
    for (const SweepForm form : {SweepForm::csv, SweepForm::json}) {
      const std::string text = sweeps::SweepText{form}.row(row, true) + "\n";
      std::string_view rest = text;
      EXPECT_EQ(sweeps::SweepText{form}.next(rest, true), row) << text;
    }
  q.messages = 11;  // one less than 4 * 3
  EXPECT_FALSE(sweep_point(q, 0)[0].simulated);
  EXPECT_NE(sweep_point(q, 0)[0].note.find("not simulated: more than the 11 messages"), std::string::npos);
}

TEST(Sweep, AnErrorOfAThreadIsTheErrorOfTheSweep) {
  SweepQuestion q = small_question();
  q.machine.alpha = -1;  // refused by the planner
  EXPECT_THROW(sweep(q, 0, 3, [](const std::vector<SweepRow>&) {}), Error);
  EXPECT_THROW(
      sweep(small_question(), 0, 3, [](const std::vector<SweepRow>&) { throw Error(Error::Kind::argument, "full"); }),
      Error);
}

/// Algorithm a and b at one point; 0: cannot run.
void add_point(std::vector<SweepRow>& rows, const std::string& topology, Bytes bytes, Seconds a, Seconds b) {
  const auto row = [&](const char* name, Seconds time, bool best) {
    SweepRow r{.topology = topology, .ranks = 4, .bytes = bytes, .algorithm = name, .bound = 1, .best = best};
    if (time > 0) r.price = time;
    return r;
  };
  rows.push_back(row("a", a, a > 0 && (b == 0 || a <= b)));
  rows.push_back(row("b", b, b > 0 && (a == 0 || b < a)));
}

TEST(Sweep, WinnersAndWhatOneChoiceCosts) {
  std::vector<SweepRow> rows;
  add_point(rows, "ring:4", 1, 1, 4), add_point(rows, "ring:4", 2, 2, 3), add_point(rows, "ring:4", 4, 6, 3);
  add_point(rows, "ring:8", 1, 0, 5);
  const std::vector<SweepWinner> w = winners(rows);
  ASSERT_EQ(w.size(), 3U);
  EXPECT_EQ(std::tie(w[0].algorithm, w[0].from, w[0].to), std::tuple("a", 1, 2));
  EXPECT_EQ(w[0].least_lead, 1.5);  // 3 / 2
  EXPECT_EQ(w[0].most_lead, 4);     // 4 / 1
  EXPECT_EQ(std::tie(w[1].algorithm, w[1].from, w[1].to), std::tuple("b", 4, 4));
  EXPECT_EQ(w[2].runner_up, "");
  // ring:4: a loses 1, 1, 2, b loses 4, 1.5, 1; ring:8: only b runs, so b is the one for all: 4 * 1.5 * 1 * 1.
  const std::vector<SweepFixed> f = best_fixed(rows);
  ASSERT_EQ(f.size(), 3U);
  EXPECT_EQ(f[0].algorithm, "a");
  EXPECT_NEAR(f[0].mean, std::cbrt(2.0), 1e-12);
  EXPECT_EQ(f[0].worst, 2);
  EXPECT_EQ(f[0].worst_bytes, 4);
  EXPECT_EQ(f[1].algorithm, "b");
  EXPECT_EQ(f[2].topology, "");
  EXPECT_NEAR(f[2].mean, std::pow(6.0, 0.25), 1e-12);
  EXPECT_EQ(f[2].worst_topology, "ring:4");
}

TEST(Sweep, Ranges) {
  const auto range = [](std::string_view text) {
    return base::join(parse_range(text, "sizes", [](std::string_view t) { return base::parse_bytes(t); }), " ");
  };
  EXPECT_EQ(range("1B..16B"), "1 2 4 8 16");
  EXPECT_EQ(range("3..20"), "3 6 12");
  EXPECT_EQ(range("0..4"), "0 1 2 4");
  EXPECT_EQ(range("1..1KiB*10"), "1 10 100 1000");
  EXPECT_EQ(range("100..400+150"), "100 250 400");
  EXPECT_EQ(range("7,1..4,2,1KiB"), "1 2 4 7 1024");
  EXPECT_EQ(range("4611686018427387904..4611686018427387904"), "4611686018427387904");
  for (const std::string_view bad :
       {"", "1..", "..4", "4..1", "1..4*1", "1..4+0", "1..9*x", "1,,2", "1...4", "0..1GB+1"})
    EXPECT_THROW(range(bad), Error) << bad;
}

}  // namespace
}  // namespace quadrille::sweep_test
