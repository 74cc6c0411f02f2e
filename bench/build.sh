# shellcheck shell=bash
# Read by the other scripts, not to be run: builds what they measure, if it is older than its sources, and runs the benches.

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

# take_arguments "$@": what the bench is given; --build is ours.
arguments=()
take_arguments() {
    local argument
    for argument in "$@"; do
        case $argument in
            --build) force_build=yes ;;
            *) arguments+=("$argument") ;;
        esac
    done
}

# run_stages CLASS: runs a bench of our own part, with its arguments, in place of the script.
run_stages() {
    build_if_needed "$here/target/class-path"
    exec "$java" -Xmx256m -XX:+UseSerialGC -Dsluice.servers="$root/testkit/target/servers" \
        -Dsluice.bench.folder="$here/target" -Dsluice.scripts="$root/deployer/src/main/package/bin" -cp "$class_path" \
        "$1" ${arguments[@]+"${arguments[@]}"}
}

bench=

# Whatever ended the bench: no bridge of ours lives on, and nothing is left but the recorded binlogs.
clean_up() {
    local script
    [ -z "$bench" ] || wait "$bench" 2>/dev/null
    for script in "$here"/target/work/*/server/bin/stop.sh; do
        [ -x "$script" ] && SLUICE_STOP_SECONDS=5 "$script" >/dev/null 2>&1
    done
    rm -rf "$here/target/work"
}

# run_packaged CLASS: runs a bench of the package, with its arguments, and ends with its exit status.
run_packaged() {
    local package status
    package=$(echo "$root"/deployer/target/sluice.deployer-*.tar.gz)
    build_if_needed "$package"
    package=$(echo "$root"/deployer/target/sluice.deployer-*.tar.gz)
    trap clean_up EXIT
    trap '[ -z "$bench" ] || kill "$bench" 2>/dev/null; exit 130' INT TERM HUP
    mkdir -p "$here/target/work"
    "$java" -Xmx768m -XX:+UseSerialGC -Dsluice.servers="$root/testkit/target/servers" \
        -Dsluice.bench.folder="$here/target" -Dsluice.package="$package" -cp "$class_path" \
        "$1" ${arguments[@]+"${arguments[@]}"} &
    bench=$!
    wait "$bench"
    status=$?
    bench=
    exit "$status"
}
