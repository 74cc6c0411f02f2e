#!/usr/bin/env bash
# Runs a bench: bench.sh e2e | latency | stage | micro; README.md describes them, and --help lists the options of each.
#
# Builds what is older than its sources first: the benches, and the server package if no --package is given.

set -u
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
root=$(cd "$here/.." && pwd -P)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$here/target/work

own_package() {
    local file
    for file in "$root"/deployer/target/sluice.deployer-*.tar.gz; do
        [ ! -f "$file" ] || echo "$file"
    done
}

# build_if_needed MODULE FILE: builds the module if FILE, which its build creates, is older than a source.
build_if_needed() {
    if [ ! -f "$2" ] || [ -n "$(find "$root" -path '*/target' -prune -o \
        \( -path '*/src/main/*' -o -name pom.xml \) -type f -newer "$2" -print -quit)" ]; then
        echo "Building $1 without tests ..." >&2
        (cd "$root" && ./mvnw -q -Dquick -DskipTests -pl "$1" -am package) || exit 1
        touch "$2"
    fi
}

# Stops servers and removes their folders, however the bench has ended; recorded binlogs are kept.
bench=
clean_up() {
    local script
    [ -z "$bench" ] || wait "$bench" 2>/dev/null
    for script in "$work"/*/server/bin/stop.sh; do
        [ -x "$script" ] && SLUICE_STOP_SECONDS=5 "$script" >/dev/null 2>&1
    done
    rm -rf "$work"
}

build_if_needed bench "$here/target/class-path"
case ${1:-} in
    e2e | latency)
        case " $* " in
            *' --package'* | *' --peers-only '* | *' --help '* | *' -h '*) ;;
            *) build_if_needed deployer "$(own_package)" ;;
        esac
        ;;
esac

trap clean_up EXIT
trap '[ -z "$bench" ] || kill "$bench" 2>/dev/null; exit 130' INT TERM HUP
mkdir -p "$work"
"$java" -Xmx768m -XX:+UseSerialGC -Dsluice.servers="$root/testkit/target/servers" -Dsluice.bench.folder="$here/target" \
    -Dsluice.package="$(own_package)" -Dsluice.scripts="$root/deployer/src/main/package/bin" \
    -cp "$here/target/classes:$(cat "$here/target/class-path")" io.sluice.bench.Bench "$@" &
bench=$!
wait "$bench"
status=$?
bench=
exit "$status"
