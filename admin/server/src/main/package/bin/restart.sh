#!/usr/bin/env bash
# Stops the admin server and starts it again. If an argument is wrong, it is not stopped.
#
#   restart.sh [ARGUMENTS]  with the arguments of startup.sh

# Under "sh restart.sh" this is read by another shell, or by bash in its POSIX mode; SHELLOPTS may have set more.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set +aeCfkmP +o posix +o pipefail
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")/process.sh"
bin=$SLUICE_HOME/bin
# shellcheck source-path=SCRIPTDIR
. "$bin/arguments.sh"
show_help_if_asked "$@"
read_start_arguments "$@"
"$bin/stop.sh" || say "Starting all the same." >&2
exec "$bin/startup.sh" "$@"
