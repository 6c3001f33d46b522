// Files that are whole or not there.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// Writes `content` beside `path` and renames it there, so that no reader sees half a file; makes missing folders.
/// Throws Error(argument) with the path and the system's reason; then `path` is as it was.
void write_file(const std::string& path, std::string_view content);

}  // namespace quadrille
