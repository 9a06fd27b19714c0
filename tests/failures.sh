#!/usr/bin/env bash
# Prints the end of the output of each failed test of the last ctest run. ctest prints it where the test ran, which may be
# thousands of lines above, and a report of a continuous integration often shows only the last lines.
#
# usage: failures.sh CTEST_FOLDER [LINES]
set -euo pipefail
folder=$1/Testing/Temporary
lines=${2:-20}
failed=$folder/LastTestsFailed.log
[[ -s $failed && -f $folder/LastTest.log ]] || exit 0

# LastTest.log has, for each test, the line "N/N Test: NAME", and its output between "Output:" and "<end of output>".
# Lines of a JavaScript stack are left out: they would fill the space.
sed 's/^[0-9]*://' "$failed" | head -n 5 | while IFS= read -r name; do
    printf '\n--- %s: the last lines of its output\n' "$name"
    awk -v name="$name" '
        /^[0-9]+\/[0-9]+ Test: / { wanted = substr($0, index($0, "Test: ") + 6) == name; inside = 0 }
        /^<end of output>$/ { inside = 0 }
        wanted && inside && !/^ *at / && NF { print }
        /^Output:$/ { inside = 1 }' "$folder/LastTest.log" | tail -n "$lines" | cut -c 1-200
done
