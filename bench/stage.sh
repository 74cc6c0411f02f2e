#!/usr/bin/env bash
# Measures what our own part costs, from a recorded binlog to the bytes of messages, with no broker behind; README.md says what
# and how. stage.sh --help lists the options.

set -u
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source-path=SCRIPTDIR
. "$here/build.sh"

take_arguments "$@"
run_stages io.sluice.bench.stage.StageBench
