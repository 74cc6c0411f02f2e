#!/usr/bin/env bash
# Stops the server and starts it again.
#
#   restart.sh [ARGUMENTS]  with the arguments of startup.sh
#
# A server that runs is not stopped if an argument, the Java or the jars are wrong, or the configuration, which ends with 2. What an
# admin server has is read, too; instances that are wrong there keep no server from starting.

# Under "sh restart.sh" this is read by another shell, or by bash in its POSIX mode; SHELLOPTS may have set more.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set +aeCfkmP +o posix +o pipefail
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")/process.sh"
bin=$SLUICE_HOME/bin
# shellcheck source-path=SCRIPTDIR
. "$bin/archive.sh"
show_help_if_asked "$@"
read_start_arguments "$@"
if server_pid >/dev/null; then
    check_jars
    find_java
    # It reads the configuration, and asks no source.
    said=$("$bin/sluice.sh" check --start --conf "$config" 2>&1)
    if [ $? -eq 2 ]; then
        say "$said" >&2
        say "The server was not stopped, since it could not start with this configuration." >&2
        exit 2
    fi
fi
"$bin/stop.sh" || say "Starting all the same." >&2
exec "$bin/startup.sh" "$@"
