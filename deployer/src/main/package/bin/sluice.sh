#!/usr/bin/env bash
# What an operator asks and commands: before a start, beside the server, and of the running server by its control API.
#
#   sluice.sh check | route | cursor     read the configuration, the cursors and, if asked, the servers that it names
#   sluice.sh status | errors | log | tail | start | stop | restart | release | pause | resume | limit | reload
#                                        call the control API of a running server, here or at --url
#   sluice.sh token add|list|remove      who may call it
#   sluice.sh completion                 the script by which bash and zsh complete verbs and options
#   sluice.sh warm                       makes the archive of classes by which starts are quicker, after a first start; see startup.sh
#   sluice.sh --version                  which version, commit and Java this is
#   sluice.sh help                       lists all; --help after one explains its options
#
# The configuration is read as the server reads it: conf/canal.properties or the file that --conf names, the
# environment, and the -D words of JAVA_OPTS.
#
#   SLUICE_TOOL_HEAP       the most heap that it takes (512m), as for check on a source with millions of different columns
#
# Exits with 0 if all went well; 1 if something could not be done, or check has found that it could not; 2 if the configuration is wrong.

# Under "sh sluice.sh" this is read by another shell, or by bash in its POSIX mode; SHELLOPTS may have set more.
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set +aeCfkmP +o posix +o pipefail
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}" 2>/dev/null || echo "${BASH_SOURCE[0]}")")/process.sh"
# shellcheck source-path=SCRIPTDIR
. "$SLUICE_HOME/bin/archive.sh"

set_umask
set_charset
find_java
find_class_path
find_archive
if [ "${1-}" = warm ]; then
    [ -n "$archive" ] || fail "The archive of classes is off (SLUICE_CLASS_ARCHIVE, JAVA_OPTS), or this Java does not support it."
    [ -s "$class_list" ] || fail "There is no list of classes yet: start the server once with this Java, and let it work a while."
    make_archive || fail "The archive of classes could not be made: $archive"
    say "The next start uses $archive"
    exit 0
fi
use_archive
set -f
options=()
for word in ${JAVA_OPTS:-}; do
    case $word in
        -Dcom.sun.management.*) ;;
        -D*) options+=("$word") ;;
    esac
done
set +f

[[ ${SLUICE_TOOL_HEAP:-512m} =~ ^[1-9][0-9]*[kKmMgG]?$ ]] || fail "SLUICE_TOOL_HEAP must be a size such as 2g: $SLUICE_TOOL_HEAP"
terminal=false
[ -t 2 ] && terminal=true
caller=$PWD
cd "$SLUICE_HOME/bin" || exit 1
exec "$java" ${archive_options[@]+"${archive_options[@]}"} "-Xmx${SLUICE_TOOL_HEAP:-512m}" -Dsluice.heap.setting=SLUICE_TOOL_HEAP -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.awt.headless=true -Dfile.encoding=UTF-8 \
    ${options[@]+"${options[@]}"} \
    -DappName=otter-canal "-Dsluice.caller.directory=$caller" "-Dsluice.server.pid=$(server_pid || true)" "-Dsluice.terminal=$terminal" -Dlogback.configurationFile=tool-logback.xml \
    "-Dcanal.conf=$SLUICE_HOME/conf/canal.properties" -cp "$class_path" io.sluice.deployer.Tool "$@"
