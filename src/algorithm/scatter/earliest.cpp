// Down the tree of the broadcast whose next message is the one that arrives earliest.
#include "algorithm/scatter/shared/earliest.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scatter_earliest {

Algorithm describe() {
  return scatter::by_earliest_tree(
      Collective::scatter,
      {.name = "scatter_earliest",
       .summary = "down a tree in which a rank sends to as many others as overheads and links allow; counted",
       .source = "extra: Karp, Sahay, Santos & Schauser 1993, the greedy tree of LogP, on links that messages share",
       .closed_form = {.where =
                           "rounds of the plan, a start-up each, or more where messages outnumber ports; counted"}});
}

}  // namespace quadrille::algorithm::scatter_earliest
