#!/usr/bin/env bash
# canal with the batch size at which it is fastest, for bench/e2e.sh --peer.

CANAL_BATCH_SIZE=${CANAL_BATCH_SIZE:-400} exec "$(dirname "$(readlink -f "$0")")/canal.sh" "$@"
