#!/bin/sh
# Puts all that a server runs into an empty folder: the packages it needs with the right Node.js and PostgreSQL, the web
# application and the embed script built, the server packed for its start. The image is made by this, and so is the folder
# that the systemd unit runs: deploy/build-image.sh /opt/tributary
set -eu
umask 022

if [ $# -ne 1 ]; then
  echo "Name the folder to build into, such as: deploy/build-image.sh /opt/tributary" >&2
  exit 1
fi
if [ -e "$1" ] && { [ ! -d "$1" ] || [ -n "$(ls -A "$1")" ]; }; then
  echo "$1 is there and not empty: build into a new folder, and put it in the place of that one afterwards." >&2
  exit 1
fi

sources=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
cd "$1"

for part in .npmrc LICENSE CHANGELOG.md package.json package-lock.json tsconfig.json vite.config.ts index.html contract docs embed server web; do
  cp -R "$sources/$part" .
done
find contract embed server web -name '*.test.ts' -delete

npm ci --omit=dev
PATH=$PWD/node_modules/.bin:$PATH
node server/platform/http/web-build.ts
node embed/build.ts
node server/pack.ts

# Only what was built of these is served, Node.js brings its headers and manuals along, and npm what others only know of.
rm -r docs web index.html vite.config.ts node_modules/node/node_modules node_modules/typescript node_modules/@typescript \
  node_modules/vite node_modules/@vitejs node_modules/rolldown node_modules/@rolldown node_modules/lightningcss*
