#!/usr/bin/env bash
# Measures what our own part costs, from a recorded binlog to the bytes of messages, with no broker behind; README.md says what
# and how. stage.sh --help lists the options.

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
    io.sluice.bench.stage.StageBench ${arguments[@]+"${arguments[@]}"}
