#!/usr/bin/env bash
# Shows Sluice at work: builds it, starts a real MySQL and a real Kafka with the packaged server between
# them, makes some changes in MySQL, prints what arrives in Kafka, and shows it in the pages of the admin
# server. Needs a JDK, 17 or newer, and Node, 20.19 or newer; leaves nothing behind but what a build makes.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1

usage() {
    cat <<'TEXT'
usage: ./demo.sh [--raw | --json] [--once] [--mysql HOST:PORT [--user NAME]]

  --raw               send protobuf packets, and show their entries
  --json              show the flat messages as they are
  --once              end when the first changes have arrived
  --mysql HOST:PORT   read your own server, in a schema sluice_demo that is dropped again; its binlog must
                      be on, and the user must be allowed to replicate. The password is asked for, or taken
                      from MYSQL_PWD
  --user NAME         who to log in as there (root)
  --help              show this

Colours are for terminals, and off with NO_COLOR=1.
TEXT
}

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
        --raw) export DEMO_FORM=RAW ;;
        --json) export DEMO_FORM=JSON ;;
        --once) export DEMO_ONCE=1 ;;
        --mysql)
            [ -n "${2:-}" ] || fail "--mysql needs HOST:PORT"
            export DEMO_MYSQL=$2
            shift
            ;;
        --user)
            [ -n "${2:-}" ] || fail "--user needs a name"
            export DEMO_USER=$2
            shift
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        *)
            usage >&2
            exit 1
            ;;
    esac
    shift
done
[ -z "${DEMO_USER:-}" ] || [ -n "${DEMO_MYSQL:-}" ] || fail "--user goes with --mysql"
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    export DEMO_COLOUR=1
fi

# ---- a JDK

java=java
[ -z "${JAVA_HOME:-}" ] || java=$JAVA_HOME/bin/java
said=$("$java" -version 2>&1) || fail "A JDK, 17 or newer, is needed: there is no $java. Set JAVA_HOME."
version=$(printf '%s\n' "$said" | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1)
[ "${version:-0}" -ge 17 ] || fail "A JDK, 17 or newer, is needed, but $java is Java ${version:-of an unknown version}. Set JAVA_HOME."

# ---- Node, for the pages

node=$(node --version 2>/dev/null) || fail "Node, 20.19 or newer, is needed to build the pages of the admin server: there is no node on the PATH."
node=${node#v}
minor=${node#*.}
[ "$((${node%%.*} * 100 + ${minor%%.*}))" -ge 2019 ] || fail "Node, 20.19 or newer, is needed, but node is version $node."

if [ -n "${DEMO_MYSQL:-}" ] && [ -z "${MYSQL_PWD+set}" ]; then
    [ -t 0 ] || fail "Give the password of ${DEMO_USER:-root} in MYSQL_PWD."
    read -r -s -p "Password of ${DEMO_USER:-root} at $DEMO_MYSQL: " MYSQL_PWD
    echo
    export MYSQL_PWD
fi

# ---- the end, whatever leads to it

work=
child=
clean_up() {
    trap '' INT TERM
    local part
    for part in admin server; do
        if [ -n "$work" ] && [ -x "$work/$part/bin/stop.sh" ]; then
            SLUICE_STOP_SECONDS=15 "$work/$part/bin/stop.sh" >/dev/null 2>&1
        fi
    done
    if [ -n "$child" ] && kill -0 "$child" 2>/dev/null; then
        kill "$child" 2>/dev/null
        wait "$child" 2>/dev/null
    fi
    [ -z "$work" ] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# ---- the build

build_log=target/demo-build.log
mkdir -p target || exit 1
begin=$SECONDS

# Shows what is being done, for how long, on one line of a terminal.
show_progress() {
    local turns='|/-\' turn=0 module
    while kill -0 "$child" 2>/dev/null; do
        module=$(sed -n 's/^\[INFO\] Building \([^[]*[^[ ]\) .*\[\([0-9/]*\)\]$/\2 \1/p' "$build_log" | tail -n 1)
        if tail -n 1 "$build_log" | grep -q '^Download\|^Progress'; then
            module="$module, downloading"
        fi
        printf '\r\033[K%s Building, %d s: %s' "${turns:turn:1}" $((SECONDS - begin)) "${module:-Maven}"
        turn=$(((turn + 1) % 4))
        sleep 0.2
    done
    printf '\r\033[K'
}

[ -t 1 ] || echo "Building; Maven's words go to $build_log"
./mvnw -B -Dquick -DskipTests -DskipPulsar -Dstyle.color=never -pl deployer,admin/server -am package </dev/null >"$build_log" 2>&1 &
child=$!
[ ! -t 1 ] || show_progress
if ! wait "$child"; then
    child=
    grep -m 20 '^\[ERROR\]' "$build_log" >&2 || tail -n 20 "$build_log" >&2
    fail "The build has failed; see $build_log"
fi
child=
echo "Built in $((SECONDS - begin)) s."

# ---- the demo

work=$(mktemp -d "${TMPDIR:-/tmp}/sluice.XXXXXX") || exit 1
mkdir "$work/server" "$work/admin" || exit 1
archive=$(ls deployer/target/sluice.deployer-*.tar.gz)
admin=$(ls admin/server/target/sluice.admin-*.tar.gz)
"$java" -Xmx256m -XX:TieredStopAtLevel=1 -Djava.io.tmpdir="$work" -Dsluice.servers="$PWD/testkit/target/servers" \
    -cp "deployer/target/test-classes:$(cat deployer/target/demo.classpath)" \
    io.sluice.deployer.demo.Demo "$work/server" "$PWD/$archive" "$work/admin" "$PWD/$admin" </dev/null &
child=$!
wait "$child"
code=$?
child=
exit "$code"
