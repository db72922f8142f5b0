#!/usr/bin/env bash
# Builds the page's template in a folder of the build, with npm's packages, which are fetched anew
# only when package-lock.json has changed. Where that cannot be, there is no template, and a note.
#   build.sh FOLDER TEMPLATE
set -euo pipefail
folder=$1 template=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fetch() {
  cmp -s package-lock.json fetched && return
  rm -f fetched
  npm ci --ignore-scripts --no-audit --no-fund --prefer-offline \
    --fetch-retries 1 --fetch-retry-mintimeout 1000 --fetch-timeout 60000 || return
  cp package-lock.json fetched
}

mkdir -p "$folder" "$(dirname "$template")"
cd "$folder"
rm -rf src style "$template"
cp -r "$here"/{src,style,*.json,*.mjs,*.css,*.html} .
if ! command -v npm >/dev/null; then
  why="npm is not installed (Debian: apt install npm)"
elif ! fetch >log 2>&1; then
  why="npm could not fetch its packages, see $folder/log"
else
  node build.mjs "$template.part"
  mv "$template.part" "$template"
  exit
fi
echo "run --report will have no page: $why" >&2
