#!/usr/bin/env bash
# Draws how the cost of a row grows with tables, columns, instances and rows; README.md says what and how. curves.sh --help
# lists the options.

set -u
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source-path=SCRIPTDIR
. "$here/build.sh"

take_arguments "$@"
run_stages io.sluice.bench.stage.CurvesBench
