#!/usr/bin/env bash
# Starts the server in the background, and waits until its instances read their sources, wait or have failed.
#
#   startup.sh                  with conf/canal.properties
#   startup.sh local            with conf/canal_local.properties
#   startup.sh FILE             with that file; one more word, as canal takes it, is ignored
#   startup.sh [...] debug PORT the same, with a debugger's port on this machine only
#   startup.sh [...] foreground returns when the server ends; its output is the server's, for a pipe, a
#                               container or a service manager. Ctrl-C stops it.
#
# Environment:
#   JAVA, JAVA_HOME        the java to use; else the one on the PATH
#   JAVA_OPTS              more options for it, which win over ours (-Xms128m -Xmx1g)
#   SLUICE_START_SECONDS   how long to wait (60)
#   SLUICE_PID_FILE        where the process id is written (bin/canal.pid), for a package that cannot be written to;
#                          stop.sh needs the same
#   SLUICE_UMASK           the umask of the server and of what it writes (027): nothing is for other users
#   SLUICE_LOG_FORMAT      text, or json: each line of the logs is a JSON object then (text)
#   SLUICE_LOG_CONSOLE     on: with foreground, the log is written to the error stream, too; off: only to logs/
#                          (on with json, else off)
#   SLUICE_CLASS_ARCHIVE   how many seconds after a first start the archive of classes is made, by which later starts are
#                          quicker (60); off: there is none
#
# Exits with 0 if the server runs; 1 if it could not be started, has ended since all its instances have failed,
# or runs already; 2 if its configuration is wrong; 3 if it is still starting when the time has passed.

# Under "sh startup.sh" this is read by another shell, or by bash in its POSIX mode; SHELLOPTS may have set more.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set +aeCfkmP +o posix +o pipefail
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")/process.sh"
# shellcheck source-path=SCRIPTDIR
. "$SLUICE_HOME/bin/archive.sh"

show_help_if_asked "$@"
read_start_arguments "$@"
[ -z "$ignored" ] || say "Without effect, since the configuration is read from $config: $ignored" >&2
limit=$(seconds_of SLUICE_START_SECONDS 60) || exit 1
[ "${SLUICE_CLASS_ARCHIVE:-}" = off ] || archive_after=$(seconds_of SLUICE_CLASS_ARCHIVE 60) || exit 1

case ${SLUICE_LOG_FORMAT:-text} in
    text | json) ;;
    *) fail "SLUICE_LOG_FORMAT is neither text nor json: $SLUICE_LOG_FORMAT" ;;
esac
console=
case ${SLUICE_LOG_CONSOLE:-}:${SLUICE_LOG_FORMAT:-}:$foreground in
    on:*:1 | :json:1) console=ALL ;;
    on:*: | off:* | :*) ;;
    *) fail "SLUICE_LOG_CONSOLE is neither on nor off: $SLUICE_LOG_CONSOLE" ;;
esac

fail_if_running() {
    if pid=$(server_pid); then
        fail "The server runs already, as process $pid. Stop it with $SLUICE_HOME/bin/stop.sh"
    fi
}

# From the check whether the server runs until its process can be found, no other startup.sh may do the same.
# The system releases the lock of flock when this script ends, however that happens; without flock there is a link that names it.
start_lock=$PID_FILE.lock start_link=$PID_FILE.starting locked=
lock_start() {
    local end=$((SECONDS + 10)) holder
    while :; do
        if command -v flock >/dev/null; then
            { exec 9>>"$start_lock"; } 2>/dev/null || return 0 # the pid file cannot be written either
            if flock -n 9; then
                locked=flock
                return 0
            fi
            exec 9>&-
        elif ln -s "$$" "$start_link" 2>/dev/null; then
            locked=link
            trap unlock_start EXIT
            return 0
        elif holder=$(readlink "$start_link") && ! kill -0 "$holder" 2>/dev/null; then
            rm -f "$start_link" # its startup.sh was killed
            continue
        elif [ ! -w "$(dirname "$start_link")" ]; then
            return 0 # the pid file cannot be written either
        fi
        fail_if_running
        [ "$SECONDS" -lt "$end" ] || fail "Another startup.sh is starting the server. Try again when it has ended."
        sleep 0.1
    done
}

unlock_start() {
    case $locked in
        flock) exec 9>&- ;;
        link) rm -f "$start_link" ;;
    esac
    locked=
}

fail_if_running
check_jars
set_charset
find_java
lock_start
fail_if_running
if [ -e "$PID_FILE" ]; then
    left=$(cat "$PID_FILE" 2>/dev/null)
    case $left in
        '' | *[!0-9]*) say "The pid file $PID_FILE names no process: starting." ;;
        *)
            if [ -d "/proc/$left" ]; then
                say "The pid file is a left-over: process $left is not this server. Starting."
            else
                say "The pid file is a left-over of process $left, which has ended: starting."
            fi
            ;;
    esac
fi

set_umask
logs=$SLUICE_HOME/logs/canal
started=$logs/started
heap_dumps=$SLUICE_HOME/logs/heap
mkdir -p "$logs" "$heap_dumps" 2>/dev/null || fail "Cannot make the directories $logs and $heap_dumps: this user must be able to write there"
case $(umask) in
    # The package and older versions leave it readable for all.
    *7) chmod o= "$SLUICE_HOME/logs" "$heap_dumps" 2>/dev/null ;;
esac
# A server that runs out of memory again and again must not fill the disk that has the cursors.
# shellcheck disable=SC2012
ls -td -- "$heap_dumps"/java_pid*.hprof 2>/dev/null | tail -n +3 | while IFS= read -r dump; do
    rm -f -- "$dump"
done
rm -f "$started" || fail "Cannot write to the directory $logs"
stdout=$logs/canal_stdout.log
: >>"$stdout" || fail "Cannot write $stdout"
before=$(wc -c <"$stdout")

# Prints the young generation of a heap below 480 MiB, in MiB; fails for any other.
young_generation() {
    local option limit=1g
    for option in ${user_options[@]+"${user_options[@]}"}; do
        case $option in
            -Xmx*) limit=${option#-Xmx} ;;
            -XX:MaxHeapSize=* | -XX:MaxRAMPercentage=*) limit=${option#*=} ;;
        esac
    done
    [[ $limit =~ ^([1-9][0-9]{0,2})[mM]$ ]] && [ "${BASH_REMATCH[1]}" -lt 480 ] || return 1
    limit=$((BASH_REMATCH[1] * 5 / 12))
    echo $((limit < 160 ? limit : 160))
}

# JAVA_OPTS is a list of words.
set -f
# shellcheck disable=SC2206
user_options=(${JAVA_OPTS:-})
set +f
options=(-server)
case ${JAVA_OPTS:-} in
    *-Xms* | *-XX:InitialHeapSize=* | *-XX:InitialRAMPercentage=*) ;;
    *-Xmx* | *-XX:MaxRAMPercentage=* | *-XX:MaxHeapSize=*) options+=(-Xms64m) ;;
    *) options+=(-Xms128m) ;;
esac
case ${JAVA_OPTS:-} in
    *-Xmx* | *-XX:MaxRAMPercentage=* | *-XX:MaxHeapSize=*) ;;
    *) options+=(-Xmx1g) ;;
esac
# Almost all objects die young: the collector with the cheapest barriers fits best. Those of the ring live until the broker has
# acknowledged them: if the young generation were a third of a small heap, the default, many would be promoted before.
case ${JAVA_OPTS:-} in
    *-Xmn* | *-XX:MaxNewSize=* | *-XX:NewRatio=* | *-XX:+Use*GC*) ;;
    *) young=$(young_generation) && options+=("-XX:MaxNewSize=${young}m") ;;
esac
case ${JAVA_OPTS:-} in
    *-XX:+Use*GC*) ;;
    *) options+=(-XX:+UseParallelGC) ;;
esac
# Hot methods run millions of times; compiling the others with C2 does not pay off.
options+=(-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=10000 -XX:Tier4CompileThreshold=100000)
# While C2 has a backlog, C1 compiles without profiling, which is faster code.
options+=(-XX:Tier3DelayOn=0 "-XX:CompileCommandFile=$SLUICE_HOME/bin/inlining.txt")
options+=(
    -XX:-OmitStackTraceInFastThrow
    -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=../logs/heap -XX:+ExitOnOutOfMemoryError
    '-Xlog:gc*:file=../logs/canal/gc.log:time,level,tags:filecount=5,filesize=32m'
    # Kafka's batches are written through a buffer that is cached; that of a huge message is not.
    -Djdk.nio.maxCachedBufferSize=2097152
    -Djava.awt.headless=true -Djava.net.preferIPv4Stack=false -Dfile.encoding=UTF-8
)
if [ -f "$SLUICE_HOME/conf/jaas.conf" ]; then
    options+=("-Djava.security.auth.login.config=$SLUICE_HOME/conf/jaas.conf")
fi

find_class_path
find_archive
set_archive_options

# Memory that the compilers and the network have used goes back to the system.
export MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2} MALLOC_TRIM_THRESHOLD_=${MALLOC_TRIM_THRESHOLD_:-131072}

# Relative paths, in the configuration too, start here.
cd "$SLUICE_HOME/bin" || exit 1
command=(
    "${options[@]}" ${debug[@]+"${debug[@]}"} ${user_options[@]+"${user_options[@]}"}
    -DappName=otter-canal "$MARK" "-Dsluice.started.file=$started"
    ${console:+"-Dsluice.log.console=$console"} "-Dlogback.configurationFile=$SLUICE_HOME/conf/logback.xml" "-Dcanal.conf=$config"
    -cp "$class_path" io.sluice.deployer.Launcher
)
if [ -n "$foreground" ]; then
    echo "$$" >"$PID_FILE" || fail "Cannot write $PID_FILE"
    unlock_start # from here on, this process is found by its pid
    [ -z "$noting" ] || make_archive_later "$$" "$archive_after"
    exec "$java" "-Dsluice.pid.file=$PID_FILE" ${archive_options[@]+"${archive_options[@]}"} "${command[@]}" </dev/null
fi

# Sets pid.
start_java() {
    nohup "$java" ${archive_options[@]+"${archive_options[@]}"} "${command[@]}" </dev/null >>"$stdout" 2>&1 9>&- &
    pid=$!
    if ! echo "$pid" >"$PID_FILE"; then
        kill "$pid"
        fail "Cannot write $PID_FILE"
    fi
}

start_java
end=$((SECONDS + limit))
# A JAVA that passes other arguments on never has the mark.
until is_server "$pid" || ! kill -0 "$pid" 2>/dev/null || [ "$SECONDS" -ge "$end" ]; do
    sleep 0.05
done
unlock_start
while [ ! -s "$started" ]; do # an empty one is made by a stop that is not in good order
    if ! kill -0 "$pid" 2>/dev/null; then
        wait "$pid"
        code=$?
        case $code in
            132 | 134 | 135 | 139)
                # Java itself has crashed: the archive may be damaged.
                if [ -s "$archive" ] && rm -f "$archive"; then
                    set_archive_options
                    start_java
                    continue
                fi
                ;;
        esac
        rm -f "$PID_FILE"
        case $code in
            130 | 143) fail "The server was stopped while it was starting." ;;
        esac
        said=$(tail -c +$((before + 1)) "$stdout" | head -n 60)
        if [ -n "$said" ]; then
            say "The server did not start (exit code $code). It said:" >&2
            say "$said" >&2
        else
            say "The server did not start (exit code $code), and said nothing." >&2
        fi
        say "More may be in $logs/canal.log" >&2
        [ "$code" -ne 0 ] || code=1
        exit "$code"
    fi
    if [ "$SECONDS" -ge "$end" ]; then
        say "The server is still starting after $limit seconds, as process $pid; see $logs/canal.log" >&2
        exit 3
    fi
    sleep 0.2
done
[ -z "$noting" ] || make_archive_later "$pid" "$archive_after"
# The second line is the server's version.
version=$(sed -n 2p "$started" 2>/dev/null)
say "The server runs, as process $pid${version:+ (version $version)}. It logs to $logs/canal.log"
# What does not work all the same.
sed '1,2d' "$started" >&2 2>/dev/null
exit 0
