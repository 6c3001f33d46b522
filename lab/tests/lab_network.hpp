// What tests of labs share: the program as a user runs it, and a folder of its own for each lab.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "state.hpp"
#include "system.hpp"

namespace quadrille::lab::network_test {

struct Ran {
  int status = -1;
  std::string out;
};

/// The program as a user runs it; stdout and stderr together.
inline Ran ran(const std::string& arguments, const std::string& before = "") {
  Ran ran;
  std::FILE* pipe = popen(fmt::format("{} {} {} 2>&1", before, QUADRILLE_LAB_PROGRAM, arguments).c_str(), "r");
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) ran.out.append(buffer, n);
  const int status = pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

class LabNetwork : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("quadrille-lab-test-{}", getpid());
    before_ = present();
  }
  void TearDown() override {
    ran("down" + state());
    EXPECT_EQ(present(), before_) << "namespaces that were not there before, or are gone";
    EXPECT_FALSE(std::filesystem::exists(folder_));
    std::filesystem::remove_all(tools_);
  }
  /// All namespaces there are, but for labs that somebody else may make and remove meanwhile.
  std::vector<std::string> present() const {
    std::vector<std::string> all = lab::namespaces();
    std::erase_if(all, [&](const std::string& name) {
      return name.starts_with("qlab-") && !name.starts_with(prefix_of(folder_)) &&
             !name.starts_with(prefix_of(other_folder()));
    });
    return all;
  }
  std::filesystem::path other_folder() const { return folder_.string() + "-other"; }
  std::string state() const { return " --state " + folder_.string(); }

  /// A folder with a `tc` of ours, to be first on PATH.
  std::string path_with_tc(const std::string& script) {
    tools_ = folder_.string() + "-tools";
    std::filesystem::create_directories(tools_);
    std::ofstream(tools_ / "tc") << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(tools_ / "tc", std::filesystem::perms::owner_all);
    return fmt::format("PATH={}:$PATH", tools_.string());
  }

  std::vector<std::string> before_;
  std::filesystem::path folder_, tools_;
};

}  // namespace quadrille::lab::network_test
