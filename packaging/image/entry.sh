#!/usr/bin/env bash
# What a container runs: startup.sh, with the two decisions that canal's image makes by environment variables.
#
#   entry.sh [ARGUMENTS OF startup.sh]
#
# - canal.admin.manager is set: conf/canal_local.properties is read, and not the canal.properties of the package, whose values would win over
#   those of the admin server.
# - Otherwise, if conf/ has no instance, and canal.conf.dir names no other directory, one is made of the package's example. Its name is that in canal.destinations, else example. Where
#   conf/ is read-only it is in /tmp, which is canal.conf.dir then.
#
# Arguments that name a file are left as they are.

set -u
home=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

# The names of variables have dots, so only the environment itself has them.
variable() {
    local value
    value=$(printenv "$1")
    value=${value#"${value%%[![:space:]]*}"}
    printf '%s' "${value%"${value##*[![:space:]]}"}"
}

# Sets made to the directory of a configuration that is not in conf/, since that cannot be written.
made=
make_instance() {
    local name file folder
    folder=$(variable canal.conf.dir)
    [ -n "$folder" ] || folder=$(sed -nE 's/^[[:space:]]*canal\.conf\.dir[[:space:]]*[=:][[:space:]]*([^[:space:]]*).*/\1/p' \
        "$home/conf/canal.properties" 2>/dev/null | tail -n 1)
    case $folder in
        '' | ../conf | ../conf/) ;;
        *) return 0 ;;
    esac
    for file in "$home"/conf/*/instance.properties; do
        [ ! -e "$file" ] || return 0
    done
    name=$(variable canal.destinations)
    name=${name:-example}
    case $name in
        .* | *[!A-Za-z0-9._-]*) return 0 ;; # several, which variables cannot tell apart, or none that an instance can have
    esac
    if ! copy_to "$home/conf/$name"; then
        made=${TMPDIR:-/tmp}/sluice-conf
        copy_to "$made/$name" || made=
    fi
}

copy_to() {
    { mkdir -p "$1" && cp "$home/example/instance.properties" "$1/"; } 2>/dev/null
}

named=
for argument in "$@"; do
    case $argument in
        foreground | debug | [0-9]*) ;;
        *) named=1 ;;
    esac
done
if [ -z "$named" ]; then
    if [ -n "$(variable canal.admin.manager)" ]; then
        set -- local "$@"
    else
        make_instance
    fi
fi
[ -z "$made" ] || exec env "canal.conf.dir=$made" "$home/bin/startup.sh" "$@"
exec "$home/bin/startup.sh" "$@"
