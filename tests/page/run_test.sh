#!/usr/bin/env bash
# The page's script against its types, and the page in headless Chromium. Exit code 77: skipped, for
# what is not installed here.
#   run_test.sh PAGE_FOLDER PROGRAM MACHINES
set -euo pipefail
folder=$1 program=$2 machines=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

skip() {
  echo "SKIP: $*"
  exit 77
}

[ -f "$folder/fetched" ] || skip "npm's packages are not there (build the target \"page\")"
"$folder/node_modules/.bin/tsc" --project "$folder"
chromium=$(command -v chromium || command -v chromium-browser) || skip "Chromium is not installed"
exec node "$here/page_test.mjs" "$folder/node_modules" "$program" "$machines" "$chromium"
