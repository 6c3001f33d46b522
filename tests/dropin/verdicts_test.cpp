// What trials have found, in a file.
#include "dropin/verdicts.hpp"

#include <gtest/gtest.h>

namespace quadrille::dropin {
namespace {

const Circumstances where{"an MPI", "crossbar:4", 0};

TEST(Verdicts, SayTheirSizesInBytes) {
  Verdicts all;
  for (const int n : {0, 1, 4, 62}) all.learn({where, Operation::bcast, n, "bcast_binomial", 2, 1});
  all.learn({where, Operation::alltoallv, 0, "native", 1, 1});
  const std::string text = all.text();
  EXPECT_NE(text.find("\"from_bytes\": 8"), std::string::npos) << text;
  EXPECT_NE(text.find("\"to_bytes\": 15"), std::string::npos) << text;
  EXPECT_EQ(text.find("size_class"), std::string::npos) << text;
  const Verdicts again = Verdicts::parse(text, "a file");
  EXPECT_EQ(again.text(), text);
  for (const int n : {0, 1, 4, 62}) EXPECT_NE(again.find(where, Operation::bcast, n), nullptr) << n;
  EXPECT_EQ(again.find(where, Operation::bcast, 5), nullptr);
  EXPECT_NE(again.find(where, Operation::alltoallv, 0), nullptr);
}

TEST(Verdicts, ReadFilesThatHaveNumbersOfClasses) {
  const Verdicts old = Verdicts::parse(
      R"({"format": "quadrille verdicts 1", "verdicts": [{"mpi": "an MPI", "topology": "crossbar:4", "segment": 0,
          "operation": "bcast", "size_class": 16, "choice": "native", "native_s": 1, "chosen_s": 1}]})",
      "a file");
  EXPECT_NE(old.find(where, Operation::bcast, 16), nullptr);
  EXPECT_NE(old.text().find("\"from_bytes\": 32768"), std::string::npos) << old.text();
}

TEST(Verdicts, RefuseSizesOfNoClass) {
  for (const char* const sizes : {"8, \"to_bytes\": 16", "-1, \"to_bytes\": 0", "15, \"to_bytes\": 8000"}) {
    const std::string text =
        R"({"format": "quadrille verdicts 1", "verdicts": [{"mpi": "an MPI", "topology": "crossbar:4", "segment": 0,
            "operation": "bcast", "choice": "native", "native_s": 1, "chosen_s": 1, "from_bytes": )" +
        std::string(sizes) + "}]}";
    EXPECT_THROW(Verdicts::parse(text, "a file"), Error) << sizes;
  }
}

}  // namespace
}  // namespace quadrille::dropin
