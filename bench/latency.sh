#!/usr/bin/env bash
# Measures how long after its commit a change can be read from Kafka; README.md says what and how. latency.sh --help lists the
# options.

set -u
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source-path=SCRIPTDIR
. "$here/build.sh"

arguments=()
for argument in "$@"; do
    case $argument in
        --build) force_build=yes ;;
        *) arguments+=("$argument") ;;
    esac
done

package=$(echo "$root"/deployer/target/sluice.deployer-*.tar.gz)
build_if_needed "$package"
package=$(echo "$root"/deployer/target/sluice.deployer-*.tar.gz)

work=$here/target/work
bench=

# Whatever ended the bench: no bridge of ours lives on, and nothing is left but the recorded binlogs.
clean_up() {
    local script
    [ -z "$bench" ] || wait "$bench" 2>/dev/null
    for script in "$work"/*/server/bin/stop.sh; do
        [ -x "$script" ] && SLUICE_STOP_SECONDS=5 "$script" >/dev/null 2>&1
    done
    rm -rf "$work"
}
trap clean_up EXIT
trap '[ -z "$bench" ] || kill "$bench" 2>/dev/null; exit 130' INT TERM HUP

mkdir -p "$work"
"$java" -Xmx768m -XX:+UseSerialGC -Dsluice.servers="$root/testkit/target/servers" -Dsluice.bench.folder="$here/target" \
    -Dsluice.package="$package" -cp "$class_path" \
    io.sluice.bench.latency.LatencyBench ${arguments[@]+"${arguments[@]}"} &
bench=$!
wait "$bench"
status=$?
bench=
exit "$status"
