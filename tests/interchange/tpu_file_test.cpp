// A TPU's variables, as workers and gcloud show them.
#include <gtest/gtest.h>

#include "interchange/machines/imported.hpp"

namespace quadrille::tpu_file_test {
namespace {

std::string meaning(const std::string& text) {
  try {
    return interchange::import_network(text, "tpu-env").topology;
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(TpuFile, SaysWhichSliceItIs) {
  EXPECT_EQ(meaning("ACCELERATOR_TYPE: 'v4-256'\nTOPOLOGY: '4x4x8'\nWRAP: 'true,true,true'\nZONE: 'us-central2-b'\n"),
            "torus:4x4x8");
  EXPECT_EQ(meaning("export TPU_ACCELERATOR_TYPE=\"v5litepod-16\"\nexport TPU_TOPOLOGY=\"4x4\"\n"
                    "export TPU_TOPOLOGY_WRAP=\"false,false,false\"\n"),
            "mesh:4x4");
  EXPECT_EQ(meaning("acceleratorConfig:\n  topology: 4x8x8\n  type: V5P\nacceleratorType: v5p-512\n"), "torus:4x8x8");
  EXPECT_EQ(meaning("TPU_ACCELERATOR_TYPE=v5p-512\n"), "torus:4x8x8");
  EXPECT_EQ(meaning("TPU_ACCELERATOR_TYPE=v6e-128\nTPU_TOPOLOGY=8x16\nTPU_TOPOLOGY_WRAP=false,true,false\n"),
            "tpu:v6e:8x16");
  EXPECT_EQ(meaning("TPU_ACCELERATOR_TYPE=v6e-256\nTPU_TOPOLOGY=16x16\nTPU_TOPOLOGY_WRAP=true,true,false\n"),
            "torus:16x16");
}

TEST(TpuFile, ContradictionsAreRefusedWithTheirLine) {
  EXPECT_EQ(meaning("TPU_ACCELERATOR_TYPE=v4-256\nTPU_TOPOLOGY=4x8x8\n"),
            "'tpu-env', line 1: 'v4-256' and '4x8x8' differ: expected v4-512");
  EXPECT_EQ(meaning("TPU_ACCELERATOR_TYPE=v4-256\nTOPOLOGY=4x4x8\nTPU_TOPOLOGY=4x8x8\n"),
            "'tpu-env', line 3: 'tpu_topology' is '4x8x8', and line 2 says '4x4x8'; expected one of them");
  EXPECT_EQ(
      meaning("TPU_ACCELERATOR_TYPE=v4-256\nTPU_TOPOLOGY_WRAP=false,false,false\n"),
      "'tpu-env', line 2: sides wrap round as 'false,false,false', and such a slice is torus:4x4x8; expected what "
      "its generation does");
  EXPECT_EQ(meaning("TPU_ACCELERATOR_TYPE=v4-256\nTPU_TOPOLOGY_ALT=true\n"),
            "'tpu-env', line 2: the slice is twisted, and which links go where is not documented");
  EXPECT_NE(meaning("TPU_ACCELERATOR_TYPE=v9-256\n").find("line 1: topology tpu:'v9-256'"), std::string::npos);
  EXPECT_NE(meaning("# accelerator_type\n").find("no accelerator type"), std::string::npos);
}

}  // namespace
}  // namespace quadrille::tpu_file_test
