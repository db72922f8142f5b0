#!/usr/bin/env bash
# A real network on one machine: hosts h0, h1, ... are network namespaces, each joined to a switch,
# a namespace with a bridge, by a pair of virtual Ethernet devices that token buckets hold to a rate
# in both directions. Sourced; names begin with $net, so that networks do not collide.
#   net_up HOSTS star RATE [SLOW_HOST SLOW_RATE]   one switch
#   net_up HOSTS tree RATE UPLINK_RATE             hosts 2 and 3 on a second switch behind an uplink
#   net_down                                       whatever is there of it
#   net_remove_left                                what killed scripts left

net=ss$$            # device names have at most 15 characters
net_subnet=10.77.0  # nobody outside sees it

# Why there can be no such network here; nothing where there can.
net_missing() {
  [ "$(id -u)" -eq 0 ] || { echo "it takes root"; return; }
  local tool
  for tool in ip tc unshare; do
    command -v $tool >/dev/null || { echo "$tool is not here (Debian: iproute2, util-linux)"; return; }
  done
  local probe=${net}p why
  why=$({ ip netns add $probe && ip -n $probe link add name left type veth peer name right &&
    ip -n $probe link add name hub type bridge &&
    ip netns exec $probe tc qdisc add dev left root tbf rate 1mbit burst 80kb limit 1mb; } 2>&1) ||
    echo "no namespaces, bridges or token buckets here: ${why##*$'\n'}"
  ip netns del $probe 2>/dev/null || true
}

# net_bucket NAMESPACE DEVICE RATE. A burst shorter than the largest packet, 68 kB, would have each
# of them cut in software; a long one would speed up short runs.
net_bucket() {
  local burst=128kb limit=2mb
  [ "$3" != 1gbit ] || burst=256kb limit=4mb
  ip netns exec "$1" tc qdisc replace dev "$2" root tbf rate "$3" burst $burst limit $limit
}

# net_bridge NAME
net_bridge() {
  ip -n ${net}sw link add name "$1" type bridge stp_state 0 mcast_snooping 0
  ip -n ${net}sw link set "$1" up
}

# net_host NUMBER BRIDGE RATE
net_host() {
  local host=${net}h$1
  ip netns add "$host"
  ip -n "$host" link set lo up
  # bbr, which some kernels begin with, keeps links that are full both ways a fifth below their rate.
  ip netns exec "$host" sysctl -qw net.ipv4.tcp_congestion_control=reno \
    net.ipv4.tcp_no_metrics_save=1
  ip -n "$host" link add name eth0 type veth peer name "p$1" netns ${net}sw
  ip -n ${net}sw link set "p$1" master "$2" up
  ip -n "$host" addr add "$net_subnet.$(($1 + 1))/24" dev eth0
  ip -n "$host" link set eth0 up
  net_bucket "$host" eth0 "$3"
  net_bucket ${net}sw "p$1" "$3"
}

net_uplink() {
  net_bridge br1
  ip -n ${net}sw link add name up0 type veth peer name up1
  ip -n ${net}sw link set up0 master br0 up
  ip -n ${net}sw link set up1 master br1 up
  net_bucket ${net}sw up0 "$1"
  net_bucket ${net}sw up1 "$1"
}

net_up() {
  local hosts=$1 shape=$2 rate=$3 host bridge own
  ip netns add ${net}sw
  ip -n ${net}sw link set lo up
  # Firewalls of bridges, where there are any, look at what only passes through.
  ip netns exec ${net}sw sysctl -qw net.bridge.bridge-nf-call-iptables=0 2>/dev/null || true
  net_bridge br0
  [ "$shape" = star ] || net_uplink "$4"
  for ((host = 0; host < hosts; host++)); do
    bridge=br0 own=$rate
    [ "$shape" = star ] || [ $host -lt 2 ] || [ $host -gt 3 ] || bridge=br1
    [ "$shape" != star ] || [ $host != "${4:-none}" ] || own=$5
    net_host $host $bridge "$own"
  done
}

# net_remove NET: its namespaces, with their devices.
net_remove() {
  local name
  for name in $(ip netns list 2>/dev/null | awk '{print $1}' | grep -E "^$1(h[0-9]+|sw|p)$"); do
    ip netns del "$name" 2>/dev/null || true
  done
}
net_down() { net_remove $net; }

net_remove_left() {
  local name
  for name in $(ip netns list 2>/dev/null | grep -oE "^ss[0-9]+(sw|p)" | grep -oE "^ss[0-9]+"); do
    [ -d "/proc/${name#ss}" ] || net_remove "$name"
  done
}
