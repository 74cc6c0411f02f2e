# shellcheck shell=bash
# Sourced by the other scripts: finds this server's directory, its process, and a java.

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

# Whether a process id is that of this server; one that has ended, but was not yet reaped, is not. The mark alone says nothing:
# any user can start a process with such an argument.
is_server() {
    case $1 in
        '' | *[!0-9]*) return 1 ;;
    esac
    has_mark "$1" && may_run_server "$(owner_of "$1")" && may_be_java "$1"
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

# Prints the id of the user who has started a process, which a program with the set-user-id bit does not change.
owner_of() {
    local key value _
    if [ -d /proc/self ]; then
        while read -r key value _; do
            [ "$key" != Uid: ] || echo "$value"
        done 2>/dev/null <"/proc/$1/status"
    else
        read -r value < <(ps -p "$1" -o ruid= 2>/dev/null) && echo "$value"
    fi
}

# Whether this server may run as a user: as the caller, or as the owner of what it writes, so that root stops the server of another
# user, and other users are told that it runs. As root only if the pid file is root's: only root can see which program it is.
may_run_server() {
    local user=$1 path owner
    case $user in
        '') return 1 ;;
        "$EUID") return 0 ;;
        0) set -- "$PID_FILE" ;;
        *) set -- "$PID_FILE" "$SLUICE_HOME" "$SLUICE_HOME/logs" "$SLUICE_HOME/logs/canal" "$SLUICE_HOME/data" ;;
    esac
    for path; do
        if read -r _ _ owner _ < <(ls -Lnd -- "$path" 2>/dev/null) && [ "$owner" = "$user" ]; then
            return 0
        fi
    done
    return 1
}

# Whether the program of a process is a java, as far as it can be seen. The process in the pid file may be a script that runs one,
# but not a program such as sudo, which runs as root with the arguments of any user.
may_be_java() {
    local program
    program=$(readlink "/proc/$1/exe" 2>/dev/null) || return 0
    case ${program% (deleted)} in
        */java) return 0 ;;
    esac
    [ "$1" = "$(cat "$PID_FILE" 2>/dev/null)" ] && [ ! -u "/proc/$1/exe" ]
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

# Reads the arguments of startup.sh: sets config, debug and foreground, and ignored to those that have no effect. canal's scripts
# take a second word after the file.
read_start_arguments() {
    local usage="usage: $(basename "$0") [local | FILE] [debug PORT] [foreground]"
    # shellcheck disable=SC2034
    config= debug=() foreground= ignored=()
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
                    ignored+=("$1")
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
