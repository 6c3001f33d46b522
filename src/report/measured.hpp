// Times that were taken elsewhere, from a file.
#pragma once

#include <string>
#include <vector>

#include "quadrille/report.hpp"

namespace quadrille::report {

/// Lines "bytes,seconds" or "bytes,seconds,label"; lines that begin with # and one header line are passed over. At most
/// 10 000 points of positive size and time. Throws Error(format) with the line.
std::vector<Measurement> parse_measurements(std::string_view text, const std::string& where);
std::vector<Measurement> read_measurements(const std::string& path);

}  // namespace quadrille::report
