# shellcheck shell=bash
# Sourced by the other scripts: the archive of classes (application class data sharing). From it Java loads classes that it
# would otherwise read from the jars, verify and prepare at each start. The first start lists the loaded classes in cache/;
# the archive is made from that list later, by a separate process. It is valid for one Java and these jars; others have their
# own. It is optional: without it, a start takes a second longer.

# Sets class_path, as seen from bin/: always in one order, since an archive is good for one only, and without directories.
find_class_path() {
    class_path=$(
        LC_ALL=C
        shopt -s nullglob
        cd "$SLUICE_HOME/bin" && set -- ../lib/*.jar && IFS=: && printf '%s' "$*"
    )
    [ -n "$class_path" ] || class_path='../lib/*'
}

# Fails if lib/ or a plugin has two versions of one jar, as after unpacking a package over an older one: Java would take classes of
# both. The versions are what begins with a digit after a dash.
check_jars() {
    local directory pattern found
    for directory in "$SLUICE_HOME/lib" "$SLUICE_HOME"/plugin/*; do
        pattern=$(
            shopt -s nullglob
            cd "$directory" 2>/dev/null && printf '%s\n' *.jar |
                sed -e 's/\.jar$//' -e 's/-SNAPSHOT//' -e 's/-[0-9][^-]*/-[0-9]*/g' | LC_ALL=C sort | uniq -d | head -n 1
        )
        case $pattern in
            *'[0-9]'*)
                found=$(
                    IFS=
                    # shellcheck disable=SC2086
                    cd "$directory" && printf ' %s' $pattern.jar
                )
                fail "There are two versions of one jar in $directory:$found
A package was unpacked over another one. Unpack it into a new directory, and copy conf/ there (docs/upgrade.md)."
                ;;
        esac
    done
}

# Whether cache/ is this user's, root's, as in an image, or missing. Java does not verify the classes of an archive: what the user of the
# server can write must not run as root.
is_own_cache() {
    local cache=$SLUICE_HOME/cache owner
    [ -e "$cache" ] && [ ! -O "$cache" ] || return 0
    owner=$(stat -L -c %u "$cache" 2>/dev/null || stat -L -f %u "$cache" 2>/dev/null) && [ "$owner" = 0 ]
}

# After find_java and find_class_path: sets archive and class_list to the files for this Java and these jars; to nothing if
# there shall be none, or this Java does not make any.
find_archive() {
    archive='' class_list=''
    [ "${SLUICE_CLASS_ARCHIVE:-}" != off ] || return 0
    is_own_cache || return 0
    case $java_said:$class_path in
        *sharing*:*.jar) ;;
        *) return 0 ;;
    esac
    # Options that exclude such an archive, or name one of the operator's.
    case " ${JAVA_OPTS:-} ${JDK_JAVA_OPTIONS:-} ${JAVA_TOOL_OPTIONS:-} " in
        *-Xshare* | *Archive* | *ClassList* | *AOT* | *UseCompress* | *UseCompact* | *UseZGC* | *-module*) return 0 ;;
    esac
    local jars=() key
    IFS=: read -r -a jars <<<"$class_path"
    key=$(
        cd "$SLUICE_HOME/bin" || exit
        {
            printf '%s\n' "$java" "$java_said"
            stat -L -c '%n %s %Y' "${jars[@]}" 2>/dev/null || stat -L -f '%N %z %m' "${jars[@]}" 2>/dev/null
        } | cksum
    ) || return 0
    archive=$SLUICE_HOME/cache/classes-${key%% *}.jsa
    class_list=${archive%.jsa}.txt
}

# Sets archive_options: those by which Java uses the archive, or, if there is none, lists its classes; then noting is set.
set_archive_options() {
    archive_options=() noting=''
    if [ -z "$archive" ]; then
        return 0
    elif [ -s "$archive" ] && [ -r "$archive" ]; then
        use_archive
    elif mkdir -p "$SLUICE_HOME/cache" 2>/dev/null && { : >"$class_list"; } 2>/dev/null; then
        archive_options=("-XX:DumpLoadedClassList=$class_list")
        noting=1
    fi
}

# The same for a program that only uses the archive.
use_archive() {
    archive_options=()
    if [ -n "$archive" ] && [ -s "$archive" ] && [ -r "$archive" ]; then
        # One that does not fit is ignored silently.
        local quiet=-Xlog:cds=off,cds+dynamic=off,class+path=off
        [ "$java_version" -lt 24 ] || quiet=$quiet,aot=off
        archive_options=("-XX:SharedArchiveFile=$archive" -Xshare:auto "$quiet")
    fi
}

# Makes the archive of the listed classes, atomically.
make_archive() {
    local work=$archive.$$ file
    # Java may still be writing the last line.
    sed '$d' "$class_list" >"$work.txt" && [ -s "$work.txt" ] || return 1
    (
        cd "$SLUICE_HOME/bin" &&
            nice "$java" -Xshare:dump -Xlog:disable -Xmx256m -XX:+UseG1GC "-XX:SharedClassListFile=$work.txt" \
                "-XX:SharedArchiveFile=$work" -cp "$class_path"
    ) </dev/null >/dev/null 2>&1 && mv -f "$work" "$archive"
    local code=$?
    # Those of other Javas and other jars, too.
    for file in "$SLUICE_HOME"/cache/classes-*; do
        case $file in
            "$archive" | "$class_list") ;;
            *) rm -f "$file" ;;
        esac
    done
    return "$code"
}

# Makes the archive after so many seconds, if the process that lists its classes still runs then.
make_archive_later() {
    (
        trap '' HUP
        sleep "$2"
        ! is_server "$1" || make_archive
    ) </dev/null >/dev/null 2>&1 &
}
