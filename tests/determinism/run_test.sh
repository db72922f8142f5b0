#!/usr/bin/env bash
# The same input gives the same bits, whatever compiled the program: builds it in another way, with
# clang++ at -O1 (the first one is g++ at -O3), each file by itself, so that one that lacks an include
# is found out; and compares what both print.
# Arguments: the source tree, the first program, and where to build.
set -euo pipefail
source_tree=$1
program=$2
build=$3

# build_other NAME COMPILER FLAGS: the program is then $build/NAME/bin/syncsim.
build_other() {
  cmake -S "$source_tree" -B "$build/$1" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_COMPILER="$2" -DCMAKE_CXX_FLAGS_RELEASE="$3" -DSYNCSIM_TESTS=OFF \
    -DSYNCSIM_CUDA=OFF -DSYNCSIM_UNITY=OFF >&2
  ninja -C "$build/$1" syncsim >&2
}
build_other clang++-O1 clang++ "-O1 -DNDEBUG"

compared=0
compare() {
  local expected other
  expected=$("$program" "$@")
  for other in clang++-O1; do
    if ! cmp <(echo "$expected") <("$build/$other/bin/syncsim" "$@"); then
      echo "syncsim $* differs from what $other prints" >&2
      exit 1
    fi
    compared=$((compared + 1))
  done
}

# Uneven sizes, rates, routes and starts, so that every digit is put to the test.
traffic=$(mktemp)
trap 'rm -f "$traffic"' EXIT
awk 'BEGIN {
  srand(7); print "start,source,destination,bytes"
  for (i = 0; i < 2000; ++i) {
    from = int(rand() * 8); to = (from + 1 + int(rand() * 7)) % 8
    printf "%.9f,gpu%d,gpu%d,%d\n", rand() * 0.1, from, to, 1 + int(rand() * 1e7)
  }
}' >"$traffic"

compare check "$source_tree/scenarios/claims" --format json
for topology in pcie_4gpu pcie_8gpu dgx1v p3_textbook dgx2; do
  compare run --topology "$topology" --strategy ring,distributed,central_gpu --links \
    --bytes "7 B,1 MB,123456789 B" --datatype int8 --format json --edit "scale kind:* bandwidth 0.7"
done
for topology in dgx1v dgx2 pcie_8gpu; do
  compare flows --topology "$topology" --flows "$traffic" --format csv
done
echo "$compared outputs of other builds are the same" >&2
