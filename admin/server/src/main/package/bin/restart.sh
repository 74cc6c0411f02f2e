#!/usr/bin/env bash
# Stops the server and starts it again, with the arguments of startup.sh.

# Under "sh restart.sh" this is read by another shell, or by bash in its POSIX mode; SHELLOPTS may have set more.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set +aeCfkmP +o posix +o pipefail
set -u
bin=$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")
"$bin/stop.sh" || echo "Starting all the same." >&2
exec "$bin/startup.sh" "$@"
