// What traces share: text that is collected, and handed over when there is much of it.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "formats/table.hpp"
#include "quadrille/timeline.hpp"

namespace quadrille::formats {

inline void hand_over(fmt::memory_buffer& text, const Sink& sink) {
  sink({text.data(), text.size()});
  text.clear();
}

/// What a rank does until it goes on: as a name, and in words.
struct StayWords {
  std::string_view name, words;
};
inline StayWords words_of(Stay::Why why) {
  switch (why) {
    case Stay::Why::copied:
      return {"copies", "copies"};
    case Stay::Why::combined:
      return {"combines", "combines"};
    case Stay::Why::barrier:
      return {"barrier", "waits at a barrier"};
    case Stay::Why::skew:
      return {"skew", "has not begun"};
    default:
      return {"waits", "waits"};
  }
}

}  // namespace quadrille::formats
