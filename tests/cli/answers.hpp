// What the program answers in JSON, for tests.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.hpp"

namespace quadrille::cli_answers {

/// Of a command that succeeds, and says nothing on stderr.
inline nlohmann::json answer(const std::string& line) {
  const Ran ran = run_program(line + " --json");
  EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
  EXPECT_EQ(ran.err, "") << line;
  nlohmann::json json = nlohmann::json::parse(ran.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << line << ":\n" << ran.out;
  return json;
}

inline void expect_keys(const nlohmann::json& json, const std::vector<std::string>& keys, const std::string& where) {
  for (const std::string& key : keys) EXPECT_TRUE(json.contains(key)) << where << " has no " << key;
}

}  // namespace quadrille::cli_answers
