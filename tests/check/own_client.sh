#!/usr/bin/env bash
# own_client.sh TENON: our own client passes our own checker, over both transports.
set -euo pipefail
tenon=$1
"$tenon" check --client -- "$tenon" list '{url}'
"$tenon" check --client -- "$tenon" list -- '{server}'
