#include "cli/parts/measure.hpp"

#include "base/text.hpp"
#include "cli/options/clock.hpp"

namespace quadrille::cli {

Leader::~Leader() { library_.from_first({}); }

RunResult Leader::run(const Built& built, const RunOptions& how) {
  const std::string choice = to_text(*built.choice.algorithm, built.choice.params);
  const std::string order =
      fmt::format("{} {} {} {}", how.repetitions, how.check ? 1 : 0, to_string(how.order), choice);
  library_.from_first(order);
  library_.agree([&] { return order; });
  return library_.run(spec_, *built.schedule, how, -1);
}

void follow(mpi::MpiLibrary& library, const Task& task) {
  for (std::string order = library.from_first({}); !order.empty(); order = library.from_first({})) {
    try {
      Built built;
      RunOptions how;
      library.agree([&] {
        const auto words = base::split(order, ' ');
        how.repetitions = static_cast<int>(base::parse_integer(words[0], 0, 1 << 30, "repetitions"));
        how.check = words[1] == "1";
        how.order = read_order(std::string(words[2]));
        built = build(task.spec, task.machine, parse_choice(words[3]));
        return order;
      });
      library.run(task.spec, *built.schedule, how, -1);
    } catch (const Error&) {  // all have it, and rank 0 says what it means
    }
  }
}

}  // namespace quadrille::cli
