#include "cli/parts/measure.hpp"

#include "base/text.hpp"
#include "cli/options/clock.hpp"

namespace quadrille::cli {

Leader::~Leader() { door_.from_first({}); }

RunResult Leader::run(const Built& built, const RunOptions& how) {
  const std::string choice = to_text(*built.choice.algorithm, built.choice.params);
  const std::string order =
      fmt::format("{} {} {} {}", how.repetitions, how.check ? 1 : 0, to_string(how.order), choice);
  door_.from_first(order);
  door_.agree([&] { return order; });
  return door_.run(spec_, *built.schedule, how, -1);
}

void follow(mpi::Door& door, const Task& task) {
  for (std::string order = door.from_first({}); !order.empty(); order = door.from_first({})) {
    try {
      Built built;
      RunOptions how;
      door.agree([&] {
        const auto words = base::split(order, ' ');
        how.repetitions = static_cast<int>(base::parse_integer(words[0], 0, 1 << 30, "repetitions"));
        how.check = words[1] == "1";
        how.order = read_order(std::string(words[2]));
        built = build(task.spec, task.machine, parse_choice(words[3]));
        return order;
      });
      door.run(task.spec, *built.schedule, how, -1);
    } catch (const Error&) {  // all have it, and rank 0 says what it means
    }
  }
}

}  // namespace quadrille::cli
