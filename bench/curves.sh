#!/usr/bin/env bash
# Draws how the cost of a row grows with tables, columns, instances and rows; README.md says what and how. curves.sh --help
# lists the options.

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

build_if_needed "$here/target/class-path"
exec "$java" -Xmx256m -XX:+UseSerialGC -Dsluice.servers="$root/testkit/target/servers" -Dsluice.bench.folder="$here/target" \
    -Dsluice.scripts="$root/deployer/src/main/package/bin" -cp "$class_path" \
    io.sluice.bench.stage.CurvesBench ${arguments[@]+"${arguments[@]}"}
