// Commands about reductions: every option word, what is refused and how, and sentences that are true of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "program.hpp"

namespace quadrille::cli_reductions_test {
namespace {

namespace fs = std::filesystem;

class CliReductions : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("cli_reductions_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  /// What the command prints, in one line.
  std::string said(const std::string& line) {
    const Ran ran = run_program(line, folder_);
    EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
    std::string text;
    for (const char c : ran.out)
      if (c != '\n' && (c != ' ' || !text.ends_with(' ')))
        text += c;
      else if (!text.ends_with(' '))
        text += ' ';
    return text;
  }
  void expect_says(const std::string& line, const std::vector<std::string>& parts) {
    const std::string text = said(line);
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << line << ": " << part;
  }
  void expect_refused(const std::string& line, const std::string& says) {
    const Ran ran = run_program(line, folder_);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_NE(ran.err.find(says), std::string::npos) << line << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
  fs::path folder_;
};

TEST_F(CliReductions, RefuseWordsOfOthers) {
  expect_refused("plan bcast ring:8 --element 8",
                 "--element: for reduce, allreduce, reduce_scatter, scan, exscan only, not bcast");
  expect_refused("plan bcast ring:8 operands=ordered", "--operands: for reduce, allreduce");
  expect_refused("plan reduce ring:8 --bits any", "bits 'any': expected same or canonical");
  expect_refused("plan scan ring:8 bits=any", "--bits: for reduce, allreduce, reduce_scatter only, not scan");
  expect_refused("plan allreduce ring:3 --counts 1,2,3", "--counts: for reduce_scatter only, not allreduce");
  expect_refused("plan allreduce ring:8 --root 2", "allreduce has no root");
}

TEST_F(CliReductions, RefuseBadValues) {
  expect_refused("plan allreduce ring:8 --element 0", "element '0': expected 1 to ");
  expect_refused("plan allreduce ring:8 --element x", "element 'x': unknown unit; expected a size such as ");
  expect_refused("plan allreduce ring:8 --element 3",
                 "bytes 1024: expected a multiple of the element, 3 bytes; nearest: 1023");
  expect_refused("plan allreduce ring:8 --operands foo", "operands 'foo': expected commutative or ordered");
  expect_refused("plan allreduce ring:8 --bits foo", "bits 'foo': expected same, canonical or any");
  expect_refused("plan reduce ring:8 --root 8", "root on ring:8 '8': expected a whole number from 0 to 7");
  const std::string counts = "plan reduce_scatter ring:4 --counts ";
  expect_refused(counts + "1,2,3", "counts: expected 4 of them, one for each rank; got 3");
  expect_refused(counts + "1,2,3,x", "counts 'x': unknown unit; expected a size such as ");
  expect_refused(counts + "1,2,3,-4", "counts '-4': negative; expected a size");
  expect_refused(counts + "1,2,3,2TiB", "counts '2TiB': expected 0 to ");
  expect_refused(counts + "8,4,8,8 --element 4,", "element '4,': unknown unit; expected a size");
  expect_refused(counts + "8,4,6,8 --element 4",
                 "the 6 bytes of rank 2 are no multiple of the element, 4 bytes; nearest: 4");
  expect_refused(counts + "8,4,8,8 --bytes 5",
                 "--counts has the length of every block, at most 8 B; leave --bytes out");
  expect_refused("plan allreduce hypercube:30 --bytes 1EiB", "expected at most ");
}

// Blocks of equal lengths are the question without lengths, with all its algorithms.
TEST_F(CliReductions, EqualCountsAreASize) {
  expect_says("plan reduce_scatter hypercube:2 --counts 1KiB,1KiB,1KiB,1KiB", {"blocks of 1 KiB, machine"});
  expect_says("plan reduce_scatter ring:4 --counts 8,0,1KiB,8", {"blocks of 0 B to 1 KiB, machine", "8,0,1KiB,8"});
}

TEST_F(CliReductions, APlanSaysWhatHowLongAndWhatResultsAre) {
  expect_says(
      "plan allreduce torus:4x4 --bytes 1MiB",
      {"vectors of 1 MiB", "use allreduce_axes:first=1", "no schedule is faster; it is set by work",
       "second allreduce_ring",
       "result does not keep the order of ranks: for commutative operators only; the same "
       "bits on all ranks; at most 6 operations from a contribution to a result, and the error of a rounded sum "
       "grows with that"});
  expect_says("plan allreduce hypercube:4 --bytes 1MiB", {"rounds", "on wire", "combined"});
  expect_says(
      "plan scan ring:5 --element 8 --bytes 64 --operands ordered",
      {"vectors of 64 B in elements of 8 B, operands in the order of ranks", "result keeps the order of ranks"});
  expect_says("plan allreduce ring:8 bits=any", {"bits may differ between ranks"});
}

// An answer that is recalled says the same of its results; a list tells questions apart by all their words.
TEST_F(CliReductions, WisdomKeepsAllWords) {
  const std::string ask = "plan allreduce ring:8 --bytes 64 --wisdom w";
  expect_says(ask, {"now it has one", "result does not keep"});
  expect_says(ask, {"w had the answer", "result does not keep"});
  expect_says(ask + " --element 8", {"now it has one"});
  expect_says("plan reduce_scatter ring:3 --counts 5,0,7 --wisdom w", {"now it has one"});
  expect_says("wisdom show w", {"3 answers", "allreduce element=8", "reduce_scatter counts=5,0,7"});
  expect_says("wisdom check w", {"3 answers, all proven again"});
}

// A sweep has the words that all its sizes share, and pictures and reports are made of it.
TEST_F(CliReductions, SweepsAreReadBack) {
  expect_says("sweep allreduce hypercube:2 --element 8 --operands ordered -o s.json", {"allreduce from 8 B to 1 MiB"});
  expect_says("sweep reduce_scatter ring:4 hypercube:2 --bytes 8,1KiB -o t.csv", {"reduce_scatter from 8 B"});
  expect_refused("sweep allreduce ring:4 --element 8 --bytes 4,8", "multiple of the element");
  expect_says("plot --from s.json -o s.svg", {"s.svg"});
  expect_says("plot --from t.csv -o t.svg", {"t.svg"});
  expect_says("report --from s.json -o s.html", {"in elements of 8 B, operands in the order of ranks"});
  expect_refused("sweep bcast ring:4 --element 8", "--element: for reduce");
}

TEST_F(CliReductions, TablesSayWhatIsCombined) {
  expect_says("price reduce hypercube:3 --bytes 64 --algorithm reduce_binomial --rounds --machine unit-one-port",
              {"combined", "0 B 64 B"});
  expect_says("verify allreduce crossbar:6 --bits any", {"in order same bits depth", "allreduce_ring yes"});
  EXPECT_EQ(said("verify allreduce crossbar:6").find("repeated"), std::string::npos);
  expect_says("verify allgather crossbar:6", {"deliveries repeated"});
}

}  // namespace
}  // namespace quadrille::cli_reductions_test
