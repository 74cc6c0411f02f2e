#!/usr/bin/env bash
# Measures how fast one client gets the changes that it pulls over TCP; README.md says what and how.
#
#   pull.sh [--runs N] [--batch-size N] [--rows N]

set -u
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source-path=SCRIPTDIR
. "$here/build.sh"

runs=1
batch_size=4096
rows=0
while [ $# -gt 0 ]; do
    case $1 in
        --runs) runs=$2 ;;
        --batch-size) batch_size=$2 ;;
        --rows) rows=$2 ;;
        *) echo "pull.sh: $1 is no option; there are --runs N, --batch-size N and --rows N" >&2; exit 2 ;;
    esac
    shift 2
done

package=$(echo "$root"/deployer/target/sluice.deployer-*.tar.gz)
build_if_needed "$package"
package=$(echo "$root"/deployer/target/sluice.deployer-*.tar.gz)

work=$here/target/work
clean_up() {
    [ -x "$work/pull/bin/stop.sh" ] && SLUICE_STOP_SECONDS=5 "$work/pull/bin/stop.sh" >/dev/null 2>&1
    rm -rf "$work"
}
trap clean_up EXIT

mkdir -p "$work"
"$java" -Xmx256m -XX:+UseSerialGC -Dsluice.servers="$root/testkit/target/servers" -Dsluice.bench.folder="$here/target" \
    -Dsluice.package="$package" -cp "$class_path" io.sluice.bench.e2e.PullBench "$runs" "$batch_size" "$rows"
