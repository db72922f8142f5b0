#!/bin/sh
# How mpirun starts its daemon on a "remote" host, in place of ssh: enters the host's namespaces.
#   agent.sh [OPTIONS] HOST COMMAND...
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec ip netns exec "$host" unshare -u /bin/sh -c "hostname $host; exec /bin/sh -c \"\$0\"" "$*"
