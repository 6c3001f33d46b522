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
#include "export/file.hpp"
#include "fuzz/entries.hpp"
#include "settings.hpp"

namespace quadrille {
namespace {

using fuzz::sealed;
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
  std::string content() const { return read_file(path_, 1 << 26, "file"); }

  std::filesystem::path folder_;
  std::string path_;
};

Question question(Bytes bytes, const std::string& topology = "hypercube:3") {
  return {request(Collective::allgather, topology, bytes), load_machine("unit")};
}
Answer answer(const std::string& choice, Seconds time) { return {parse_choice(choice), time}; }

/// One line, refused for this reason.
void expect_refused(const std::string& text, std::string_view reason) {
  try {
    Wisdom::parse(text, "a.wisdom");
    ADD_FAILURE() << "accepted:\n" << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::format);
    const std::string_view message = error.what();
    EXPECT_TRUE(message.starts_with("wisdom file 'a.wisdom': ")) << message;
    EXPECT_NE(message.find(reason), std::string_view::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string_view::npos) << message;
  }
}

/// The lines of a file with one answer, for tests to break.
std::string good_lines() {
  Wisdom wisdom;
  wisdom.put(question(32), answer("allgather_adea", 7.5));
  const std::string text = wisdom.text();
  const auto first = text.find('\n') + 1;
  return text.substr(first, text.rfind("end ") - first);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

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

TrialResult trial(const std::string& choice, Seconds chosen = 1, Bytes from = 8, Bytes to = 15) {
  return {{"bcast", "crossbar:4", from, to, "Open MPI v4.1.4", 0}, choice, 2, chosen};
}

const std::string trial_line_of_bcast =
    "trial bcast crossbar:4 bytes=8..15 mpi=Open_MPI_v4.1.4 segment=0 choice=bcast_binomial native=2 chosen=1\n";

TEST(Wisdom, KeepsTrialsBesideAnswers) {
  Wisdom wisdom;
  wisdom.put(question(32), answer("allgather_adea", 7.5));
  wisdom.put(trial("bcast_binomial"));
  wisdom.put({{"alltoallv", "ring:4@1,0,2,3", 0, Trial::any_size, "MPICH Version: 4.0.2", 100}, "native", 3, 3});
  const std::string text = wisdom.text();
  EXPECT_EQ(text, sealed(good_lines() +
                         "trial alltoallv ring:4@1,0,2,3 bytes=any mpi=MPICH_Version:_4.0.2 segment=100 choice=native "
                         "native=3 chosen=3\n" +
                         trial_line_of_bcast));
  const Wisdom again = Wisdom::parse(text, "x");
  EXPECT_EQ(again.text(), text);
  EXPECT_EQ(again.size(), 1U);
  const TrialResult* const found = again.find(trial("").trial);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->choice, "bcast_binomial");
  EXPECT_EQ(found->trial.mpi, "Open MPI v4.1.4");
  EXPECT_EQ(again.find(trial("", 1, 16, 31).trial), nullptr);
  Trial other = trial("").trial;
  other.segment = 1;
  EXPECT_EQ(again.find(other), nullptr);
}

TEST(Wisdom, RefusesTrialsThatAreWrong) {
  EXPECT_EQ(Wisdom::parse(sealed(trial_line_of_bcast), "x").trials().size(), 1U);
  const auto broken = [&](const std::string& from, const std::string& to) {
    return sealed(replaced(trial_line_of_bcast, from, to));
  };
  expect_refused(broken("trial bcast", "trial reduce"), "line 2: trial 'reduce': unknown operation");
  expect_refused(broken("crossbar:4", "crossbar:x"), "line 2: ");
  expect_refused(broken("crossbar:4", "crossbar:4@0,1,2,3"), "topology 'crossbar:4@0,1,2,3': expected crossbar:4");
  for (const char* sizes : {"8..16", "9..15", "7..15", "15..8", "1..0", "16..15", "0..7"})
    expect_refused(broken("8..15", sizes), "expected 0..0, or a power of 2");
  expect_refused(broken("8..15", "-1..0"), "line 2: ");
  expect_refused(broken("8..15", "any"), "expected FROM..TO");
  expect_refused(broken("8..15", "8..0xf"), "line 2: ");
  expect_refused(broken("8..15", "08..15"), "is not as this program writes it");
  expect_refused(broken("trial bcast", "trial alltoallv"), "expected any");
  expect_refused(broken("mpi=Open_MPI_v4.1.4", "mpi="), "is not as this program writes it");
  expect_refused(broken("segment=0", "segment=-1"), "line 2: ");
  expect_refused(broken("bcast_binomial", "bcast_magic"), "unknown");
  expect_refused(broken("bcast_binomial", "alltoall_direct"), "performs alltoall, which is no bcast");
  expect_refused(broken("native=2", "native=-2"), "native=-2: expected seconds from 0");
  expect_refused(broken("chosen=1", "chosen=nan"), "expected a finite number");
  expect_refused(broken("chosen=1", "chosen=1 more"), "goes on with 'more'");
  expect_refused(sealed(trial_line_of_bcast + replaced(trial_line_of_bcast, "native=2", "native=3")),
                 "is of the same trial as another line");
}

TEST(Wisdom, SaysWhatToDoWithTrialsOfTheFormBefore) {
  expect_refused("{\n \"format\": \"quadrille verdicts 1\",\n \"verdicts\": []\n}\n",
                 "delete it, and the next QUADRILLE=trial finds them anew");
}

TEST(Wisdom, ProvesWhatTrialsChose) {
  EXPECT_TRUE(prove(trial("native")).holds);
  EXPECT_TRUE(prove(trial("bcast_binomial")).holds);
  EXPECT_TRUE(prove(trial("bcast_binomial"), {.visits = 1}).undecided);
  TrialResult exchange{{"alltoallv", "ring:4", 0, Trial::any_size, "an MPI", 0}, "alltoall_pairwise", 1, 1};
  EXPECT_TRUE(prove(exchange).holds) << prove(exchange).why_not;
  TrialResult blocks{{"allgatherv", "ring:4@1,0,2,3", 8, 15, "an MPI", 0}, "multibcast_lin", 1, 1};
  EXPECT_TRUE(prove(blocks).holds) << prove(blocks).why_not;
  TrialResult nowhere = trial("bcast_memory");  // for ranks of a shared memory
  EXPECT_FALSE(prove(nowhere).holds);
  EXPECT_FALSE(prove(nowhere).undecided);
  EXPECT_NE(prove(nowhere).why_not, "");
}

TEST(Wisdom, MergesTrialsInAnyOrder) {
  Wisdom a, b;
  a.put(trial("bcast_binomial", 2)), a.put(trial("native", 5, 16, 31));
  b.put(trial("bcast_chain", 1)), b.put(trial("native", 6, 32, 63));
  Wisdom ab = a, ba = b;
  ab.merge(b), ba.merge(a);
  EXPECT_EQ(ab.text(), ba.text());
  EXPECT_EQ(ab.trials().size(), 3U);
  EXPECT_EQ(ab.find(trial("").trial)->choice, "bcast_chain");
  EXPECT_EQ(ab.forget_trials([](const TrialResult& r) { return r.choice == "native"; }), 2U);
  EXPECT_EQ(ab.trials().size(), 1U);
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
  write_file(path_, before + "x");
  EXPECT_THROW(update_wisdom(path_, [](Wisdom&) {}), Error);  // a damaged file is not replaced
  EXPECT_EQ(content(), before + "x");
  EXPECT_THROW(load_wisdom(folder_.string()), Error);
  EXPECT_THROW(load_wisdom((folder_ / "none").string()), Error);
}

}  // namespace
}  // namespace quadrille
