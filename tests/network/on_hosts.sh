#!/usr/bin/env bash
# on_hosts COUNT COMMAND...: a process on each of the network's first hosts, by Open MPI. mpirun
# itself runs on h0. It takes the place of the shell that calls it, which is to be one in the
# background; the processes go before all else on the machine (nice), as those of a host of its own
# would. Sourced, after net.sh; $network_dir is where these files lie.

on_hosts() {
  local count=$1 host hosts=""
  shift
  for ((host = 0; host < count; host++)); do hosts+=${hosts:+,}${net}h$host; done
  # timeout: whatever hangs ends here, and mpirun takes the processes along.
  exec timeout --foreground --kill-after=5 "${on_hosts_limit:-300}" \
    ip netns exec ${net}h0 unshare -u /bin/sh -c 'hostname "$0"; exec "$@"' ${net}h0 \
    nice -n -15 mpirun --allow-run-as-root --host "$hosts" -n "$count" --bind-to none \
    --mca plm rsh --mca plm_rsh_agent "$network_dir/agent.sh" \
    --mca oob_tcp_if_include $net_subnet.0/24 --mca btl tcp,self \
    --mca btl_tcp_if_include $net_subnet.0/24 --mca mpi_yield_when_idle 1 \
    --mca btl_tcp_eager_limit 67108864 --mca btl_tcp_rndv_eager_limit 67108864 "$@"
}
