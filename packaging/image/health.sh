#!/usr/bin/env bash
# Asks the server in this container for its health, with no other program than bash.
#
#   health.sh [PATH]    /health, unless SLUICE_HEALTH_PATH or PATH says /health/live
#
# Environment:
#   SLUICE_HEALTH_PATH   which page (/health)
#   SLUICE_HEALTH_PORT   canal.metrics.pull.port (11112), on the loopback address; not for a port with TLS
#
# Exits with 0 if the answer is 200, else with 1; prints what the server says.

set -u
path=${1:-${SLUICE_HEALTH_PATH:-/health}}
port=${SLUICE_HEALTH_PORT:-11112}

if ! { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null; then
    echo "nothing listens on port $port" >&2
    exit 1
fi
printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$path" >&3
status='' line=''
IFS= read -r -t 5 -u 3 status || status="no answer on port $port"
# The headers end with an empty line.
while IFS= read -r -t 5 -u 3 line && [ "$line" != $'\r' ]; do :; done
IFS= read -r -t 5 -u 3 -d '' line || true
printf '%s %s\n' "${status%$'\r'}" "$line"
case $status in
    'HTTP/1.'[01]' 200 '*) exit 0 ;;
    *) exit 1 ;;
esac
