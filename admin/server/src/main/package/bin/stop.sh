#!/usr/bin/env bash
# Stops the admin server, and waits until it has ended.
#
#   stop.sh   there are no arguments but --help; words have no effect, as those that canal's restart passes on, and an option stops nothing
#
# Environment:
#   SLUICE_STOP_SECONDS   how long it may take (60) before it is killed
#   SLUICE_PID_FILE       where startup.sh wrote the process id (bin/admin.pid)
#
# Exits with 0 if the server has stopped, or did not run; 1 if it had to be killed, or could not be.

# Under "sh stop.sh" this is read by another shell, or by bash in its POSIX mode; SHELLOPTS may have set more.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set +aeCfkmP +o posix +o pipefail
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")/process.sh"
PID_FILE=${SLUICE_PID_FILE:-$SLUICE_HOME/bin/admin.pid}

show_help_if_asked "$@"
for word; do
    case $word in
        -*) fail "${0##*/} has no option $word, and stops nothing; without arguments it stops the admin server in $SLUICE_HOME" ;;
    esac
done
# A script that restarts with canal's own may pass on the words of a start.
[ $# -eq 0 ] || say "${0##*/} takes no arguments, and stops the admin server in $SLUICE_HOME. These have no effect: $*" >&2
limit=$(seconds_of SLUICE_STOP_SECONDS 60) || exit 1

# Waits until the process is gone; fails when the time is up.
await_end() {
    local end=$((SECONDS + $1))
    while is_alive "$pid" "$start"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.2
    done
}

if ! pid=$(server_pid); then
    say "The admin server does not run."
    rm -f "$PID_FILE"
    exit 0
fi

start=$(start_of "$pid")
say "Stopping the admin server, process $pid."
kill "$pid" 2>/dev/null || ! is_alive "$pid" "$start" || fail "Process $pid cannot be stopped by this user."
if await_end "$limit"; then
    rm -f "$PID_FILE"
    say "The admin server has stopped."
    exit 0
fi

say "The admin server did not stop within $limit seconds: killing process $pid. Nothing that was saved is lost." >&2
kill -9 "$pid" 2>/dev/null
await_end 10 || fail "Process $pid is still there."
rm -f "$PID_FILE"
exit 1
