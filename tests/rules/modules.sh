#!/usr/bin/env bash
# Fails when a module uses something that it may not use. The tenon_module() lines of src/CMakeLists.txt say which
# module may use which.
#
# usage: modules.sh CHECK [ROOT]
#   includes   a module includes only headers of the modules it uses, directly or through others
#   purity     a pure module has no I/O, clock, thread or randomness
#   public     a public header includes no network or TLS header and nothing of src/
#   versions   revisions are compared only in src/protocol
#   encoder    only src/jsonrpc writes the envelope of a message, except src/check, which must also write wrong ones
#   tools      the program includes only public headers and its own headers, and writes to the terminal only through Out
set -euo pipefail
shopt -s globstar nullglob

pure_modules=(base json schema jsonrpc framing jose protocol core web auth)
crypto_module=jose  # pure except for OpenSSL, which makes its own random numbers

forbidden_headers='thread|mutex|shared_mutex|condition_variable|future|semaphore|latch|barrier|random|iostream|fstream|filesystem'
forbidden_headers+='|cstdio|stdio\.h|unistd\.h|fcntl\.h|sys/.*|netinet/.*|arpa/.*|netdb\.h|poll\.h|pthread\.h|signal\.h|csignal'
forbidden_headers+='|ctime|time\.h|boost/asio.*|asio.*|boost/beast.*|boost/thread.*|boost/process.*|openssl/.*'
forbidden_words='::now\(|\bs?rand\(|\brandom_device\b|\b(f|v|vf)?printf\(|\bputs\(|std::(cerr|cout|clog|cin)\b|\bgetenv\(|\bsleep_(for|until)\('

private_headers='boost/asio.*|asio\.hpp|asio/.*|boost/beast.*|openssl/.*'

check=${1:?modules.sh needs the name of a check}
root=${2:-$(dirname "${BASH_SOURCE[0]}")/../..}
cd "$root"
found=0

report() {
    printf '%s\n' "$*"
    found=1
}

# Prints a line "module: used used" for each module.
arrows() {
    sed 's/#.*//' src/CMakeLists.txt | tr '\n' ' ' | grep -oE 'tenon_module\([^)]*\)' | awk '{
        gsub(/tenon_module\(|\)/, ""); used = ""; taking = 0
        for (i = 2; i <= NF; ++i) {
            if ($i ~ /^[A-Z_]+$/) taking = ($i == "USES"); else if (taking) used = used " " $i
        }
        print $1 ":" used
    }'
}

declare -A uses=()
while IFS=: read -r module used; do uses[$module]=$used; done < <(arrows)
[[ ${#uses[@]} -gt 0 ]] || report "src/CMakeLists.txt: no tenon_module() found"

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

sources_of() { printf '%s\n' src/"$1"/**/*.hpp src/"$1"/**/*.cpp; }

# Prints "line:header" for each #include of a file.
includes_of() {
    sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^">]+)[">].*/\1/;T;=;p' "$1" | paste -d: - -
}

# Prints "line:code" for each line of a file, without comments and without the contents of strings.
code_of() {
    sed -E 's/"([^"\\]|\\.)*"/""/g; s@//.*@@; s@/\*.*\*/@@g' "$1" | grep -n '' || true
}

check_module_includes() {
    local module=$1 allowed file line header
    allowed=$(reachable "$module")
    for file in $(sources_of "$module"); do
        while IFS=: read -r line header; do
            [[ -n ${uses[${header%%/*}]+known} && $header == */* ]] || continue
            [[ $allowed == *" ${header%%/*} "* ]] ||
                report "$file:$line: module $module includes $header, but does not use module ${header%%/*}"
        done < <(includes_of "$file")
    done
}

check_includes() {
    local module used
    for module in "${!uses[@]}"; do
        for used in ${uses[$module]}; do
            [[ -n ${uses[$used]+known} ]] || report "src/CMakeLists.txt: module $module uses $used, which is not a module"
        done
        check_module_includes "$module"
    done
}

check_purity() {
    local module file line header text
    for module in "${pure_modules[@]}"; do
        for file in $(sources_of "$module"); do
            while IFS=: read -r line header; do
                [[ $module != "$crypto_module" || $header != openssl/* ]] || continue
                [[ ! $header =~ ^($forbidden_headers)$ ]] || report "$file:$line: pure module $module includes <$header>"
            done < <(includes_of "$file")
            while IFS=: read -r line text; do
                report "$file:$line: pure module $module says ${text#"${text%%[![:space:]]*}"}"
            done < <(code_of "$file" | grep -E "$forbidden_words" || true)
        done
    done
}

check_public() {
    local file line header
    for file in include/tenon/**/*.hpp; do
        while IFS=: read -r line header; do
            [[ ! $header =~ ^($private_headers)$ || $file =~ ^include/tenon/(client_)?asio\.hpp$ ]] ||
                report "$file:$line: a public header includes <$header>"
            [[ ! $header =~ ^src/ && ! $header =~ (^|/)\.\./ && -z ${uses[${header%%/*}]+known} ]] ||
                report "$file:$line: a public header includes $header, which is not installed"
        done < <(includes_of "$file")
    done
}

# Finds comparisons by their spaces: clang-format puts spaces around an operator, but not around a template argument.
check_versions() {
    local file line text
    local name='[A-Za-z_.:>-]*([Rr]evision|[Vv]ersion)(_?\b|\(\))' order='(<|>|<=|>=)' enumerator='([a-z]+::)*Revision::'
    for file in src/**/*.hpp src/**/*.cpp include/**/*.hpp tools/**/*.hpp tools/**/*.cpp; do
        [[ $file != src/protocol/* ]] || continue
        while IFS=: read -r line text; do
            report "$file:$line: a revision is compared outside src/protocol: ${text#"${text%%[![:space:]]*}"}"
        done < <(code_of "$file" | grep -E "$name $order | $order $name|(==|!=) $enumerator|\bcase $enumerator" || true)
    done
}

check_encoder() {
    local file line text
    for file in src/**/*.hpp src/**/*.cpp include/**/*.hpp; do
        [[ $file != src/jsonrpc/* && $file != src/check/* ]] || continue
        while IFS=: read -r line text; do
            report "$file:$line: a message is put together outside src/jsonrpc: ${text#"${text%%[![:space:]]*}"}"
        done < <(sed -E 's@(^|[[:space:]])//.*@@' "$file" | grep -nE '"jsonrpc\\?"|"jsonrpc": *"' || true)
    done
}

# Files of the program that may write to descriptors: out.cpp writes to the terminal, the others to files, pipes and
# events.
writers=' out.cpp files.cpp sampler.cpp interrupt.cpp '
writing='\b(f|v|vf|d)?printf\(|\bf?puts\(|\bputchar\(|\bfwrite\(|std::(cerr|cout|clog)\b|(^|[^A-Za-z0-9_>])::write\(|\bperror\('

check_tools() {
    local file line header text
    for file in tools/**/*.hpp tools/**/*.cpp; do
        while IFS=: read -r line header; do
            [[ $header == tenon/* || -f $(dirname "$file")/$header || $header != *.hpp ]] && [[ $header != *asio* ]] ||
                report "$file:$line: the program includes $header, which is not of the public API"
            [[ ! -d src/${header%%/*} || $header == tenon/* ]] ||
                report "$file:$line: the program includes $header, which is inside the library"
        done < <(includes_of "$file")
        [[ $writers != *" $(basename "$file") "* ]] || continue
        while IFS=: read -r line text; do
            report "$file:$line: what is shown goes through Out: ${text#"${text%%[![:space:]]*}"}"
        done < <(code_of "$file" | grep -E "$writing" || true)
    done
}

case $check in
    includes) check_includes ;;
    purity) check_purity ;;
    public) check_public ;;
    versions) check_versions ;;
    encoder) check_encoder ;;
    tools) check_tools ;;
    *) report "modules.sh: there is no check $check" ;;
esac
exit "$found"
