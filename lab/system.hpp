// What a lab asks of the operating system: programs run to their end, namespaces entered and listed, signals noticed.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quadrille::lab {

/// Throws Error(illegal), one line, unless this process may make network namespaces.
void require_root();

/// Runs a program found on PATH with `input` on its standard input and returns what it prints. Throws Error(transport)
/// with the first line of its complaint when it fails, and when a signal asked this process to stop.
std::string run(const std::vector<std::string>& command, std::string_view input = {});

/// Makes SIGINT, SIGTERM and SIGHUP be noticed between commands instead of ending the process in their midst; and
/// `cleaning_up` makes them wait for the end.
void notice_signals();
void cleaning_up();

/// Names of all network namespaces that `ip netns` knows.
std::vector<std::string> namespaces();
bool namespace_exists(const std::string& name);
/// Processes whose network is this namespace.
std::vector<pid_t> processes_in(const std::string& name);
/// Ends all processes in these namespaces but this one: asks first, after a second insists.
void end_processes(const std::vector<std::string>& names);

/// Moves the calling process into a namespace: its network only. Throws Error(transport).
void enter_network(const std::string& name);
/// Writes files under /proc/sys/net from within a namespace, in a process of its own; never outside.
void write_settings(const std::string& name, const std::vector<std::pair<std::string, std::string>>& settings);
/// Turns this process into a host: network, host name, shared memory, /sys and (from `hosts_file`) the names of all
/// hosts. Its children share memory with it; another process that becomes the same host does not.
void become_host(const std::string& name, const std::string& hosts_file);
/// Replaces this process by a program found on PATH. Throws Error(argument) when there is none.
[[noreturn]] void replace_process(const std::vector<std::string>& command);

/// The file this program is, without symbolic links.
std::string own_program();

}  // namespace quadrille::lab
