#!/usr/bin/env bash
# Starts redis-server, nodes of `everything` and nginx on this machine, until Ctrl-C: run.sh BIN_DIRECTORY [NODES [PORT]]
set -euo pipefail
bin=$(cd "${1:?the directory of the programs}" && pwd)
nodes=${2:-3} port=${3:-8808}
[[ $nodes =~ ^[1-9][0-9]?$ ]] || { echo "cluster: the number of nodes must be 1 to 99, not $nodes" >&2; exit 2; }
for program in redis-server nginx; do
    command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin
    command -v "$program" >/dev/null || { echo "cluster: $program is not installed" >&2; exit 77; }
done

dir=$(mktemp -d) pids=()
stop() {
    trap - EXIT INT TERM
    [[ ${#pids[@]} -eq 0 ]] || kill "${pids[@]}" 2>/dev/null || true
    wait
    rm -rf "$dir"
}
trap stop EXIT
trap 'exit 0' INT TERM

# wait_for DESCRIPTION COMMAND...: waits until the command succeeds, for at most 15 seconds.
wait_for() {
    local what=$1 end=$((SECONDS + 15))
    shift
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || { echo "cluster: $what does not start; its log:" >&2; tail -n 20 "$dir"/*.log >&2; exit 1; }
        sleep 0.05
    done
}

redis-server --port 0 --unixsocket "$dir/redis.sock" --save '' --dir "$dir" >"$dir/redis.log" 2>&1 &
pids+=($!)
wait_for redis-server grep -qi "ready to accept connections" "$dir/redis.log"

upstream=
for ((i = 1; i <= nodes; i++)); do
    "$bin/everything" --http 0 --store "redis+unix:$dir/redis.sock" 2>"$dir/node$i.log" >/dev/null &
    pids+=($!)
    wait_for "node $i" grep -q 'serving http' "$dir/node$i.log"
    at=$(grep -o 'http://127.0.0.1:[0-9]*' "$dir/node$i.log" | head -n 1)
    upstream+="server ${at#http://} max_fails=1 fail_timeout=1s; "
    echo "node $i: $at/mcp"
done

cat >"$dir/nginx.conf" <<END
pid $dir/nginx.pid;
error_log $dir/nginx.log;
events { worker_connections 1024; }
http {
    access_log off;
    client_body_temp_path $dir/body; proxy_temp_path $dir/proxy; fastcgi_temp_path $dir/fastcgi;
    uwsgi_temp_path $dir/uwsgi; scgi_temp_path $dir/scgi;
    upstream nodes { ${upstream} keepalive 32; }
    server {
        listen 127.0.0.1:$port;
        location / {
            proxy_pass http://nodes;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host \$http_host;
            proxy_buffering off;
            proxy_read_timeout 1h;
            client_max_body_size 16m;
        }
    }
}
END
nginx -c "$dir/nginx.conf" -e "$dir/nginx.log" -g 'daemon off;' &
pids+=($!)
wait_for nginx bash -c "exec 3<>/dev/tcp/127.0.0.1/$port"
echo "cluster: http://127.0.0.1:$port/mcp"
echo "try:     $bin/tenon call http://127.0.0.1:$port/mcp echo message=hello"
wait -n || true
echo "cluster: a process has ended; stopping" >&2
