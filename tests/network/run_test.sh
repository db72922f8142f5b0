#!/usr/bin/env bash
# Schedules on a real network of rate-limited hosts beside the model of it, which is calibrated on a
# single pair of them.
#   run_test.sh SYNCSIM [--full]
# Without --full: the star of four hosts and a CPU host at 200 Mbit/s, in about ten seconds. With it
# also a slow link, a narrow uplink, and 1 Gbit/s, with larger buffers.
# Exit code 1: measured is too far from simulated; 77: there can be no such network here.
set -euo pipefail
network_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$network_dir/net.sh"
. "$network_dir/on_hosts.sh"

syncsim=${1:?the program}
full=${2:-}
verdict=0
running= # the process of what runs on the hosts

skip() {
  echo "network: skipped: $*"
  exit 77
}

require_what_it_takes() {
  command -v mpirun >/dev/null || skip "mpirun is not here (Debian: openmpi-bin)"
  [ -x /usr/bin/python3 ] || skip "/usr/bin/python3 is not here (Debian: python3)"
  local said
  said=$("$syncsim" execute --executor mpi --topology pcie_4gpu --strategy ring --bytes "4 B" 2>&1) ||
    [[ $said != *"built without MPI"* ]] || skip "$syncsim was built without MPI"
  local missing
  missing=$(net_missing)
  [ -z "$missing" ] || skip "$missing"
}

clean_up() {
  trap '' INT TERM
  [ -z "$running" ] || { kill "$running" && wait "$running"; } 2>/dev/null || true
  net_down
  rm -rf "$scratch"
}

# execute PROCESSES FILE.json ARGUMENTS...: by that many hosts, into FILE.json.
execute() {
  local processes=$1 into=$2
  shift 2
  on_hosts "$processes" "$syncsim" execute --executor mpi --format json "$@" \
    >"$into" 2>"$scratch/log" &
  running=$!
  local code=0
  wait $running || code=$? # a trap would have to wait for a command in the foreground
  running=
  [ $code = 0 ] || grep -q " is not within " "$scratch/log" ||
    { cat "$scratch/log" >&2; exit 1; }
  [ $code = 0 ] || verdict=1
  grep "^syncsim: " "$scratch/log" >&2 || true
}

# calibrate RATE BYTES: what links between two hosts carry and cost. Of small sizes a burst, which
# takes no time, is too large a part.
calibrate() {
  local mbit=${1/gbit/000}
  echo '{"name": "pair", "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}],
    "link_types": {"cable": {"kind": "network", "bandwidth": "'"${mbit%mbit}"' Mbit/s"}},
    "links": [{"between": ["gpu0", "gpu1"], "type": "cable"}]}' >"$scratch/pair.json"
  execute 2 "$scratch/runs.json" --topology "$scratch/pair.json" --collective broadcast \
    --strategy one_shot --bytes "$2" --iterations 2 --warmup 1 --no-library
  "$syncsim" calibrate --topology "$scratch/pair.json" --from "$scratch/runs.json" \
    --fit bandwidth,latency --above-line --format json >"$scratch/calibration.json"
}

# compare TITLE RATE BYTES WITHIN CALIBRATION_BYTES SHAPE [MORE]
compare() {
  local title=$1 rate=$2 bytes=$3 within=$4 sizes=$5 shape=$6
  shift 6
  net_up 5 "$shape" "$rate" "$@"
  calibrate "$rate" "$sizes"
  /usr/bin/python3 "$network_dir/machine.py" "$scratch/calibration.json" "$rate" "$shape" "$@" \
    >"$scratch/machine.json"
  local point=(--topology "$scratch/machine.json" --rates usable --bytes "$bytes"
    --expect "within $within")
  # What takes longest also varies least.
  execute 5 "$scratch/hub.json" "${point[@]}" --strategy central_gpu,central_cpu \
    --iterations 1 --warmup 0 --no-library
  execute 4 "$scratch/spread.json" "${point[@]}" --strategy distributed,ring \
    --iterations "${iterations[0]}" --warmup 1 "${iterations[@]:1}"
  /usr/bin/python3 "$network_dir/table.py" "$title" "$scratch/hub.json" "$scratch/spread.json"
  net_down
}

# The whole table, once.
measure_all() {
  iterations=(3)
  local sizes="10 MB,15 MB,20 MB"
  compare "star at 200mbit/s" 200mbit "20 MB" "3 %" "$sizes" star
  compare "star at 1gbit/s" 1gbit "40 MB" "5 %" "20 MB,30 MB,40 MB" star
  compare "star at 200mbit/s, host 2 at 50mbit/s" 200mbit "20 MB" "3 %" "$sizes" star 2 50mbit
  compare "two switches at 200mbit/s, uplink 100mbit/s" 200mbit "20 MB" "3 %" "$sizes" tree 100mbit
}

# What others take of the cores, in percent, over half a second. Packets need little of them, but at
# once: beside a busy compiler times are a few per cent longer, and not those of the network.
busy_percent() {
  local user1 nice1 system1 idle1 user2 nice2 system2 idle2 rest
  read -r _ user1 nice1 system1 idle1 rest </proc/stat
  sleep 0.5
  read -r _ user2 nice2 system2 idle2 rest </proc/stat
  local busy=$((user2 - user1 + nice2 - nice1 + system2 - system1))
  echo $((100 * busy / (busy + idle2 - idle1 + 1)))
}

require_quiet() {
  local busy
  busy=$(busy_percent)
  [ "$busy" -lt 40 ] || skip "other work takes $busy % of the cores"
}

# A deviation has to show twice, on a machine that has nothing else to do.
measure_star() {
  require_quiet
  iterations=(2 --no-library)
  compare "star at 200mbit/s" 200mbit "6 MB" "3 %" "8 MB,10 MB" star
  [ $verdict = 1 ] || return 0
  require_quiet
  echo "network: once more"
  verdict=0
  compare "star at 200mbit/s" 200mbit "6 MB" "3 %" "8 MB,10 MB" star
}

require_what_it_takes
net_remove_left
scratch=$(mktemp -d)
trap clean_up EXIT
trap 'exit 130' INT TERM
if [ "$full" = --full ]; then measure_all; else measure_star; fi
exit $verdict
