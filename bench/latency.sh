#!/usr/bin/env bash
# Measures how long after its commit a change can be read from Kafka; README.md says what and how. latency.sh --help lists the
# options.

set -u
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source-path=SCRIPTDIR
. "$here/build.sh"

take_arguments "$@"
run_packaged io.sluice.bench.latency.LatencyBench
