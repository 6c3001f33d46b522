// What traces share: text that is collected, and handed over when there is much of it.
#pragma once

#include <fmt/format.h>

#include "formats/table.hpp"

namespace quadrille::formats {

inline void hand_over(fmt::memory_buffer& text, const Sink& sink) {
  sink({text.data(), text.size()});
  text.clear();
}

}  // namespace quadrille::formats
