#!/usr/bin/env bash
# Replaces the placeholder of the project's address in manifests, citation and templates by the real one:
#
#   scripts/set-address.sh https://HOST/OWNER/throng
#
# Files stay uncommitted, for a look at the difference. Without an argument it lists the files with the placeholder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

placeholder=https://example.org/throng
files=$(git grep -lF "$placeholder" -- . ':!scripts' ':!docs/tab.md')
if [[ -z ${1:-} ]]; then
    echo "$files"
    exit
fi
[[ $1 == https://*/*[^/] ]] || { echo "scripts/set-address.sh: an address starts with https:// and ends without /" >&2; exit 2; }
while IFS= read -r file; do
    sed "s|$placeholder|$1|g" "$file" >"$file.new"
    cat "$file.new" >"$file" # keeps its mode
    rm "$file.new"
done <<<"$files"
git diff --stat
