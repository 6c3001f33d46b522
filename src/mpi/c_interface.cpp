// The C interface: the C++ one, with every exception made a status and a line of text.
#include <fmt/format.h>

#include <functional>
#include <optional>

#include "base/text.hpp"
#include "collective/traits.hpp"
#include "mpi/state.hpp"
#include "quadrille/quadrille.h"
#include "quadrille/sources.hpp"
#include "quadrille/version.hpp"

using quadrille::Error;

struct quadrille_communicator {
  quadrille::mpi::communicator communicator;
};

struct quadrille_plan {
  std::function<quadrille::mpi::plan_handle()> make;  ///< by what was asked for, on the network as it is
  quadrille::mpi::plan_handle handle = make();
  std::string algorithm = handle.algorithm();
};

namespace {

std::string& error_text() {
  thread_local std::string text;
  return text;
}

int status_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::argument:
      return QUADRILLE_ARGUMENT;
    case Error::Kind::illegal:
      return QUADRILLE_ILLEGAL;
    case Error::Kind::format:
      return QUADRILLE_FORMAT;
    case Error::Kind::budget:
      return QUADRILLE_BUDGET;
    case Error::Kind::transport:
      return QUADRILLE_TRANSPORT;
    case Error::Kind::internal:
      break;
  }
  return QUADRILLE_INTERNAL;
}

template <class Work>
int guarded(Work work) noexcept {
  try {
    work();
    return QUADRILLE_OK;
  } catch (const Error& error) {
    error_text() = error.what();
    return status_of(error.kind());
  } catch (const std::bad_alloc&) {
    error_text() = "out of memory";  // short enough to need none
    return QUADRILLE_BUDGET;
  } catch (const std::exception& error) {
    error_text() = error.what();
    return QUADRILLE_INTERNAL;
  }
}

void require(const void* pointer, const char* name) {
  if (pointer == nullptr) throw Error(Error::Kind::argument, fmt::format("'{}' must not be NULL", name));
}

std::string_view text_or_nothing(const char* text) { return text == nullptr ? std::string_view() : text; }

quadrille::Collective collective_of(std::string_view name) {
  const auto found = quadrille::find_collective(name);
  if (found) return *found;
  std::vector<std::string> known;
  for (const quadrille::Collective c : quadrille::collectives())
    if (quadrille::collective::traits(c).takes_root_and_bytes()) known.emplace_back(to_string(c));
  throw Error(Error::Kind::argument,
              fmt::format("collective '{}': expected one of {}", name, quadrille::base::join(known, ", ")));
}

}  // namespace

extern "C" {

const char* quadrille_version(void) { return QUADRILLE_VERSION; }
const char* quadrille_error_text(void) { return error_text().c_str(); }

int quadrille_communicator_create(MPI_Comm comm, const char* topology, const char* machine,
                                  quadrille_communicator** out) {
  return guarded([&] {
    require(out, "out");
    *out = nullptr;
    quadrille::mpi::options options;
    options.topology = text_or_nothing(topology);
    if (machine != nullptr) options.machine = machine;
    *out = new quadrille_communicator{quadrille::mpi::communicator(comm, options)};
  });
}

int quadrille_communicator_change_network(quadrille_communicator* communicator, const char* topology) {
  return guarded([&] {
    require(communicator, "communicator");
    communicator->communicator.change_network(std::string(text_or_nothing(topology)));
  });
}

void quadrille_communicator_free(quadrille_communicator* communicator) { delete communicator; }

int quadrille_plan_create(quadrille_communicator* communicator, const char* collective, int64_t bytes, int64_t root,
                          const char* algorithm, quadrille_plan** out) {
  return guarded([&] {
    require(out, "out");
    *out = nullptr;
    require(communicator, "communicator");
    *out = new quadrille_plan{[on = communicator->communicator, name = std::string(text_or_nothing(collective)), bytes,
                               root, by = std::string(text_or_nothing(algorithm))] {
      const auto asked = [&](const quadrille::TopologyPtr& topology) {
        return quadrille::Spec{.collective = collective_of(name), .topology = topology, .bytes = bytes, .root = root};
      };
      return on.init(asked, by);
    }};
  });
}

int quadrille_plan_create_allgatherv(quadrille_communicator* communicator, const int64_t* bytes, const char* algorithm,
                                     quadrille_plan** out) {
  return guarded([&] {
    require(out, "out");
    *out = nullptr;
    require(communicator, "communicator");
    std::optional<std::vector<int64_t>> given;
    if (bytes != nullptr) given.emplace(bytes, bytes + communicator->communicator.ranks());
    *out = new quadrille_plan{[on = communicator->communicator, given, by = std::string(text_or_nothing(algorithm))] {
      const auto asked = [&](const quadrille::TopologyPtr& topology) {
        require(given ? given->data() : nullptr, "bytes");
        std::vector<std::pair<quadrille::Rank, quadrille::Bytes>> sources;
        for (quadrille::Rank r = 0; r < topology->ranks(); ++r)
          if (given->at(static_cast<std::size_t>(r)) != 0)
            sources.emplace_back(r, given->at(static_cast<std::size_t>(r)));
        return quadrille::Spec{.collective = quadrille::Collective::multibcast,
                               .topology = topology,
                               .sources = quadrille::make_sources(std::move(sources))};
      };
      return on.init(asked, by);
    }};
  });
}

int quadrille_plan_create_reduction(quadrille_communicator* communicator, const char* collective, int64_t count,
                                    MPI_Datatype type, MPI_Op op, int64_t root, const char* algorithm,
                                    quadrille_plan** out) {
  return guarded([&] {
    require(out, "out");
    *out = nullptr;
    require(communicator, "communicator");
    *out = new quadrille_plan{[on = communicator->communicator, what = collective_of(text_or_nothing(collective)),
                               count, type, op, root, by = std::string(text_or_nothing(algorithm))] {
      return on.init(what, count, {type, op}, root, by);
    }};
  });
}

int quadrille_plan_renew(quadrille_plan* plan) {
  return guarded([&] {
    require(plan, "plan");
    quadrille::mpi::plan_handle renewed = plan->make();
    std::string algorithm = renewed.algorithm();
    plan->handle = std::move(renewed);
    plan->algorithm = std::move(algorithm);
  });
}

void quadrille_plan_free(quadrille_plan* plan) { delete plan; }

int quadrille_start(quadrille_plan* plan, const void* in, void* out) {
  return guarded([&] {
    require(plan, "plan");
    plan->handle.start(in, out);
  });
}

int quadrille_test(quadrille_plan* plan, int* done) {
  return guarded([&] {
    require(plan, "plan");
    require(done, "done");
    *done = plan->handle.test() ? 1 : 0;
  });
}

int quadrille_wait(quadrille_plan* plan) {
  return guarded([&] {
    require(plan, "plan");
    plan->handle.wait();
  });
}

const char* quadrille_plan_algorithm(const quadrille_plan* plan) { return plan->algorithm.c_str(); }
double quadrille_plan_predicted(const quadrille_plan* plan) { return plan->handle.predicted(); }
double quadrille_plan_bound(const quadrille_plan* plan) { return plan->handle.bound(); }

}  // extern "C"
