// Wisdom files: what is kept comes back, what is foreign or damaged is refused in one line, nobody loses an answer.
#include "quadrille/wisdom.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "base/text.hpp"
#include "files/file.hpp"
#include "fuzz/entries.hpp"
#include "settings.hpp"
#include "wisdom_lines.hpp"

namespace quadrille::wisdom_test {
namespace {

using fuzz::sealed;
using testing::answer;
using testing::expect_refused;
using testing::good_lines;
using testing::question;
using testing::replaced;
using testing::request;

class WisdomFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              fmt::format("wisdom_{}_{}", getpid(), ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / "a.wisdom").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string content() const { return files::read_file(path_, 1 << 26, "file"); }

  std::filesystem::path folder_;
  std::string path_;
};

TEST(Wisdom, IsTextThatReadsBack) {
  Wisdom wisdom;
  wisdom.put(question(64), answer("allgather_adea", 0.1));
  wisdom.put(question(32), answer("allgather_tea2", 7.5));
  wisdom.put({request(Collective::sendrecv, "ring:8", 5, 1, 3), load_machine("ipsc860"), Effort::simulate,
              Order::lockstep, Network::circuit},
             answer("sendrecv_direct", 1e-9));
  Spec sources = request(Collective::multibcast, "mesh:3x4", 97);
  wisdom.put({sources, load_machine("paragon-h95")}, answer("multibcast_twostep", 3));
  const std::string text = wisdom.text();
  EXPECT_TRUE(text.starts_with("quadrille wisdom 1\nanswer allgather hypercube:3 bytes=32 machine=")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 4 + 3 + 1) << text;  // header, answers, machines, end
  const Wisdom again = Wisdom::parse(text, "x");
  EXPECT_EQ(again.text(), text);
  const Recalled found = again.recall(question(32));
  ASSERT_TRUE(found.answer) << found.why_not;
  EXPECT_EQ(found.answer->choice.algorithm->name, "allgather_tea2");
  EXPECT_EQ(found.answer->time, 7.5);
  EXPECT_EQ(Wisdom::parse(Wisdom{}.text(), "x").size(), 0U);
}

TEST(Wisdom, AnswersOnlyTheSameQuestion) {
  Wisdom wisdom;
  wisdom.put(question(32), answer("allgather_adea", 7.5));
  Question other = question(32);
  EXPECT_TRUE(wisdom.recall(other).answer);
  other.machine.name = "the same by another name";
  EXPECT_TRUE(wisdom.recall(other).answer);
  other = question(32), other.network = Network::free;
  EXPECT_EQ(wisdom.recall(other).why_not, "it has no answer to this question");
  EXPECT_FALSE(wisdom.recall(question(33)).answer);
  EXPECT_FALSE(wisdom.recall(question(32, "hypercube:4")).answer);
  other = question(32), other.machine.alpha = 2;
  EXPECT_EQ(wisdom.recall(other).why_not, "it knows machine 'unit' with other constants only");
}

TEST(Wisdom, IsProvenAgainBeforeItIsUsed) {
  Wisdom wisdom;
  wisdom.put(question(32), answer("allgather_adea", 7.5));
  const Recalled found = wisdom.recall(question(32), {.visits = 1});
  EXPECT_FALSE(found.answer);
  EXPECT_NE(found.why_not.find("its answer cannot be used: "), std::string::npos) << found.why_not;
  EXPECT_THROW(wisdom.put(question(32), answer("alltoall_direct", 1)), Error);           // another collective
  EXPECT_THROW(wisdom.put(question(32, "ring:6"), answer("allgather_adea", 1)), Error);  // cannot run there
  EXPECT_THROW(wisdom.put(question(32), answer("allgather_adea", -1)), Error);
}

TEST(Wisdom, RefusesWhatIsForeign) {
  expect_refused("", "is empty");
  expect_refused("name = 'toml'\n", "is not wisdom");
  expect_refused(std::string("\x7f"
                             "ELF\0\1\2",
                             7),
                 "is not wisdom");
  expect_refused("quadrille wisdom 2\nend 0 0000000000000000\n", "'quadrille wisdom 2' is of another version");
  expect_refused("quadrille wisdom 10\n", "is of another version");
}

TEST(Wisdom, RefusesWhatIsDamaged) {
  const std::string whole = sealed(good_lines());
  EXPECT_EQ(Wisdom::parse(whole, "a.wisdom").size(), 1U);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THROW(Wisdom::parse(whole.substr(0, length), "a.wisdom"), Error) << length;
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const char bad : {'\0', '0', 'z', '\n', '\xff'}) {
      std::string text = whole;
      if (text[i] == bad) continue;
      text[i] = bad;
      EXPECT_THROW(Wisdom::parse(text, "a.wisdom"), Error) << i;
    }
  expect_refused(whole.substr(0, whole.rfind("end ")), "is cut off");
  expect_refused(replaced(whole, "bytes=32", "bytes=33"), "do not agree with the checksum");
  expect_refused(whole + whole, "do not agree with the checksum");
}

TEST(Wisdom, RefusesLinesThatAreWrong) {
  const std::string lines = good_lines();
  const std::string first = lines.substr(0, lines.find('\n') + 1), rest = lines.substr(first.size());
  expect_refused(sealed(first + lines), "line 3 is there twice");
  expect_refused(sealed(rest + first), "line 3 is out of order");
  const std::string twice = replaced(first, "time=7.5", "time=8.5");
  expect_refused(sealed(first + twice + rest), "line 3: answers the question of another line");
  const auto broken = [&](const std::string& from, const std::string& to) { return sealed(replaced(lines, from, to)); };
  expect_refused(broken("choice=allgather_adea", "choice=allgather_magic"),
                 "line 2: algorithm 'allgather_magic': unknown");
  expect_refused(broken("choice=allgather_adea", "choice=alltoall_direct"),
                 "line 2: alltoall_direct performs alltoall");
  expect_refused(broken("choice=allgather_adea", "choice=allgather_adea:packets=0"), "takes no parameters");
  expect_refused(broken("choice=allgather_adea", "choice=allgather_memory"), "line 2: allgather_memory cannot run on");
  expect_refused(broken("allgather hypercube:3", "allgather hypercube:99"), "line 2: hypercube dimension '99'");
  expect_refused(broken("allgather hypercube:3", "alchemy hypercube:3"), "line 2: collective 'alchemy' is unknown");
  expect_refused(broken("bytes=32", "bytes=-1"), "negative");
  expect_refused(broken("bytes=32", "bytes=1MB32"), "line 2: ");
  expect_refused(broken("bytes=32", "bytes=032"), "is not as this program writes it");
  expect_refused(broken("time=7.5", "time=nan"), "expected a finite number");
  expect_refused(broken("time=7.5", "time=-7.5"), "its time is -7.5");
  expect_refused(broken("time=7.5", "time=7.5 more"), "goes on with 'more'");
  expect_refused(broken(" time=7.5", ""), "ends where time= is expected");
  expect_refused(broken("clock=simulate", "clock=guess"), "unknown effort");
  expect_refused(broken("alpha=1", "alpha=2"), "is not that of the constants beside it");
  expect_refused(broken(" alpha=1", ""), "has 'per_hop=0' where alpha= is expected");
  expect_refused(sealed(first), "has no line");
  expect_refused(sealed(rest), "machines that no answer is for");
  expect_refused(sealed("nonsense\n"), "line 2: expected 'answer', 'machine' or 'trial'");
}

TEST(Wisdom, MergesInAnyOrder) {
  Wisdom a, b;
  a.put(question(1), answer("allgather_adea", 2)), a.put(question(2), answer("allgather_adea", 5));
  b.put(question(2), answer("allgather_tea2", 4)), b.put(question(3), answer("allgather_tea2", 1));
  Wisdom ab = a, ba = b;
  ab.merge(b), ba.merge(a);
  EXPECT_EQ(ab.text(), ba.text());
  EXPECT_EQ(ab.size(), 3U);
  EXPECT_EQ(ab.recall(question(2)).answer->time, 4);
  EXPECT_EQ(ab.forget([](const Wisdom::Entry& e) { return e.question.spec.bytes == 2; }), 1U);
  EXPECT_FALSE(ab.recall(question(2)).answer);
}

TEST_F(WisdomFile, PlansKeepTheirAnswersAndTakeThemBack) {
  const Spec spec = request(Collective::alltoall, "hypercube:4", 32);
  const Machine machine = load_machine("ipsc860");
  const Plan first = plan(spec, machine, {.effort = Effort::simulate});
  EXPECT_FALSE(first.recalled);
  Wisdom wisdom;
  wisdom.put({first.spec, first.machine, first.effort, first.order, first.network},
             {{first.best().algorithm, first.best().params}, first.best().timing.time});
  const Plan second = plan(spec, machine, {.effort = Effort::simulate, .wisdom = &wisdom});
  EXPECT_TRUE(second.recalled);
  EXPECT_EQ(second.best().algorithm, first.best().algorithm);
  EXPECT_EQ(second.best().params, first.best().params);
  EXPECT_EQ(second.best().known(), first.best().known());
  EXPECT_EQ(second.candidates.size(), first.candidates.size());
  EXPECT_FALSE(plan(spec, machine, {.wisdom = &wisdom}).recalled);  // estimates need none
}

TEST_F(WisdomFile, ThreadsAndProcessesLoseNothing) {
  constexpr Bytes each = 20;
  const auto write = [&](Bytes first) {
    for (Bytes i = 0; i < each; ++i)
      update_wisdom(path_, [&](Wisdom& w) { w.put(question(first + i), answer("allgather_adea", 1)); });
  };
  std::vector<pid_t> children;
  for (const Bytes first : {100, 200}) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    try {
      write(first);
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  {
    const std::jthread one([&] { write(300); }), other([&] { write(400); });
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(load_wisdom(path_).size(), 4U * each);
  EXPECT_FALSE(std::filesystem::exists(path_ + ".lock"));
}

TEST_F(WisdomFile, AKillInTheMiddleLeavesTheOldFile) {
  update_wisdom(path_, [](Wisdom& w) { w.put(question(1), answer("allgather_adea", 1)); });
  const std::string before = content();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // it is killed by the system as soon as a file of it grows past this
    const rlimit limit{before.size() / 2, before.size() / 2};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_DFL);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    update_wisdom(path_, [](Wisdom& w) { w.put(question(2), answer("allgather_adea", 1)); });
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
  EXPECT_EQ(content(), before);
  // What the dead left behind is in nobody's way.
  update_wisdom(path_, [](Wisdom& w) { w.put(question(3), answer("allgather_adea", 1)); });
  EXPECT_EQ(load_wisdom(path_).size(), 2U);
}

TEST_F(WisdomFile, AFailedChangeLeavesTheFile) {
  update_wisdom(path_, [](Wisdom& w) { w.put(question(1), answer("allgather_adea", 1)); });
  const std::string before = content();
  EXPECT_THROW(update_wisdom(path_, [](Wisdom& w) { w.put(question(2), answer("allgather_adea", -1)); }), Error);
  EXPECT_EQ(content(), before);
  files::write_file(path_, before + "x");
  EXPECT_THROW(update_wisdom(path_, [](Wisdom&) {}), Error);  // a damaged file is not replaced
  EXPECT_EQ(content(), before + "x");
  EXPECT_THROW(load_wisdom(folder_.string()), Error);
  EXPECT_THROW(load_wisdom((folder_ / "none").string()), Error);
}

}  // namespace
}  // namespace quadrille::wisdom_test
