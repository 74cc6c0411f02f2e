#!/usr/bin/env bash
# Asks and checks things beside the server, which need not run.
#
#   sluice.sh check [--json] [--columns] [--conf FILE] [DESTINATION...]
#   sluice.sh route [--json] [--row COLUMN=VALUE,...]... [--conf FILE] DESTINATION SCHEMA.TABLE...
#   sluice.sh cursor show|set|rewind|delete|restore DESTINATION [--client N]
#             [--to FILE:OFFSET|oldest|newest | --gtid SET | --time T] [--dry-run] [--conf FILE]
#   sluice.sh help              what there is
#
# The configuration is read as the server reads it: conf/canal.properties or the file that --conf names, the
# environment, and the -D words of JAVA_OPTS.
#
# Ends with 0 if all went well; 1 if something could not be done; 2 if the configuration is wrong.

set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")/process.sh"

find_java
set -f
options=()
for word in ${JAVA_OPTS:-}; do
    case $word in
        -Dcom.sun.management.*) ;;
        -D*) options+=("$word") ;;
    esac
done
set +f

caller=$PWD
cd "$SLUICE_HOME/bin" || exit 1
exec "$java" -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.awt.headless=true -Dfile.encoding=UTF-8 \
    ${options[@]+"${options[@]}"} \
    -DappName=otter-canal "-Dsluice.caller.directory=$caller" "-Dsluice.server.pid=$(server_pid || true)" -Dlogback.configurationFile=tool-logback.xml \
    "-Dcanal.conf=$SLUICE_HOME/conf/canal.properties" -cp '../conf:../lib/*' io.sluice.deployer.Tool "$@"
