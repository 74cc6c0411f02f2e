#!/usr/bin/env bash
# Stops the server, and waits until it has ended.
#
#   stop.sh   there are no arguments but --help; words have no effect, as those that canal's restart passes on, and an option stops nothing
#
# Environment:
#   SLUICE_STOP_SECONDS   how long it may take (60) before it is killed
#   SLUICE_PID_FILE       where startup.sh wrote the process id (bin/canal.pid)
#
# Exits with 0 if the server has stopped, or did not run; 1 if it had to be killed, or could not be; 3 if it has stopped, but not in
# good order, as when it could not write what it has delivered.

# Under "sh stop.sh" this is read by another shell, or by bash in its POSIX mode; SHELLOPTS may have set more.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set +aeCfkmP +o posix +o pipefail
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")/process.sh"

show_help_if_asked "$@"
for word; do
    case $word in
        -*) fail "${0##*/} has no option $word, and stops nothing; without arguments it stops the server in $SLUICE_HOME" ;;
    esac
done
# A script that restarts with canal's own may pass on the words of a start.
[ $# -eq 0 ] || say "${0##*/} takes no arguments, and stops the server in $SLUICE_HOME. These have no effect: $*" >&2
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

# The server removes the first when it has ended in good order, makes it otherwise, and writes to the second what has not.
started=$SLUICE_HOME/logs/canal/started stdout=$SLUICE_HOME/logs/canal/canal_stdout.log
before=$(wc -c 2>/dev/null <"$stdout") || before=
is_marked=
[ ! -e "$started" ] || is_marked=1

# Prints what the server has written to its output since.
said() {
    [ -z "$before" ] || tail -c "+$((before + 1))" "$stdout" 2>/dev/null
}

# Whether the server could have made the file, or was started by something else than startup.sh, which makes the directory.
can_mark() {
    [ ! -d "${started%/*}" ] || { (: >"$started.try") 2>/dev/null && rm -f "$started.try"; }
}

say "Stopping the server, $processes."
signal TERM
if await_end "$limit"; then
    rm -f "$PID_FILE"
    if [ -e "$started" ] || { [ -z "$is_marked" ] && said | grep -E 'not in good order|the server did not stop' >/dev/null; }; then
        say "The server has stopped, but not in good order. What it could not record as delivered is delivered again after the next start." >&2
        said | head -n 60 >&2
        say "More may be in $SLUICE_HOME/logs/canal/canal.log" >&2
        exit 3
    fi
    if [ -z "$is_marked" ] && ! can_mark; then
        say "The server has stopped, but no file can be made in $SLUICE_HOME/logs/canal, so that it cannot be told whether all has ended in good order." >&2
        say "What it could not record as delivered is delivered again after the next start. Free space on the disk, or correct the rights." >&2
        exit 3
    fi
    say "The server has stopped."
    exit 0
fi

say "The server did not stop within $limit seconds: killing $processes." >&2
say "After the next start, what was not yet recorded as delivered is delivered again; nothing is lost." >&2
signal KILL
await_end 10 || fail "The server is still there, $processes."
rm -f "$PID_FILE"
exit 1
