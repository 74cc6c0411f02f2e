#!/usr/bin/env bash
# Lays out the files of the container image: all that the Dockerfile does, so that it can be tested without a container engine.
#
#   layout.sh PACKAGE TARGET    PACKAGE is sluice.deployer-<version>.tar.gz; TARGET gets opt/sluice/ and var/lib/sluice/
#
# Starts the server once, without a source, to make the archive of classes by which a container starts in half the time. The owner
# of what the server writes is 10001:10001 if root runs this; all else is for reading.

set -eu
package=$(readlink -f "$1")
mkdir -p "$2"
target=$(cd "$2" && pwd -P)
home=$target/opt/sluice

mkdir -p "$home" "$target/var/lib/sluice"
tar xzf "$package" -C "$home" --no-same-owner
for script in entry.sh health.sh; do
    cp "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/$script" "$home/bin/$script"
    chmod 755 "$home/bin/$script"
done

# A start with an instance that is connected to nothing, on ports that the system chooses.
warm=$(mktemp -d)
trap 'rm -rf "$warm"' EXIT
printf '%s\n' 'canal.serverMode = tcp' 'canal.ip = 127.0.0.1' 'canal.port = 0' 'canal.metrics.pull.ip = 127.0.0.1' \
    'canal.metrics.pull.port = 0' 'canal.destinations = example' "canal.file.data.dir = $warm" >"$warm/canal.properties"
export SLUICE_PID_FILE=$warm/pid SLUICE_CLASS_ARCHIVE=60
"$home/bin/startup.sh" "$warm/canal.properties"
"$home/bin/stop.sh"
"$home/bin/sluice.sh" warm
# With canal.auto.scan it would run beside those that are mounted: entry.sh makes an instance of it where there is none.
mv "$home/conf/example" "$home/example"
rm -rf "$home/logs" "$home"/cache/*.txt
mkdir "$home/logs"

chmod -R a+rX,go-w "$target"
chmod 770 "$home/logs" "$target/var/lib/sluice"
if [ "$(id -u)" = 0 ]; then
    chown 10001:10001 "$home/logs" "$home/conf" "$target/var/lib/sluice"
fi
