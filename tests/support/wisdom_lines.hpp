// Lines of wisdom files, for tests to keep and to break.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "quadrille/wisdom.hpp"
#include "settings.hpp"

namespace quadrille::testing {

inline Question question(Bytes bytes, const std::string& topology = "hypercube:3") {
  return {request(Collective::allgather, topology, bytes), load_machine("unit")};
}
inline Answer answer(const std::string& choice, Seconds time) { return {parse_choice(choice), time}; }

/// One line, refused for this reason.
inline void expect_refused(const std::string& text, std::string_view reason) {
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
inline std::string good_lines() {
  Wisdom wisdom;
  wisdom.put(question(32), answer("allgather_adea", 7.5));
  const std::string text = wisdom.text();
  const auto first = text.find('\n') + 1;
  return text.substr(first, text.rfind("end ") - first);
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace quadrille::testing
