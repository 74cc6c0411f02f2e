#!/usr/bin/env bash
# Measures how fast changes get from MySQL to Kafka; README.md says what and how. e2e.sh --help lists the options.

set -u
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source-path=SCRIPTDIR
. "$here/build.sh"

take_arguments "$@"
run_packaged io.sluice.bench.e2e.EndToEndBench
