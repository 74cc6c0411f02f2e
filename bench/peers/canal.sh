#!/usr/bin/env bash
# canal, for bench/bench.sh e2e --peer. Its settings are the shipped ones, but for where it begins, and no history of tables.
#
# Maven Central has canal's classes, but not the wiring that a server starts from, so there is nothing to fetch: CANAL_PACKAGE
# names the canal.deployer-*.tar.gz of a release, or it lies in bench/target/peers.

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "$0")")/peer.sh"

find_package() {
    package=${CANAL_PACKAGE:-$(find "$root/bench/target/peers" -maxdepth 1 -name 'canal.deployer-*.tar.gz' 2>/dev/null | sort | tail -n 1)}
    if [ ! -f "$package" ]; then
        echo "There is no canal. Get canal.deployer-VERSION.tar.gz from canal's releases, and name it in CANAL_PACKAGE." >&2
        exit 1
    fi
}

# The last line with a key is the one that counts, so what is set here is after what canal ships.
server_settings() {
    cat <<END

canal.destinations = bench
canal.auto.scan = false
canal.port = $(free_port)
canal.admin.port =
canal.metrics.pull.port = $(free_port)
canal.serverMode = kafka
canal.mq.flatMessage = $([ "$FORMAT" = flat ] && echo true || echo false)
kafka.bootstrap.servers = $KAFKA_BOOTSTRAP
kafka.compression.type = $COMPRESSION
canal.instance.tsdb.enable = false
END
    [ -z "${CANAL_BATCH_SIZE:-}" ] || echo "canal.mq.canalBatchSize = $CANAL_BATCH_SIZE"
}

instance_settings() {
    cat <<END

canal.instance.master.address = $MYSQL_HOST:$MYSQL_PORT
canal.instance.master.journal.name = $BINLOG_FILE
canal.instance.master.position = $BINLOG_POSITION
canal.instance.dbUsername = $MYSQL_USER
canal.instance.dbPassword = $MYSQL_PASSWORD
canal.instance.filter.regex = bench\\\\..*
canal.instance.tsdb.enable = false
canal.mq.topic = $TOPIC
canal.mq.partition = 0
END
    [ -z "$DYNAMIC_TOPIC" ] || echo "canal.mq.dynamicTopic = $DYNAMIC_TOPIC"
    if [ -n "$PARTITION_HASH" ]; then
        echo "canal.mq.partitionsNum = $PARTITIONS"
        echo "canal.mq.partitionHash = ${PARTITION_HASH//\\/\\\\}"
    fi
}

case ${1:-} in
    fetch) find_package ;;
    start)
        if [ "$FORMAT" = debezium ]; then
            echo "canal has no format debezium" >&2
            exit 3
        fi
        find_package
        tar xzf "$package" -C "$WORK_DIR"
        server_settings >>"$WORK_DIR/conf/canal.properties"
        mkdir "$WORK_DIR/conf/bench"
        { cat "$WORK_DIR/conf/example/instance.properties" && instance_settings; } >"$WORK_DIR/conf/bench/instance.properties"
        mkdir -p "$WORK_DIR/logs/canal" "$WORK_DIR/logs/adapter"
        ln -s logs/canal/canal.log "$WORK_DIR/peer.log"
        # Some releases give Java options that it no longer knows.
        JAVA_OPTS="-XX:+IgnoreUnrecognizedVMOptions ${java_options[*]}" "$WORK_DIR/bin/startup.sh" >"$WORK_DIR/startup.log" 2>&1
        sleep 0.5
        if ! kill -0 "$(cat "$WORK_DIR/bin/canal.pid")" 2>/dev/null; then
            cat "$WORK_DIR/startup.log" "$WORK_DIR/logs/canal/canal_stdout.log"
            exit 1
        fi
        cat "$WORK_DIR/bin/canal.pid"
        ;;
    stop) end "$WORK_DIR/bin/canal.pid" ;;
    *) usage "CANAL_PACKAGE: the tar.gz; CANAL_BATCH_SIZE: canal.mq.canalBatchSize; PEER_JAVA_OPTS: for its JVM (-Xmx4g)." ;;
esac
