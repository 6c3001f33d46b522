// Every command's --json is as docs/schema/ says, and docs/reference/json.md explains every name in it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "json_schema.hpp"
#include "program.hpp"
#include "quadrille/wisdom.hpp"

namespace quadrille::cli_schema_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path documents = fs::path(QUADRILLE_SOURCE_DIR) / "docs";

std::string content(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class CliSchema : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("cli_schema_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void expect_valid(const std::string& schema, const std::string& line) {
    const Ran ran = run_program(line + " --json", folder_);
    const Json json = Json::parse(ran.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << line << ": " << ran.out.substr(0, 200) << ran.err;
    for (const std::string& wrong : schemas_.complaints(schema, json)) ADD_FAILURE() << line << ": " << wrong;
    const std::string error = json.contains("error") ? ran.err : "";
    EXPECT_EQ(error.empty(), schema != "error") << line << ": " << error;
  }
  /// The schema is that of the command, the line's first word.
  void expect_valid(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) expect_valid(line.substr(0, line.find(' ')), line);
  }
  JsonSchemas schemas_{documents / "schema"};
  fs::path folder_;
};

TEST_F(CliSchema, AnswersAboutATask) {
  expect_valid({"plan bcast ring:4",
                "plan alltoall hypercube:6 --machine ipsc860 --bytes 32 --effort simulate",
                "plan alltoall hypercube:4 --effort simulate --messages 100",
                "plan allgather ring:3 --effort measure --seconds 0.1",
                "plan alltoallv mesh:3x5 --demands random(2)",
                "plan allgather torus:3x3!0-1 --machine cluster",
                "plan multibcast mesh:3x5 --sources E(3) --machine paragon-h95",
                "plan sendrecv ring:4 --target 2",
                "plan alltoall mesh:3x5 --set switching=store-and-forward --set duplex=half --set ports=one",
                "verify allgather hypercube:3",
                "verify allgather torus:5x7 --budget 100",
                "verify bcast ring:4 --algorithm bcast_chain",
                "verify multibcast mesh:3x5 --sources E(3)",
                "price alltoall hypercube:6 --machine ipsc860 --bytes 32 --algorithm alltoall_mce:phases=3,3 --rounds",
                "price alltoall hypercube:4 --algorithm alltoall_standard --contention --on mesh:4x4",
                "price bcast ring:4 --algorithm bcast_chain --formula",
                "price bcast ring:8 --root 2 --algorithm bcast_chain",
                "simulate alltoall torus:4x4 --machine ipsc860 --bytes 1KiB",
                "simulate allgather hypercube:3 --network circuit --order lockstep --quick",
                "simulate bcast mesh:4x4 --machine paragon-h95 --slow 0-1=3 --jitter 5% --skew 2us --runs 5",
                "simulate scatter bus:4",
                "simulate alltoall hypercube:3 --order eager --timeline",
                "plan alltoall fattree:4 --bytes 1MiB",
                "report alltoall star:2*3 --bytes 1KiB",
                "report allgather fattree:4@0,1,5,9 --bytes 1KiB",
                "report allgather torus:3x3!0-1*2 --bytes 1KiB",
                "simulate bcast ring:4 --bytes 0",
                "run alltoall hypercube:3 --bytes 64 --algorithm alltoall_mce:phases=1,2 --trace",
                "run bcast ring:4 --algorithm bcast_chain --repeat 1",
                "sweep bcast ring:4 mesh:2x3 --bytes 8,1KiB --effort simulate --threads 2",
                "sweep alltoall hypercube --ranks 4..16 --bytes 1..64*8 --machine ipsc860",
                "sweep multibcast mesh:3x5 --sources E(3) --bytes 8",
                "sweep sendrecv ring:4 --target 2 --bytes 8"});
}

TEST_F(CliSchema, AnswersAboutReductions) {
  expect_valid({"plan allreduce torus:4x4 --bytes 1MiB", "plan scan ring:5 --element 8 --bytes 64 --operands ordered",
                "plan reduce_scatter crossbar:4 --counts 1,2,3,4 --effort simulate", "plan reduce ring:6 --root 2",
                "verify allreduce ring:5 --bits any", "verify exscan crossbar:6",
                "price reduce hypercube:3 --algorithm reduce_binomial --rounds",
                "simulate allreduce ring:4 --element 4",
                "run reduce_scatter ring:4 --bytes 64 --algorithm reduce_scatter_ring --repeat 1",
                "report allreduce ring:4 --element 8 --bytes 64", "report reduce_scatter crossbar:4 --counts 1,0,3,4",
                "report scan ring:300", "report reduce hypercube:11 --bytes 8"});
}

TEST_F(CliSchema, AnswersThatAreKept) {
  update_wisdom((folder_ / "t").string(), [](Wisdom& wisdom) {
    wisdom.put(TrialResult{{"bcast", "crossbar:4", 8, 15, "an MPI", 100}, "bcast_binomial", 2, 1});
    wisdom.put(TrialResult{{"alltoallv", "ring:4", 0, Trial::any_size, "an MPI", 0}, "native", 1, 1});
  });
  expect_valid({"plan bcast ring:8 --wisdom a", "plan bcast ring:8 --wisdom a",
                "plan allgather ring:3 --effort measure --seconds 0.05 --wisdom b", "wisdom show a", "wisdom show b",
                "wisdom check a", "wisdom check a --budget 1", "wisdom merge a b", "wisdom merge a t", "wisdom show a",
                "wisdom check t --budget 1", "wisdom forget a --collective gather"});
  run_program("sweep bcast ring:4 --bytes 8 --effort simulate -o s.json", folder_);
  for (const std::string& wrong : schemas_.complaints("sweep-file", Json::parse(content(folder_ / "s.json"))))
    ADD_FAILURE() << wrong;
}

TEST_F(CliSchema, Applications) {
  run_program("export smpi allgather ring:4 -o a.ti", folder_);
  std::ofstream(folder_ / "c.ti") << "0 init\n0 allreduce 8 1 0\n0 finalize\n1 init\n1 allreduce 8 1 0\n1 finalize\n";
  expect_valid({"replay a.ti ring:4", "replay a.ti torus:2x2 --network fluid --machine fugaku", "replay c.ti ring:2"});
}

TEST_F(CliSchema, AnswersAboutThings) {
  expect_valid({"topology",
                "topology hypercube:6",
                "topology ring:12 --route 10 3",
                "topology omega:3 --route 1 2",
                "topology mesh:8x15 --sources 0,17,34",
                "topology --here",
                "rules openmpi-4.1 ring:8 --most 64KiB",
                "rules mpich-4.0 crossbar:6 --most 64KiB",
                "rules mpich-settings crossbar:6 --most 64KiB -o s",
                "rules openmpi-6 ring:8 --most 64KiB --effort simulate -o j",
                "rules --explain j",
                "topology fly:2^3",
                "topology star:6 --to slurm --write t.conf",
                "machine",
                "machine unit",
                "machine ipsc860",
                "machine unit --set alpha=95us",
                "algorithm",
                "algorithm --list",
                "algorithm alltoall_mce",
                "algorithm --on hypercube:4",
                "algorithm multibcast_lin",
                "algorithm bcast_chain --on ring:5",
                "errata",
                "errata E3-4",
                "reproduce hambrusch",
                "reproduce nicol-bokhari",
                "reproduce foster",
                "reproduce all -o all.html",
                "tune --transport threads --ranks 3 --seconds 0.2 -o t.toml",
                "tune --transport threads --ranks 2 --seconds 0.05",
                "manual share",
                "plot bcast ring:4 -o p.svg"});
}

TEST_F(CliSchema, Reports) {
  std::ofstream(folder_ / "m.csv") << "1024,0.001,elsewhere\n";
  std::ofstream(folder_ / "r.json") << run_program("run bcast ring:4 --algorithm bcast_chain --json").out;
  expect_valid({"report alltoall hypercube:4 --machine ipsc860 --bytes 32", "report bcast ring:4 --from r.json",
                "report alltoall torus:6x6 --bytes 4KiB", "report multibcast mesh:3x5 --sources E(3)",
                "report bcast fly:2^3", "report scatter memory:4",
                "report alltoall ring:4 --algorithm alltoall_bruck --measured m.csv", "report alltoall hypercube:11",
                "report sendrecv ring:4 --target 2"});
}

TEST_F(CliSchema, Errors) {
  for (const char* line :
       {"plan bcast ring:0", "plann", "price allgather ring:64 --algorithm allgather_daisy --budget 5",
        "simulate allgather ring:3 --algorithm allgather_doubling"})
    expect_valid("error", line);
}

/// The schemas can say no: each thing that must not be in an answer is one complaint.
TEST_F(CliSchema, SchemasRefuseWhatIsWrong) {
  const Json right = Json::parse(run_program("plan bcast ring:4 --json").out);
  EXPECT_TRUE(schemas_.complaints("plan", right).empty());
  const auto complaints = [&](const std::function<void(Json&)>& change) {
    Json wrong = right;
    change(wrong);
    return schemas_.complaints("plan", wrong).size();
  };
  EXPECT_EQ(complaints([](Json& j) { j["best"]["price_s"] = "1"; }), 1U);
  EXPECT_EQ(complaints([](Json& j) { j["best"]["price_s"] = -1; }), 1U);
  EXPECT_EQ(complaints([](Json& j) { j["best"].erase("params"); }), 1U);
  EXPECT_EQ(complaints([](Json& j) { j["spec"]["makespan_s"] = 1; }), 1U);
  EXPECT_EQ(complaints([](Json& j) { j["effort"] = "guess"; }), 1U);
  EXPECT_EQ(complaints([](Json& j) { j["candidates"][0]["params"]["p"] = 3; }), 1U);
}

TEST_F(CliSchema, ThePageExplainsEveryName) {
  const std::string page = content(documents / "reference" / "json.md"),
                    report = content(documents / "reference" / "report.md");
  for (const auto& entry : fs::directory_iterator(documents / "schema")) {
    const std::string schema = entry.path().stem();
    for (const std::string& name : schemas_.names(schema)) {
      const std::string quoted = "`" + name + "`";
      EXPECT_TRUE(
          page.find(quoted) != std::string::npos || (schema == "report" && report.find(quoted) != std::string::npos) ||
          (schema == "error" && content(documents / "reference" / "exit-statuses.md").find(name) != std::string::npos))
          << name << " of " << schema << " is on no page";
    }
  }
}

}  // namespace
}  // namespace quadrille::cli_schema_test
