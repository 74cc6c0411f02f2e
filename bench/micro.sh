#!/usr/bin/env bash
# Runs the micro benches, with settings short enough to wait for.
#
#   micro.sh                    all of them
#   micro.sh DecodeBench.flat   those whose names match the regular expression
#   micro.sh PATTERN OPTION...  the same with options of JMH, such as -p workload=MIXED, -prof gc, -h
#   micro.sh --table            what each stage costs for a row, as a table; options behind are the JVM's
#
# They come from this worktree; compare two states of the code in two worktrees, one right after the other.

set -eu
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source-path=SCRIPTDIR
. "$here/build.sh"

build_if_needed "$here/target/class-path"
if [ "${1:-}" = --table ]; then
    shift
    exec "$java" "-Dsluice.bench.folder=$here/target" "-Dsluice.servers=$root/testkit/target/servers" \
        -cp "$class_path" io.sluice.bench.micro.StageTable "$@"
fi
pattern=${1:-.*}
[ $# -eq 0 ] || shift

# JMH takes no option twice, so ours are only those that were not given.
options=()
default() {
    local given
    for given in "${@:3}"; do
        [ "$given" != "$1" ] || return 0
    done
    options+=("$1" "$2")
}
default -wi 3 "$@"
default -w 2 "$@"
default -i 5 "$@"
default -r 2 "$@"
default -prof io.sluice.bench.micro.CpuProfiler "$@"

exec "$java" -cp "$class_path" org.openjdk.jmh.Main "$pattern" ${options[@]+"${options[@]}"} \
    -jvmArgsPrepend "-Dsluice.bench.folder=$here/target -Dsluice.servers=$root/testkit/target/servers" "$@"
