#!/usr/bin/env bash
# Stops the server and starts it again, with the arguments of startup.sh.
#
# A server that runs is not stopped if an argument, the Java or the jars are wrong, or the configuration, which ends with 2. That of an
# admin server is not checked: a server starts without the instances that are wrong there.

set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")/process.sh"
bin=$SLUICE_HOME/bin
# shellcheck source-path=SCRIPTDIR
. "$bin/archive.sh"
read_start_arguments "$@"
is_managed() {
    grep -Eqs '^[[:space:]]*canal\.admin\.manager[[:space:]]*[=:]?[[:space:]]*[^[:space:]=:]' "$config"
}
if server_pid >/dev/null; then
    check_jars
    find_java
fi
if server_pid >/dev/null && ! is_managed; then
    # It reads the configuration, and asks no source.
    said=$("$bin/sluice.sh" check --effective --conf "$config" 2>&1)
    if [ $? -eq 2 ]; then
        say "$said" >&2
        say "The server was not stopped, since it could not start with this configuration." >&2
        exit 2
    fi
fi
"$bin/stop.sh" || say "Starting all the same." >&2
exec "$bin/startup.sh" "$@"
