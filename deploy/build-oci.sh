#!/bin/sh
# Builds the Dockerfile's image as one file, without Docker or another daemon, from the packages of Debian and npm:
# deploy/build-oci.sh tributary.oci.tar
# Needs Debian's mmdebstrap and umoci. A second file, if named, is the tar of a Debian to use instead of a new one.
set -eu
umask 022

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "Name the file to write, such as: deploy/build-oci.sh tributary.oci.tar" >&2
  exit 1
fi
if [ -e "$1" ]; then
  echo "$1 is there already: name another file, or delete it first." >&2
  exit 1
fi
tools=umoci
[ $# -eq 2 ] || tools="umoci mmdebstrap"
for tool in $tools; do
  command -v $tool >/dev/null || { echo "$tool isn’t installed: apt-get install mmdebstrap umoci" >&2; exit 1; }
done

deploy=$(cd "$(dirname "$0")" && pwd)
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$deploy/../package.json")
# the last value of an instruction, on one line
value() { sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' "$deploy/Dockerfile" | sed -n "s/^$1 //p" | tail -n 1; }
# the words of a JSON list
words() { value "$1" | tr -d '[],"'; }

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(date +%s)}"

prepare=$(value RUN)
suite=$(sed -n 's/^FROM node:[^-]*-\(.*\)-slim AS build$/\1/p' "$deploy/Dockerfile")
debian=${2:-$work/debian.tar}
[ -e "$debian" ] || mmdebstrap --variant=essential --include=libstdc++6,passwd \
  --customize-hook="chroot \"\$1\" sh -c '$prepare'" "$suite" "$debian"

"$deploy/build-image.sh" "$work/image/app"
tar --create --file "$work/app.tar" --directory "$work/image" --sort=name --mtime="@$SOURCE_DATE_EPOCH" \
  --owner=0 --group=0 --numeric-owner app

image=$work/layout:$version
created=$(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
umoci init --layout "$work/layout"
umoci new --image "$image"
umoci raw add-layer --image "$image" --history.created "$created" --history.created_by "mmdebstrap $suite" "$debian"
umoci raw add-layer --image "$image" --history.created "$created" --history.created_by build-image.sh "$work/app.tar"
set -- "$1" --config.user "$(value USER)" --config.workingdir "$(value WORKDIR)" --config.volume "$(value VOLUME)" \
  --config.exposedports "$(value EXPOSE)" --config.stopsignal "$(value STOPSIGNAL)" \
  --config.label "org.opencontainers.image.version=$version" --created "$created" --no-history
for one in $(value ENV); do set -- "$@" --config.env "$one"; done
for one in $(words CMD); do set -- "$@" --config.cmd "$one"; done
file=$1
shift
umoci config --image "$image" "$@"
umoci gc --layout "$work/layout"
tar --create --file "$file.part" --directory "$work/layout" --sort=name --mtime="@$SOURCE_DATE_EPOCH" \
  --owner=0 --group=0 --numeric-owner .
mv "$file.part" "$file"
echo "$file: tributary $version. Load it with: podman load --input $file"
