#!/usr/bin/env bash
# Runs the micro benches, with settings short enough to wait for.
#
#   micro.sh                    all of them
#   micro.sh DecodeBench.flat   those whose names match the regular expression
#   micro.sh PATTERN OPTION...  the same with options of JMH, such as -p workload=MIXED, -prof gc, -h
#
# They come from this worktree; compare two states of the code in two worktrees, one right after the other.

set -eu
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source-path=SCRIPTDIR
. "$here/build.sh"

build_if_needed "$here/target/class-path"
pattern=${1:-.*}
[ $# -eq 0 ] || shift
exec "$java" -cp "$class_path" org.openjdk.jmh.Main "$pattern" -wi 3 -w 2 -i 5 -r 2 -prof io.sluice.bench.micro.CpuProfiler \
    -jvmArgsPrepend "-Dsluice.bench.folder=$here/target -Dsluice.servers=$root/testkit/target/servers" "$@"
