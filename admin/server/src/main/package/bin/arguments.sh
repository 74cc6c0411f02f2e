# shellcheck shell=bash
# Sourced by startup.sh and restart.sh, after process.sh.

# Reads the arguments of startup.sh: sets settings, debug and foreground.
read_start_arguments() {
    local usage="usage: ${0##*/} [--NAME=VALUE ...] [debug PORT] [foreground]"
    # shellcheck disable=SC2034
    settings=() debug=() foreground=
    while [ $# -gt 0 ]; do
        case $1 in
            debug)
                case ${2-} in
                    '' | *[!0-9]*) fail "$usage" ;;
                esac
                debug=("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:$2")
                shift
                ;;
            foreground) foreground=1 ;;
            --*=*) settings+=("$1") ;;
            *) fail "$usage" ;;
        esac
        shift
    done
}
