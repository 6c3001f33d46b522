# Read by ./quickstart and ./test: what they say, install and build with. Works in any folder, prints little, and keeps
# the rest in log files.

set -euo pipefail
export LC_ALL=C.UTF-8 # what tools say does not depend on the user's language
jobs=$(nproc)

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s\n' "$*"; }

# fail <message> [log]: the last lines of the log and an exit status of 1.
fail() {
  if [ $# -gt 1 ]; then tail -n 40 "$2" >&2; say "   (all of it: $2)" >&2; fi
  printf '\nFAILED: %s\n' "$1" >&2
  exit 1
}

# logged <log> <what> <command...>: silent when it works.
logged() {
  local log=$1 what=$2
  shift 2
  "$@" > "$log" 2>&1 || fail "$what" "$log"
}

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2> /dev/null)" = installed ]; }

# need <package...>: installs the Debian packages that are missing; asks the network for nothing when none is.
need() {
  local missing=() package root=()
  command -v dpkg-query > /dev/null || {
    say "not a Debian system: taking for granted what these packages hold: $*"
    return 0
  }
  for package in "$@"; do installed "$package" || missing+=("$package"); done
  if [ ${#missing[@]} -eq 0 ]; then
    say "all $# packages are there, nothing to install"
    return 0
  fi
  say "missing: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || fail "neither root nor sudo; install by hand: apt-get install ${missing[*]}"
    root=(sudo)
  fi
  mkdir -p build
  say "installing with ${root[*]:+${root[*]} }apt-get ..."
  logged build/apt.log "apt-get update (is there a network?)" "${root[@]}" apt-get update -q
  logged build/apt.log "apt-get install ${missing[*]}" \
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
  say "installed"
}

# want <what for> <command=package...>: installs the packages of commands that are missing. Where that fails, only what
# they are for is left out, and this says so.
want() {
  local what=$1 pair missing=()
  shift
  for pair in "$@"; do command -v "${pair%%=*}" > /dev/null || missing+=("${pair#*=}"); done
  if [ ${#missing[@]} -eq 0 ]; then return 0; fi
  (need "${missing[@]}") || say "SKIPPED: without ${missing[*]} there is no $what"
}

# shellcheck disable=SC2034  # used by who reads this file
{
  # libgtest-dev: configuring looks for it, even where only the program is built
  build_packages=(g++ cmake ninja-build pkg-config libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libgtest-dev
                  libexpat1-dev libhwloc-dev) # libhwloc-dev: for 'topology --here'; without it that knows less
  # both MPIs side by side; without one, its library is left out
  mpi_packages=(libopenmpi-dev openmpi-bin libmpich-dev mpich)
  # a browser and what drives it: optional
  browser_commands=(chromium=chromium node=nodejs npm=npm rsvg-convert=librsvg2-bin)
  test_packages=(clang-format-14 gfortran iproute2 python3 # iproute2: networks of namespaces, tested where root may make them
                 dpkg-dev python3-dev pybind11-dev python3-numpy python3-mpi4py mypy) # the Python module and its tests
}

# The compiler whose warnings are known to be none: with it quickstart and test share their objects, and with another
# quickstart is not stopped by a warning.
known_compiler() { [ "$(c++ -dumpversion 2> /dev/null)" = 12 ]; }

# build <folder> <target> <cmake option...>
build() {
  local folder=$1 target=$2 begin=$SECONDS
  shift 2
  mkdir -p "$folder"
  logged "$folder/configure.log" "configuring $folder" cmake -S . -B "$folder" -G Ninja "$@"
  logged "$folder/build.log" "building $target in $folder" cmake --build "$folder" --target "$target" -j "$jobs"
  say "built $folder in $((SECONDS - begin)) s"
}
