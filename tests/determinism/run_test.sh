#!/usr/bin/env bash
# The same input gives the same bits, whatever compiled the program: builds it a second time, with
# clang++ at -O1, and compares what both print. Arguments: the source tree, the first program, and
# where to build.
set -euo pipefail
source_tree=$1
program=$2
build=$3

cmake -S "$source_tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DSYNCSIM_TESTS=OFF >&2
ninja -C "$build" syncsim >&2
other=$build/bin/syncsim

compared=0
compare() {
  if ! cmp <("$program" "$@") <("$other" "$@"); then
    echo "syncsim $* differs between g++ and clang++" >&2
    exit 1
  fi
  compared=$((compared + 1))
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
echo "$compared outputs are the same from g++ and clang++" >&2
