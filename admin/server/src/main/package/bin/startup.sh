#!/usr/bin/env bash
# Starts the admin server in the background, and waits until it runs or has failed.
#
#   startup.sh                   with conf/application.yml
#   startup.sh --NAME=VALUE ...  with settings that win over that file
#   startup.sh [...] debug PORT  the same, with a debugger's port on this machine only
#   startup.sh [...] foreground  returns when the server ends; it logs to the error stream, too, for a container or a
#                                service manager. Ctrl-C stops it.
#
# Environment:
#   JAVA, JAVA_HOME        the java to use; else the one on the PATH
#   JAVA_OPTS              more options for it, which win over ours (-Xmx512m)
#   SLUICE_START_SECONDS   how long to wait (60)
#   SLUICE_PID_FILE        where the process id is written (bin/admin.pid); stop.sh needs the same
#   SLUICE_UMASK           the umask of the server and of what it writes (027): nothing is for other users
#   SLUICE_LOG_CONSOLE     off: with foreground, the log is written to logs/ only
#
# Exits with 0 if the server runs; 1 if it could not be started, or runs already; 2 if its configuration is
# wrong; 3 if it is still starting when the time has passed.

# Under "sh startup.sh" this is read by another shell, or by bash in its POSIX mode; SHELLOPTS may have set more.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set +aeCfkmP +o posix +o pipefail
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")/process.sh"
PID_FILE=${SLUICE_PID_FILE:-$SLUICE_HOME/bin/admin.pid}

# shellcheck source-path=SCRIPTDIR
. "$SLUICE_HOME/bin/arguments.sh"
show_help_if_asked "$@"
read_start_arguments "$@"
limit=$(seconds_of SLUICE_START_SECONDS 60) || exit 1

if pid=$(server_pid); then
    fail "The admin server runs already, as process $pid. Stop it with $SLUICE_HOME/bin/stop.sh"
fi
set_charset
find_java

set_umask
logs=$SLUICE_HOME/logs
started=$logs/started
mkdir -p "$logs" "$SLUICE_HOME/data" || fail "Cannot make the directory $logs or $SLUICE_HOME/data"
case $(umask) in
    *7) chmod o= "$logs" "$SLUICE_HOME/data" 2>/dev/null ;;
esac
rm -f "$started" || fail "Cannot write to the directory $logs"
stdout=$logs/admin_stdout.log
: >>"$stdout" || fail "Cannot write $stdout"
before=$(wc -c <"$stdout")

# JAVA_OPTS is a list of words.
set -f
# shellcheck disable=SC2206
user_options=(${JAVA_OPTS:-})
set +f
options=(-XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -Djava.awt.headless=true -Dfile.encoding=UTF-8)
case ${JAVA_OPTS:-} in
    *-Xmx* | *-XX:MaxRAMPercentage=* | *-XX:MaxHeapSize=*) ;;
    *) options+=(-Xmx512m) ;;
esac
case ${JAVA_OPTS:-} in
    *-XX:+Use*GC*) options=("${options[@]:1}") ;;
esac
if [ -n "$foreground" ]; then
    [ "${SLUICE_LOG_CONSOLE:-on}" = off ] || options+=(-Dsluice.log.console=ALL)
    # The initial password is shown to a person, and to nothing that could keep it.
    if [ -t 0 ] && [ -t 1 ]; then
        options+=(-Dsluice.admin.terminal=true)
    fi
fi

# Relative paths, in the configuration too, start here.
cd "$SLUICE_HOME/bin" || exit 1
# So are ours: in an absolute path, Spring and Java would take some characters for separators.
command=(
    "$java" "${options[@]}" ${debug[@]+"${debug[@]}"} ${user_options[@]+"${user_options[@]}"}
    "$MARK" "-Dsluice.started.file=$started" -Dlogging.config=file:../conf/logback.xml
    -cp "../lib/*" io.sluice.admin.AdminApplication
    --spring.config.additional-location=optional:file:../conf/ ${settings[@]+"${settings[@]}"}
)
if [ -n "$foreground" ]; then
    echo "$$" >"$PID_FILE" || fail "Cannot write $PID_FILE"
    # A terminal is what the initial password is shown on; nothing is read from it.
    exec "${command[@]}"
fi

nohup "${command[@]}" </dev/null >>"$stdout" 2>&1 &
pid=$!
if ! echo "$pid" >"$PID_FILE"; then
    kill "$pid"
    fail "Cannot write $PID_FILE"
fi
end=$((SECONDS + limit))
while [ ! -e "$started" ]; do
    if ! kill -0 "$pid" 2>/dev/null; then
        wait "$pid"
        code=$?
        rm -f "$PID_FILE"
        say "The admin server did not start (exit code $code). It said:" >&2
        tail -c +$((before + 1)) "$stdout" | head -n 60 >&2
        say "More may be in $logs/admin.log" >&2
        [ "$code" -ne 0 ] || code=1
        exit "$code"
    fi
    if [ "$SECONDS" -ge "$end" ]; then
        say "The admin server is still starting after $limit seconds, as process $pid; see $logs/admin.log" >&2
        exit 3
    fi
    sleep 0.2
done
# The lines are the address and the version.
url=$(sed -n 1p "$started" 2>/dev/null)
version=$(sed -n 2p "$started" 2>/dev/null)
say "The admin server runs, as process $pid${version:+ (version $version)}: $url. It logs to $logs/admin.log"
initial=$SLUICE_HOME/data/initial-password
if [ -s "$initial" ]; then
    say "The initial password, which has to be changed at the first login, is in $initial."
    [ ! -t 1 ] || cat "$initial"
fi
