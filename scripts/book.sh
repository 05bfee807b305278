#!/usr/bin/env bash
# Builds the book from docs/SUMMARY.md to target/book/index.html with mdBook, and checks the links of the result.
# Links to pages and files are relative to the repository, so the book is built from a copy of the whole tree, with
# docs/SUMMARY.md and docs/book.toml at the root.
#
#   scripts/book.sh            with mdbook of the path, or of the target folder, where it is installed if need be
#   MDBOOK=FILE scripts/book.sh
#   scripts/book.sh --live     with live worlds (docs/live/), for the folder `book` of a site: scripts/site.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
source=$target/book-source book=$target/book

live=()
if [[ ${1:-} == --live ]]; then
    live=(MDBOOK_OUTPUT__HTML__ADDITIONAL_JS='["docs/live/live.js"]' MDBOOK_OUTPUT__HTML__ADDITIONAL_CSS='["docs/live/live.css"]')
fi
mdbook=${MDBOOK:-$(command -v mdbook || echo "$target/tools/bin/mdbook")}
if [[ ! -x $(command -v "$mdbook") ]]; then
    version=$(sed -n 's/^mdbook_version=//p' scripts/check.sh)
    env -u CARGO_TARGET_DIR CARGO_PROFILE_DEV_DEBUG=0 cargo install mdbook --locked --debug --version "$version" \
        --no-default-features --root "$target/tools"
fi

rm -rf "$source" "$book"
mkdir -p "$source"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    if [[ -e $file ]]; then printf '%s\0' "$file"; fi
done | xargs -0 tar -c -f - | tar -x -f - -C "$source"
# Links of the summary are relative to docs/; in the copy they are relative to the root.
sed -E 's#\]\(\.\./#](#; t; s#\]\(#](docs/#' docs/SUMMARY.md >"$source/SUMMARY.md"
mv "$source/docs/book.toml" "$source/book.toml"
rm "$source/docs/SUMMARY.md"
# mdBook names the page of a README.md index.html, and leaves links to it as they are.
find "$source" -name '*.md' ! -name SUMMARY.md -exec sed -i -E 's#(bindings/[a-z]+|\.\./\.\.)/README\.md#\1/index.md#g' {} +
env ${live[@]+"${live[@]}"} "$mdbook" build "$source" --dest-dir "$book"

# Checks that every relative link of a page leads to a file, and its anchor to an element of the file.
dead=0
while IFS=: read -r page link; do
    link=${link#*\"} link=${link%\"}
    file=${link%%#*} anchor=
    if [[ $link == *#* ]]; then anchor=${link#*#}; fi
    if [[ -z $file ]]; then to=$page; else to=$(dirname "$page")/$file; fi
    if [[ ! -e $to ]] || { [[ -n $anchor ]] && ! grep -q "id=\"$anchor\"" "$to"; }; then
        echo "${page#"$book"/}: $link leads nowhere"
        dead=$((dead + 1))
    fi
done < <(find "$book" -name '*.html' ! -name print.html ! -name toc.html ! -name 404.html -print0 |
    xargs -0 grep -HoE '(href|src)="[^":]*"' | sort -u)
((dead == 0))
echo "the book has $(find "$book" -name '*.html' | wc -l) pages: $book/index.html"
