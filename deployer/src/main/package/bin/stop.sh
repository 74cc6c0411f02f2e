#!/usr/bin/env bash
# Stops the server, and waits until it has ended.
#
# Environment:
#   SLUICE_STOP_SECONDS   how long it may take (60) before it is killed
#   SLUICE_PID_FILE       where startup.sh wrote the process id (bin/canal.pid)
#
# Exits with 0 if the server has stopped, or did not run; 1 if it had to be killed, or could not be.

set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")/process.sh"

limit=$(seconds_of SLUICE_STOP_SECONDS 60) || exit 1

# Waits until the processes are gone; fails when the time is up. A server that stops may have removed its pid file already.
await_end() {
    local end=$((SECONDS + $1)) i
    for i in "${!pids[@]}"; do
        while is_alive "${pids[i]}" "${starts[i]}"; do
            [ "$SECONDS" -lt "$end" ] || return 1
            sleep 0.2
        done
    done
}

# Sends a signal to the processes that are still there.
signal() {
    local i
    for i in "${!pids[@]}"; do
        ! is_alive "${pids[i]}" "${starts[i]}" || kill "-$1" "${pids[i]}" 2>/dev/null ||
            ! is_alive "${pids[i]}" "${starts[i]}" || fail "Process ${pids[i]} cannot be stopped by this user."
    done
}

if ! found=$(server_pids); then
    if [ -e "$PID_FILE" ]; then
        say "The server does not run; removing the pid file that it left."
        rm -f "$PID_FILE"
    else
        say "The server does not run."
    fi
    exit 0
fi
# shellcheck disable=SC2206
pids=($found) starts=()
for pid in "${pids[@]}"; do
    starts+=("$(start_of "$pid")")
done
case ${#pids[@]} in
    1) processes="process ${pids[*]}" ;;
    *) processes="processes ${pids[*]}" ;;
esac

say "Stopping the server, $processes."
signal TERM
if await_end "$limit"; then
    rm -f "$PID_FILE"
    say "The server has stopped."
    exit 0
fi

say "The server did not stop within $limit seconds: killing $processes." >&2
say "After the next start, what was not yet recorded as delivered is delivered again; nothing is lost." >&2
signal KILL
await_end 10 || fail "The server is still there, $processes."
rm -f "$PID_FILE"
exit 1
