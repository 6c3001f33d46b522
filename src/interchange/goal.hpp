// GOAL, the form of LogGOPSim and ATLAHS: who sends how many bytes to whom, and what each message waits for.
#pragma once

#include "interchange/schedule_file.hpp"

namespace quadrille::interchange {

/// In which order ranks go on: messages wait for the data that they carry and overwrite, or for a rank's whole round
/// before.
enum class GoalOrder { data, rounds };

/// What GOAL cannot say, such as which slots a message carries, stands in comments, which other readers pass over.
std::int64_t write_goal(const Written& written, const TextSink& sink, GoalOrder order);

/// Reads the text form. With the comments above the schedule is the one that was written; without them it is only known
/// who sends how much to whom, in the earliest rounds. Throws Error(format) with the line.
ScheduleFile read_goal(const std::string& text, const std::string& name);

}  // namespace quadrille::interchange
