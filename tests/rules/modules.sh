#!/usr/bin/env bash
# Fails when a module uses something that it may not use. The tenon_module() lines of src/CMakeLists.txt say which
# module may use which. src/public_headers.txt says which module each public header belongs to.
#
# usage: modules.sh CHECK [ROOT]
#   includes   a module includes only headers of the modules it uses, directly or through others; every public header
#              belongs to one module
#   sides      the server's folders and the client's folders do not include each other
#   purity     a pure module has no I/O, clock, thread or randomness, and reaches none through headers of ours
#   public     a public header includes no network or TLS header and nothing of src/; shared libraries export its names
#   versions   revisions are compared only in src/protocol
#   encoder    only src/jsonrpc writes the envelope of a message, except src/check, which must also write wrong ones
#   tools      the program includes only public headers and its own headers, and writes to the terminal only through Out
set -euo pipefail
shopt -s globstar nullglob

pure_modules=(base json schema jsonrpc framing jose protocol observe skills core web auth)
crypto_module=jose  # pure except for OpenSSL, which makes its own random numbers

# Two sides per row. The folders of one side never include the folders of the other side. Files beside these folders are
# shared by both sides of their module, so they include neither. core/tasks has the tasks of a server. The checker has a
# row of its own: check/server checks servers, but behaves like a client.
sides=(
    'core/server core/tasks transport/stdio transport/http_server auth/resource_server
     | core/client transport/process transport/http_client auth/client'
    'check/server | check/client'
)
# Includes that the check `sides` permits: the file, the header, and the reason.
side_exceptions=(
    'src/transport/http_server/access_control.hpp transport/http_client/fetch_thread.hpp
     a resource server is also an HTTP client: it fetches the keys of its authorisation server'
)

forbidden_headers='thread|mutex|shared_mutex|condition_variable|future|semaphore|latch|barrier|random|iostream|fstream|filesystem'
forbidden_headers+='|cstdio|stdio\.h|unistd\.h|fcntl\.h|sys/.*|netinet/.*|arpa/.*|netdb\.h|poll\.h|pthread\.h|signal\.h|csignal'
forbidden_headers+='|ctime|time\.h|boost/asio.*|asio.*|boost/beast.*|boost/thread.*|boost/process.*|openssl/.*'
forbidden_words='::now\(|\bs?rand\(|\brandom_device\b|\b(f|v|vf)?printf\(|\bputs\(|std::(cerr|cout|clog|cin)\b|\bgetenv\(|\bsleep_(for|until)\('

# Headers of the program, which no library exports.
program_headers=' check.hpp bench.hpp inspect.hpp scrape.hpp '
private_headers='boost/asio.*|asio\.hpp|asio/.*|boost/beast.*|openssl/.*'

check=${1:?modules.sh needs the name of a check}
root=${2:-$(dirname "${BASH_SOURCE[0]}")/../..}
cd "$root"
found=0

report() {
    printf '%s\n' "$*"
    found=1
}

# arrows KEYWORD: prints a line "module: argument argument" for each module, with its arguments after KEYWORD.
arrows() {
    sed 's/#.*//' src/CMakeLists.txt | tr '\n' ' ' | grep -oE 'tenon_module\([^)]*\)' | awk -v keyword="$1" '{
        gsub(/tenon_module\(|\)/, ""); used = ""; taking = 0
        for (i = 2; i <= NF; ++i) {
            if ($i ~ /^[A-Z_]+$/) taking = ($i == keyword); else if (taking) used = used " " $i
        }
        print $1 ":" used
    }'
}

declare -A uses=()
while IFS=: read -r module used; do uses[$module]=$used; done < <(arrows USES)
[[ ${#uses[@]} -gt 0 ]] || report "src/CMakeLists.txt: no tenon_module() found"

# Most modules are one folder of src/. These folders belong to a module with another name.
declare -A owner=()
while IFS=: read -r module folders; do
    for folder in $folders; do
        owner[$folder]=$module
        [[ -d src/$folder ]] || report "src/CMakeLists.txt: there is no folder src/$folder of module $module"
    done
done < <(arrows FOLDERS)

# Sets `used` to the module of a path below src/, or to nothing.
find_owner_of() {
    local folder=${1%%/*} rest=${1#*/}
    used=${owner[$folder/${rest%%/*}]:-$folder}
    [[ -n ${uses[$used]+known} ]] || used=
}

# Prints the modules that $1 may include: itself, and all that it uses directly or indirectly.
reachable() {
    local queue=("$1") module next
    local -A seen=()
    while [[ ${#queue[@]} -gt 0 ]]; do
        module=${queue[0]}
        queue=("${queue[@]:1}")
        [[ -z ${seen[$module]:-} ]] || continue
        seen[$module]=yes
        for next in ${uses[$module]:-}; do queue+=("$next"); done
    done
    printf ' %s ' "${!seen[@]}"
}

# The module of each public header, by its path below include/tenon.
declare -A home=()
while read -r header module _; do
    [[ -z $header || $header == '#'* ]] || home[$header]=$module
done <src/public_headers.txt

# Prints the sources of a module.
sources_of() {
    local file folder used
    for file in src/"$1"/**/*.{hpp,cpp}; do
        find_owner_of "${file#src/}"
        [[ $used != "$1" ]] || printf '%s\n' "$file"
    done
    for folder in "${!owner[@]}"; do
        [[ ${owner[$folder]} != "$1" ]] || files_in "$folder"
    done
}

# Prints the sources below src/$1, of whatever module.
files_in() {
    local files=(src/"$1"/**/*.hpp src/"$1"/**/*.cpp)
    [[ ${#files[@]} -eq 0 ]] || printf '%s\n' "${files[@]}"
}

# Prints the public headers of a module.
headers_of() {
    local header
    for header in "${!home[@]}"; do
        [[ ${home[$header]} != "$1" || ! -f include/tenon/$header ]] || printf 'include/tenon/%s\n' "$header"
    done
}

# Sets `used` to the module of a header that is named as in an #include, or to nothing: the header is not ours.
find_module_of() {
    used=
    if [[ $1 == tenon/* ]]; then
        used=${home[${1#tenon/}]:-}
    elif [[ $1 == */* ]]; then
        find_owner_of "$1"
    fi
}

# Prints "file:line:header" for each #include of the given files.
includes_of() {
    [[ $# -gt 0 ]] || return 0
    awk '/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
        name = $0
        sub(/^[^<"]*[<"]/, "", name)
        sub(/[">].*/, "", name)
        print FILENAME ":" FNR ":" name
    }' "$@"
}

# Prints those of the files $2... that contain a match of $1, also in comments. Saves reading the others in detail.
files_with() {
    local words=$1
    shift
    [[ $# -eq 0 ]] || grep -lE "$words" "$@" || [[ $? -eq 1 ]]
}

# Prints "line:code" for each line of a file, without comments and without the contents of strings.
code_of() {
    sed -E 's/"([^"\\]|\\.)*"/""/g; s@//.*@@; s@/\*.*\*/@@g' "$1" | grep -n '' || true
}

check_module_includes() {
    local module=$1 allowed file line header used
    allowed=$(reachable "$module")
    while IFS=: read -r file line header; do
        if [[ $header == *../* ]]; then
            report "$file:$line: write the path of $header from src/ or include/, so that its module can be checked"
        fi
        find_module_of "$header"
        [[ -z $used || $allowed == *" $used "* ]] ||
            report "$file:$line: module $module includes $header of module $used, but does not use module $used"
    done < <(mapfile -t files < <(sources_of "$module"; headers_of "$module"); includes_of "${files[@]}")
}

# Each public header has exactly one row in the table, and each row has a header and a module.
check_public_headers() {
    local file header
    for file in include/tenon/**/*.hpp; do
        [[ -n ${home[${file#include/tenon/}]:-} ]] || report "$file: has no row in src/public_headers.txt"
    done
    for header in "${!home[@]}"; do
        [[ -f include/tenon/$header ]] || report "src/public_headers.txt: there is no include/tenon/$header"
        [[ -n ${uses[${home[$header]:-none}]+known} ]] ||
            report "src/public_headers.txt: $header belongs to '${home[$header]}', which is not a module"
    done
    while read -r header; do
        report "src/public_headers.txt: $header has two rows"
    done < <(awk '!/^#/ && NF { print $1 }' src/public_headers.txt | sort | uniq -d)
}

check_includes() {
    local module used
    check_public_headers
    for module in "${!uses[@]}"; do
        for used in ${uses[$module]}; do
            [[ -n ${uses[$used]+known} ]] || report "src/CMakeLists.txt: module $module uses $used, which is not a module"
        done
        check_module_includes "$module"
    done
}

# Reports the includes of the files below src/$1 that begin with one of the other folders, except permitted ones.
check_folder_avoids() {
    local folder=$1 why=$2 file line header other exception
    shift 2
    while IFS=: read -r file line header; do
        for other in "$@"; do
            [[ $header == "$other"/* ]] || continue
            exception="$file $header"
            if [[ -n ${permitted[$exception]+known} ]]; then
                permitted[$exception]=used
            else
                report "$file:$line: $why, but includes $header"
            fi
        done
    done < <(mapfile -t files < <(files_below "$folder"); includes_of "${files[@]}")
}

# Prints the sources below src/$1. For a module with sides: only its shared files, those outside the folders of a side.
files_below() {
    local file folder
    for file in $(files_in "$1"); do
        folder=${file#src/"$1"/} folder=$1/${folder%%/*}
        [[ -n ${side_of[$folder]:-} ]] || printf '%s\n' "$file"
    done
}

check_sides() {
    local row one other folder file header exception module
    local -A permitted=() side_of=()
    for row in "${side_exceptions[@]}"; do
        read -r -d '' file header _ <<<"$row" || true  # `read` fails at the end of the text, after it has read it
        permitted[$file $header]=unused
    done
    for row in "${sides[@]}"; do
        one=${row%|*} other=${row#*|}
        for folder in $one $other; do
            [[ -d src/$folder ]] || report "modules.sh: there is no folder src/$folder, which \`sides\` names"
            side_of[$folder]=yes
        done
        for folder in $one; do check_folder_avoids "$folder" "$folder does not use the other side" $other; done
        for folder in $other; do check_folder_avoids "$folder" "$folder does not use the other side" $one; done
    done
    for module in $(printf '%s\n' "${!side_of[@]}" | cut -d/ -f1 | sort -u); do
        check_folder_avoids "$module" "this file is shared by both sides of $module" \
            $(printf '%s\n' "${!side_of[@]}" | grep "^$module/")
    done
    for exception in "${!permitted[@]}"; do
        [[ ${permitted[$exception]} == used ]] ||
            report "${exception% *}: does not include ${exception#* } any more: remove the exception from modules.sh"
    done
}

# Reads "file:line:header" lines of all sources, and the environment: PURE, "file module" lines of all files of pure
# modules; FORBIDDEN, a regular expression; CRYPTO, the module that may use OpenSSL. Prints a line for each file of a
# pure module that includes a forbidden header, itself or through headers of ours. Names only the first file of a chain
# that is at fault: when a pure module's own header is reported, the files that include it are not.
find_impure_chains() {
    awk -F: '
        function path_of(name, from) {
            if (name ~ /^tenon\//) return "include/" name
            if (("src/" name) in known) return "src/" name
            sub(/[^\/]*$/, "", from)
            return (from name) in known ? from name : ""
        }
        function may_include(file, name) { return module[file] == ENVIRON["CRYPTO"] && name ~ /^openssl\// }
        # Returns the shortest chain from a file to a forbidden header, or "". Sets first_line and second_file.
        function chain_from(start,   queue, head, tail, seen, by, via, file, i, text, target, chain) {
            head = 1; tail = 1; queue[1] = start; seen[start] = 1
            while (head <= tail) {
                file = queue[head++]
                for (i = 1; i <= count[file]; ++i) {
                    text = header[file, i]
                    if (text ~ forbidden && !may_include(start, text)) {
                        chain = " -> <" text ">"
                        first_line = line[file, i]
                        second_file = ""
                        for (; file != start; file = by[file]) {
                            chain = " -> " file chain
                            second_file = file
                            first_line = via[file]
                        }
                        return start chain
                    }
                    target = path_of(text, file)
                    if (target == "" || target in seen) continue
                    seen[target] = 1; by[target] = file; via[target] = line[file, i]
                    queue[++tail] = target
                }
            }
            return ""
        }
        BEGIN {
            forbidden = "^(" ENVIRON["FORBIDDEN"] ")$"
            rows = split(ENVIRON["PURE"], row, "\n")
            for (i = 1; i <= rows; ++i) { split(row[i], cell, " "); module[cell[1]] = cell[2]; known[cell[1]] = 1 }
        }
        { known[$1] = 1; n = ++count[$1]; line[$1, n] = $2; header[$1, n] = $3 }
        END {
            for (r = 1; r <= rows; ++r) {
                split(row[r], cell, " ")
                file = cell[1]
                if (file == "" || (found = chain_from(file)) == "") continue
                from = first_line
                next_file = second_file
                if (next_file in module && chain_from(next_file) != "") continue
                print file ":" from ": pure module " module[file] " must not include: " found
            }
        }'
}

check_purity() {
    local module file line text chains
    local -a files=() everything=(src/**/*.hpp src/**/*.cpp include/**/*.hpp)
    for module in "${pure_modules[@]}"; do
        [[ -n ${uses[$module]+known} ]] || report "modules.sh: $module is listed as pure, but is not a module"
        mapfile -t -O "${#files[@]}" files < <({ sources_of "$module"; headers_of "$module"; } | sed "s/\$/ $module/")
    done
    chains=$(includes_of "${everything[@]}" |
        PURE=$(printf '%s\n' "${files[@]}") FORBIDDEN=$forbidden_headers CRYPTO=$crypto_module find_impure_chains)
    [[ -z $chains ]] || report "$chains"
    for file in $(files_with "$forbidden_words" "${files[@]% *}"); do
        module=${file#src/} module=${home[${file#include/tenon/}]:-${module%%/*}}
        while IFS=: read -r line text; do
            report "$file:$line: pure module $module says ${text#"${text%%[![:space:]]*}"}"
        done < <(code_of "$file" | grep -E "$forbidden_words" || true)
    done
}

check_public() {
    local file line header
    for file in $(files_with '^namespace tenon' include/tenon/**/*.hpp); do
        [[ $program_headers != *" ${file#include/tenon/} "* ]] || continue
        [[ $(grep -cE '^#pragma GCC visibility (push\(default\)|pop)$' "$file") == 2 ]] ||
            report "$file: its namespace is not inside '#pragma GCC visibility push(default)' and 'pop': shared libraries hide it"
    done
    while IFS=: read -r file line header; do
        [[ ! $header =~ ^($private_headers)$ || $file =~ ^include/tenon/(client_)?asio\.hpp$ ]] ||
            report "$file:$line: a public header includes <$header>"
        [[ ! $header =~ ^src/ && ! $header =~ (^|/)\.\./ && -z ${uses[${header%%/*}]+known} ]] ||
            report "$file:$line: a public header includes $header, which is not installed"
    done < <(includes_of include/tenon/**/*.hpp)
}

# Finds comparisons by their spaces: clang-format puts spaces around an operator, but not around a template argument.
check_versions() {
    local file line text
    local name='[A-Za-z_.:>-]*([Rr]evision|[Vv]ersion)(_?\b|\(\))' order='(<|>|<=|>=)' enumerator='([a-z]+::)*Revision::'
    local comparison="$name $order | $order $name|(==|!=) $enumerator|\bcase $enumerator"
    for file in $(files_with "$comparison" {src,tools}/**/*.hpp {src,tools}/**/*.cpp include/**/*.hpp); do
        [[ $file != src/protocol/* ]] || continue
        while IFS=: read -r line text; do
            report "$file:$line: a revision is compared outside src/protocol: ${text#"${text%%[![:space:]]*}"}"
        done < <(code_of "$file" | grep -E "$comparison" || true)
    done
}

check_encoder() {
    local file line text envelope='"jsonrpc\\?"|"jsonrpc": *"'
    for file in $(files_with "$envelope" src/**/*.hpp src/**/*.cpp include/**/*.hpp); do
        [[ $file != src/jsonrpc/* && $file != src/check/* ]] || continue
        while IFS=: read -r line text; do
            report "$file:$line: a message is put together outside src/jsonrpc: ${text#"${text%%[![:space:]]*}"}"
        done < <(sed -E 's@(^|[[:space:]])//.*@@' "$file" | grep -nE "$envelope" || true)
    done
}

# Files of the program that may write to descriptors: out.cpp writes to the terminal, the others to files, pipes and
# events.
writers=' out.cpp files.cpp sampler.cpp interrupt.cpp '
writing='\b(f|v|vf|d)?printf\(|\bf?puts\(|\bputchar\(|\bfwrite\(|std::(cerr|cout|clog)\b|(^|[^A-Za-z0-9_>])::write\(|\bperror\('

check_tools() {
    local file line header text
    while IFS=: read -r file line header; do
        [[ $header == tenon/* || -f ${file%/*}/$header || $header != *.hpp ]] && [[ $header != *asio* ]] ||
            report "$file:$line: the program includes $header, which is not of the public API"
        [[ ! -d src/${header%%/*} || $header == tenon/* ]] ||
            report "$file:$line: the program includes $header, which is inside the library"
    done < <(includes_of tools/**/*.hpp tools/**/*.cpp)
    for file in $(files_with "$writing" tools/**/*.hpp tools/**/*.cpp); do
        [[ $writers != *" ${file##*/} "* ]] || continue
        while IFS=: read -r line text; do
            report "$file:$line: write output through Out: ${text#"${text%%[![:space:]]*}"}"
        done < <(code_of "$file" | grep -E "$writing" || true)
    done
}

case $check in
    includes) check_includes ;;
    sides) check_sides ;;
    purity) check_purity ;;
    public) check_public ;;
    versions) check_versions ;;
    encoder) check_encoder ;;
    tools) check_tools ;;
    *) report "modules.sh: there is no check $check" ;;
esac
exit "$found"
