// Up the tree of the reduction that is planned message by message.
#include "algorithm/scatter/shared/earliest.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::gather_earliest {

Algorithm describe() {
  return scatter::by_earliest_tree(
      Collective::gather,
      {.name = "gather_earliest",
       .summary = "up a tree in which a rank hears from as many others as overheads and links allow; counted",
       .source = "extra: scatter_earliest run backwards",
       .closed_form = {.where =
                           "rounds of the plan, a start-up each, or more where messages outnumber ports; counted"}});
}

}  // namespace quadrille::algorithm::gather_earliest
