#!/bin/sh
# Builds everything a server needs in an empty folder: its packages with the right Node.js and PostgreSQL, the built web
# application and embed script, and the packed server. Used for the image, and for the folder of the systemd unit:
# deploy/build-image.sh /opt/tributary
set -eu
umask 022

if [ $# -ne 1 ]; then
  echo "Name the folder to build into, such as: deploy/build-image.sh /opt/tributary" >&2
  exit 1
fi
if [ -e "$1" ] && { [ ! -d "$1" ] || [ -n "$(ls -A "$1")" ]; }; then
  echo "$1 is not empty: build into a new folder, and then replace this one with it." >&2
  exit 1
fi

sources=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
cd "$1"

for part in .npmrc LICENSE CHANGELOG.md package.json package-lock.json tsconfig.json vite.config.ts index.html contract docs embed features server web; do
  cp -R "$sources/$part" .
done
find contract embed features server web \( -name "*.test.ts" -o -name "*.spec.ts" \) -delete

npm ci --omit=dev
PATH=$PWD/node_modules/.bin:$PATH
node server/platform/http/web-build.ts
node embed/build.ts
node server/pack.ts

# Sources of which only the build is served, Node.js headers and manuals, and packages needed only for building.
rm -r docs web features/*/web features/index.web.ts index.html vite.config.ts node_modules/node/node_modules node_modules/vite node_modules/@vitejs \
  node_modules/rolldown node_modules/@rolldown node_modules/lightningcss*
