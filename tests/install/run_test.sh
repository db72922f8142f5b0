#!/usr/bin/env bash
# Installs a finished build and uses it as a stranger would: the program from another directory, and
# the package from another project. Fails at the first thing that is not as it should be.
#   run_test.sh CMAKE BUILD_DIRECTORY CXX_COMPILER SANITIZERS
set -euo pipefail
cmake=$1 build=$2 compiler=$3 sanitizers=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "install: $*" >&2
  exit 1
}

expect() {  # expect WHAT WANTED ACTUAL
  [ "$2" = "$3" ] || fail "$1: expected \"$2\", got \"$3\""
}

"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log" >&2; fail "cmake --install failed"; }
# Elsewhere than where it was installed to: nothing may remember the prefix.
prefix="$scratch/opt"
mv "$scratch/first" "$prefix"

shelf="$prefix/share/syncsim/topologies"
[ -x "$prefix/bin/syncsim" ] || fail "bin/syncsim is missing"
[ -f "$shelf/pcie_4gpu.json" ] || fail "share/syncsim/topologies/pcie_4gpu.json is missing"
[ -d "$prefix/share/syncsim/scenarios/claims" ] || fail "share/syncsim/scenarios/claims is missing"

# A machine that only the installed shelf has.
sed 's/"pcie_4gpu"/"only_here"/' "$shelf/pcie_4gpu.json" >"$shelf/only_here.json"
mkdir "$scratch/elsewhere"
cd "$scratch/elsewhere"
time_of() {
  "$prefix/bin/syncsim" run --topology "$1" --strategy ring --bytes "160 MB" --format json |
    grep -o '"time_ps": [0-9]*'
}
expect "pcie_4gpu" '"time_ps": 15000000000' "$(time_of pcie_4gpu)"
expect "a machine added to the installed shelf" '"time_ps": 15000000000' "$(time_of only_here)"
"$prefix/bin/syncsim" check "$prefix/share/syncsim/scenarios/claims" >"$scratch/log" ||
  { cat "$scratch/log" >&2; fail "the installed claims do not hold"; }

flags=${sanitizers:+-fsanitize=$sanitizers}
{
  "$cmake" -S "$here/consumer" -B "$scratch/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" &&
    "$cmake" --build "$scratch/consumer"
} >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "the consumer does not build"; }
expect "the consumer" "4 ranks: 15.0000 ms" "$("$scratch/consumer/consumer" "$shelf")"
