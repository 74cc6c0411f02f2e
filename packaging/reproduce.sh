#!/usr/bin/env bash
# Builds the package of a commit in two directories, and compares: whoever builds a commit gets the same bytes.
#
#   packaging/reproduce.sh [COMMIT]     HEAD if none is named
#
# Needs git, a JDK and some 700 MB in TMPDIR. The same JDK, line endings and umask are needed for the same bytes: it sets the umask.
# Prints the checksum; exits with 0 if both are the same, else with 1 after the names of the files that differ.

set -eu
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
commit=$(git -C "$top" rev-parse --verify "${1:-HEAD}^{commit}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

# One is a checkout, and the other an archive under a longer path, as it would be elsewhere.
git clone -q --shared --no-checkout "$top" "$work/a"
git -C "$work/a" checkout -q --detach "$commit"
mkdir -p "$work/b/another place"
git -C "$top" archive "$commit" | tar x -C "$work/b/another place"

for directory in "$work/a" "$work/b/another place"; do
    (cd "$directory" && ./mvnw -B -q -Dquick -DskipTests -pl deployer -am package)
done

archives=("$work/a"/deployer/target/sluice.deployer-*.tar.gz "$work/b/another place"/deployer/target/sluice.deployer-*.tar.gz)
for i in 0 1; do
    mkdir "$work/unpacked$i"
    tar xzf "${archives[$i]}" -C "$work/unpacked$i"
done
if cmp -s "${archives[0]}" "${archives[1]}"; then
    sha256sum "${archives[0]}" | sed 's,  .*/,  ,'
else
    echo "Two builds of $commit differ:" >&2
    diff -rq "$work/unpacked0" "$work/unpacked1" >&2 || true
    diff <(tar tvzf "${archives[0]}") <(tar tvzf "${archives[1]}") >&2 || true
    exit 1
fi
