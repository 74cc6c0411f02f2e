# shellcheck shell=bash
# Read by the scripts of the peers, not to be run: what they have in common.

set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd -P)
root=$(cd "$here/../.." && pwd -P)
java=${PEER_JAVA:-${JAVA_HOME:+$JAVA_HOME/bin/}java}
read -r -a java_options <<<"${PEER_JAVA_OPTS:--Xmx4g}"

# usage TEXT: what the script does when it was not started by the bench.
usage() {
    echo "usage: $(basename "$0") fetch|start|stop" >&2
    echo "Started by bench/bench.sh e2e --peer $(basename "$0"); bench/README.md says how. $1" >&2
    exit 2
}

# fetch NAME: puts what NAME.xml lists below bench/target/peers, once, and says in $home where.
fetch() {
    local version
    version=$(sed -n 's,^  <version>\(.*\)</version>,\1,p' "$here/$1.xml")
    home=$root/bench/target/peers/$1-$version
    if [ ! -f "$home/complete" ] || [ "$here/$1.xml" -nt "$home/complete" ]; then
        echo "Fetching $1 $version ..." >&2
        rm -rf "$home"
        (cd "$root" && ./mvnw -q -B -f "$here/$1.xml" "-Dpeer.folder=$home" package) >&2
        touch "$home/complete"
    fi
}

# run ARGUMENT...: starts Java in the background, in its own folder, and prints its id, as the bench wants it.
run() {
    nohup "$java" "${java_options[@]}" "$@" >"$WORK_DIR/peer.log" 2>&1 </dev/null &
    echo $! >"$WORK_DIR/peer.pid"
    echo $!
}

# end [FILE]: ends the process whose id is in the file, where run left it; by force if that takes longer than ten seconds.
end() {
    local file=${1:-$WORK_DIR/peer.pid} pid i
    [ -f "$file" ] || return 0
    pid=$(cat "$file")
    kill "$pid" 2>/dev/null || return 0
    for ((i = 0; i < 100; i++)); do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null || true
    while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
}

# free_port: an unused port.
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 10000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    echo "$port"
}

# only_json NAME: ends the start of a peer that supports neither canal's packets nor its rules for topics.
only_json() {
    if [ "$FORMAT" = raw ] || [ -n "$DYNAMIC_TOPIC" ]; then
        echo "$1 is measured with JSON in one topic only" >&2
        exit 3
    fi
}
