#!/usr/bin/env bash
# Stops the server and starts it again, with the arguments of startup.sh.

set -u
bin=$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")
"$bin/stop.sh" || echo "Starting all the same." >&2
exec "$bin/startup.sh" "$@"
