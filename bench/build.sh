# shellcheck shell=bash
# Read by the other scripts, not to be run: builds what they measure, if it is older than its sources.

root=$(cd "$here/.." && pwd -P)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
force_build=no

# build_if_needed FILE: FILE is what the build makes last of all that is needed.
build_if_needed() {
    local newer=
    if [ -f "$1" ] && [ -f "$here/target/class-path" ]; then
        newer=$(find "$root" -path '*/target' -prune -o \( -path '*/src/main/*' -o -name pom.xml \) -type f \
            \( -newer "$1" -o -newer "$here/target/class-path" \) -print -quit)
        [ "$force_build" = yes ] || [ -n "$newer" ] || force_build=done
    fi
    if [ "$force_build" != done ]; then
        echo "Building, without tests ..." >&2
        (cd "$root" && ./mvnw -q -Dquick -DskipTests package) || exit 1
        [ ! -e "$1" ] || touch "$1" # a pattern, if nothing was built before
        touch "$here/target/class-path"
    fi
    class_path=$here/target/classes:$(cat "$here/target/class-path")
}
