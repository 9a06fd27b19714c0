#!/usr/bin/env bash
# Checks that groff reports no problems in the manual page. Skipped when groff is missing.
#
# usage: manual.sh PAGE
set -euo pipefail
page=${1:?manual.sh needs a page}
command -v groff >/dev/null || exit 77
for width in 60 80 120; do
    said=$(groff -man -Tutf8 -ww -rLL="${width}n" "$page" 2>&1 >/dev/null)
    [[ -z $said ]] || { printf 'manual: at %s columns: %s\n' "$width" "$said"; exit 1; }
done
