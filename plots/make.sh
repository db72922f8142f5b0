#!/usr/bin/env bash
# make.sh SYNCSIM DIRECTORY: runs what the figures show, and draws them all.
set -euo pipefail
program=$1 out=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=/usr/bin/python3 # Debian's, whose matplotlib ./run installs
mkdir -p "$out"

for sweep in "$here"/sweeps/*.json; do
  name=$(basename "$sweep" .json)
  rm -f "$out/$name.csv"
  "$program" sweep "$sweep" --out "$out/$name.csv"
  "$python" "$here/$name.py" "$out/$name.csv" -o "$out/$name.svg"
  echo "$out/$name.svg"
done

"$program" run --topology pcie_8gpu --strategy distributed --bytes "160 MB" \
  --trace "$out/link_utilization.json" >"$out/link_utilization.txt"
"$python" "$here/link_utilization.py" "$out/link_utilization.json" -o "$out/link_utilization.svg" \
  --title "Sharded aggregation of 160 MB on pcie_8gpu: bandwidth used [%], and its mean"
echo "$out/link_utilization.svg"

"$program" validate --predictors model,nccl_formula,line --format csv >"$out/validation.csv"
"$python" "$here/validation.py" "$out/validation.csv" -o "$out/validation.svg"
echo "$out/validation.svg"
