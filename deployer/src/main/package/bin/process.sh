# shellcheck shell=bash
# Sourced by the other scripts: finds this server's directory, its process, and a java.

# Where a standard stream is closed, the next file that a program opens would have its number, and get what is written to it. Nothing can be
# written to this standard output: the messages of canal.serverMode = stdout are not lost.
{ : 3<&0; } 2>/dev/null || exec 0</dev/null
{ : 3>&1; } 2>/dev/null || exec 1</dev/null
: 3>&2 || exec 2>/dev/null # which shows no message, since it is closed
unset CDPATH # else cd prints where it goes

# The directory that holds bin/, whatever links lead here.
server_home() {
    local script=${BASH_SOURCE[0]} target
    while [ -L "$script" ]; do
        target=$(readlink "$script")
        case $target in
            /*) script=$target ;;
            *) script=$(dirname "$script")/$target ;;
        esac
    done
    (cd "$(dirname "$script")/.." && pwd -P)
}

SLUICE_HOME=$(server_home) || exit 1
PID_FILE=${SLUICE_PID_FILE:-$SLUICE_HOME/bin/canal.pid}
# A system property that identifies the process.
MARK=-Dsluice.home=$SLUICE_HOME

# Whether a process id is that of this server; one that has ended, but was not yet reaped, is not. The process that the pid file names
# needs the mark only: two servers on the same cursors are worse than one that is refused. Of others the mark says little: any user
# can start a process with such an argument.
is_server() {
    case $1 in
        '' | *[!0-9]*) return 1 ;;
    esac
    has_mark "$1" && { is_in_pid_file "$1" || is_run_by_its_user "$1"; }
}

is_in_pid_file() {
    [ "$1" = "$(cat "$PID_FILE" 2>/dev/null)" ]
}

has_mark() {
    if [ -d /proc/self ]; then
        # By the shell alone: the arguments of a grep would have the mark, too. Errors are redirected before the file is
        # opened, since the process may have ended, or belong to another user.
        local word
        while IFS= read -r -d '' word; do
            [ "$word" != "$MARK" ] || return 0
        done 2>/dev/null <"/proc/$1/cmdline"
        return 1
    else
        ps -p "$1" -o command= 2>/dev/null | grep -Fq -e "$MARK"
    fi
}

# Whether a process belongs to the caller or to the user of this server, as far as the caller can find out.
is_run_by_its_user() {
    local user
    user=$(owner_of "$1")
    # A program such as sudo runs as root with the arguments of any user.
    [ -n "$user" ] && [ ! -u "/proc/$1/exe" ] || return 1
    [ "$user" = "$EUID" ] || owns_files "$user" || { [ "$EUID" -eq 0 ] && works_in_package "$1"; }
}

# Prints the real user id of a process: that of its starter, unless the program has changed it.
owner_of() {
    local key value _
    while read -r key value _; do
        [ "$key" != Uid: ] || echo "$value"
    done 2>/dev/null <"/proc/$1/status"
}

# Whether a user owns the package, or what a server makes. The package does not count for root, the owner of most packages: other users cannot
# see whether a process of root is sudo.
owns_files() {
    local user=$1 logs=$SLUICE_HOME/logs owner _
    set -- "$PID_FILE" "$logs/canal/canal.log" "$logs/canal/gc.log" "$logs/admin.log" "$SLUICE_HOME"/conf/*/meta.dat.lock
    [ "$user" = 0 ] || set -- "$@" "$SLUICE_HOME" "$logs" "$logs/canal" "$SLUICE_HOME/data"
    while read -r _ _ owner _; do
        [ "$owner" != "$user" ] || return 0
    done < <(ls -Lnd -- "$@" 2>/dev/null)
    return 1
}

# Whether a process works in bin/ and has a file in logs/ open, which root can see, whoever owns them. In a container without that
# capability any java counts.
works_in_package() {
    local name logs
    if ! readlink "/proc/$1/cwd" >/dev/null 2>&1; then
        read -r name 2>/dev/null <"/proc/$1/comm" && [ "$name" = java ]
        return
    fi
    logs=$(cd "$SLUICE_HOME/logs" 2>/dev/null && pwd -P) || logs=$SLUICE_HOME/logs
    # shellcheck disable=SC2010
    [ "/proc/$1/cwd" -ef "$SLUICE_HOME/bin" ] && ls -l "/proc/$1/fd" 2>/dev/null | grep -Fq -e " -> $logs/"
}

# Prints when a process was started, by which it differs from a later one with the same id; fails if it has ended.
start_of() {
    local stat=() text=
    if [ -d /proc/self ]; then
        # The second field, its name, can have blanks and parentheses.
        IFS= read -r -d '' text 2>/dev/null <"/proc/$1/stat"
        read -r -a stat <<<"${text##*) }"
        case ${stat[0]-} in
            '' | Z | X) return 1 ;;
        esac
        echo "${stat[19]}"
    else
        text=$(LC_ALL=C ps -p "$1" -o stat= -o lstart= 2>/dev/null) || return 1
        case $text in
            Z*) return 1 ;;
        esac
        echo "${text#* }"
    fi
}

# Whether the process with an id is still the one that was started then.
is_alive() {
    [ -n "$2" ] && [ "$(start_of "$1")" = "$2" ]
}

# Prints the id of a process's parent.
parent_of() {
    local key value
    while read -r key value; do
        [ "$key" != PPid: ] || echo "$value"
    done 2>/dev/null <"/proc/$1/status"
}

# Prints the ids of all processes of this server, the one in the pid file first; more than one is a mistake.
server_pids() {
    local pid entry other found=1
    pid=$(cat "$PID_FILE" 2>/dev/null)
    if is_server "$pid"; then
        echo "$pid"
        found=0
    fi
    for entry in /proc/[0-9]*; do
        other=${entry#/proc/}
        # A child that has not yet become another program looks like its parent.
        if [ "$other" != "$pid" ] && is_server "$other" && ! is_server "$(parent_of "$other")"; then
            echo "$other"
            found=0
        fi
    done
    return "$found"
}

# Prints the id of this server's process, if it runs: the one in the pid file, else the first that is found.
server_pid() {
    local pids
    pids=$(cat "$PID_FILE" 2>/dev/null)
    if is_server "$pids" || pids=$(server_pids); then
        echo "${pids%%[!0-9]*}"
        return 0
    fi
    return 1
}

say() {
    printf '%s\n' "$*"
}

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Shows the comment at the head of the script that was called, and ends it, if --help is among its arguments.
show_help_if_asked() {
    local word
    for word; do
        if [ "$word" = --help ]; then
            sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
            exit 0
        fi
    done
}

# Makes what is written from now on readable for this user and group only: it may hold rows and positions.
set_umask() {
    umask "${SLUICE_UMASK:-027}" 2>/dev/null || fail "SLUICE_UMASK is not a umask, such as 027: $SLUICE_UMASK"
}

# The number in a variable, if it is one; else the default.
seconds_of() {
    case ${!1-} in
        '') echo "$2" ;;
        *[!0-9]*) fail "$1 is not a number of seconds: ${!1}" ;;
        *) echo "${!1}" ;;
    esac
}

# Java reads names of files, arguments and, from version 18 on, variables by the character set of the locale. That of a service, of cron
# or of a locale that is not installed is ASCII, by which all other characters are lost: then it is UTF-8. Others are left as they are.
set_charset() {
    local name
    case $(locale charmap 2>/dev/null) in
        ANSI_X3.4-* | US-ASCII)
            for name in C.UTF-8 en_US.UTF-8; do
                if [ "$(LC_ALL=$name locale charmap 2>/dev/null)" = UTF-8 ]; then
                    export LC_ALL=$name
                    break
                fi
            done
            ;;
        '')
            # There is no such program, as with musl, which always has C.UTF-8.
            case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
                C | POSIX) { export LC_ALL=C.UTF-8; } 2>/dev/null ;;
            esac
            ;;
    esac
} 2>/dev/null # bash warns of a locale that is not installed

# Sets java to the program to run, that of JAVA or JAVA_HOME, else the one on the PATH; java_said and java_version to its
# version.
find_java() {
    if [ -n "${JAVA:-}" ]; then
        java=$JAVA
    elif [ -n "${JAVA_HOME:-}" ]; then
        java=$JAVA_HOME/bin/java
    else
        java=$(command -v java) || fail "There is no java on the PATH. Set JAVA_HOME to a JDK or JRE, 17 or newer."
    fi
    command -v "$java" >/dev/null || fail "This java does not run: $java
There is no such program. Set JAVA_HOME to a JDK or JRE, 17 or newer."
    java_said=$("$java" -version 2>&1) || fail "This java does not run: $java
$java_said"
    java_version=$(printf '%s\n' "$java_said" | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1)
    case $java_version in
        '') fail "This java does not say its version: $java
$java_said" ;;
    esac
    [ "$java_version" -ge 17 ] || fail "Java 17 or newer is needed, but $java is Java $java_version. Set JAVA_HOME to another."
}

# Reads the arguments of startup.sh: sets config, debug and foreground, and ignored to the word that has no effect. canal's scripts
# take one after the file.
read_start_arguments() {
    local usage="usage: ${0##*/} [local | FILE] [debug PORT] [foreground]"
    # shellcheck disable=SC2034
    config= debug=() foreground= ignored=
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
            -*) fail "$usage" ;;
            *)
                if [ -n "$config" ]; then
                    [ -z "$ignored" ] && [ ! -f "$1" ] || fail "$usage"
                    ignored=$1
                else
                    case $1 in
                        local) config=$SLUICE_HOME/conf/canal_local.properties ;;
                        /*) config=$1 ;;
                        *) config=$PWD/$1 ;;
                    esac
                fi
                ;;
        esac
        shift
    done
    config=${config:-$SLUICE_HOME/conf/canal.properties}
    [ -f "$config" ] || fail "There is no such file: $config"
}
