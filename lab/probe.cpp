// A measurement of the network itself, without any MPI: one TCP connection between two hosts.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "launch.hpp"
#include "quadrille/base.hpp"
#include "system.hpp"

namespace quadrille::lab {

namespace {

constexpr int trips = 21;
constexpr std::uint16_t first_port = 7077;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

[[noreturn]] void fail(std::string_view what) {
  throw Error(Error::Kind::transport, fmt::format("probe: {}: {}", what, std::strerror(errno)));
}

sockaddr_in place(int host) {
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(first_port);
  inet_pton(AF_INET, address(host).c_str(), &place.sin_addr);
  return place;
}

void transfer(int file, Bytes bytes, bool sends) {
  static std::array<char, 65536> buffer{};
  while (bytes > 0) {
    const std::size_t part = static_cast<std::size_t>(std::min<Bytes>(bytes, buffer.size()));
    const ssize_t n = sends ? send(file, buffer.data(), part, MSG_NOSIGNAL) : recv(file, buffer.data(), part, 0);
    if (n == 0) errno = ECONNRESET;
    if (n <= 0) fail(sends ? "sending" : "receiving");
    bytes -= n;
  }
}

int fresh_socket() {
  const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  if (file < 0) fail("socket");
  setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const timeval limit{60, 0};
  setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  return file;
}

/// Answers every one of the short messages, then takes the long one and answers that.
void serve(int listener, Bytes bytes) {
  const int file = accept(listener, nullptr, nullptr);
  if (file < 0) fail("accept");
  const int on = 1;
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  for (int i = 0; i < trips; ++i) {
    transfer(file, 1, false);
    transfer(file, 1, true);
  }
  transfer(file, bytes, false);
  transfer(file, 1, true);
}

Probe ask(int to, Bytes bytes) {
  const int file = fresh_socket();
  const sockaddr_in there = place(to);
  if (connect(file, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) fail("connect");
  std::array<double, trips> times{};
  for (double& time : times) {
    const double begin = now();
    transfer(file, 1, true);
    transfer(file, 1, false);
    time = now() - begin;
  }
  std::nth_element(times.begin(), times.begin() + trips / 2, times.end());
  const double begin = now();
  transfer(file, bytes, true);
  transfer(file, 1, false);
  const double took = now() - begin;
  return {8.0 * static_cast<double>(bytes) / took, times[trips / 2]};
}

/// A process on a host; when `work` is done or throws, it ends.
template <class Work>
pid_t on_host(const Lab& lab, int host, Work work) {
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child > 0) return child;
  try {
    enter_network(lab.blueprint.nodes[static_cast<std::size_t>(host)].name);
    work();
    _exit(0);
  } catch (const std::exception& error) {
    fmt::print(stderr, "quadrille-lab: {}\n", error.what());
    _exit(1);
  }
}

}  // namespace

Probe probe(const Lab& lab, int from, int to, Bytes bytes) {
  if (from == to) throw Error(Error::Kind::argument, "probe: two different hosts are needed");
  std::array<int, 2> ready{}, answer{};
  if (pipe(ready.data()) != 0 || pipe(answer.data()) != 0) fail("pipe");
  const pid_t server = on_host(lab, to, [&] {
    const int listener = fresh_socket();
    const sockaddr_in here = place(to);
    if (bind(listener, reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0 || listen(listener, 1) != 0)
      fail("listening");
    if (write(ready[1], "x", 1) != 1) fail("pipe");
    serve(listener, bytes);
  });
  close(ready[1]);
  char listening = 0;
  const bool served = read(ready[0], &listening, 1) == 1;
  close(ready[0]);
  const pid_t client = on_host(lab, from, [&] {
    if (!served) throw Error(Error::Kind::transport, "probe: nobody listens");
    const Probe found = ask(to, bytes);
    if (write(answer[1], &found, sizeof found) != sizeof found) fail("pipe");
  });
  close(answer[1]);
  Probe found;
  const bool answered = read(answer[0], &found, sizeof found) == sizeof found;
  close(answer[0]);
  if (!answered) kill(server, SIGTERM);
  waitpid(client, nullptr, 0);
  waitpid(server, nullptr, 0);
  if (!answered) throw Error(Error::Kind::transport, fmt::format("probe: no answer from {}", to));
  return found;
}

}  // namespace quadrille::lab
