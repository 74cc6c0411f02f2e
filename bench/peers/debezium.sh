#!/usr/bin/env bash
# Debezium's MySQL connector in a standalone Kafka Connect worker, for bench/bench.sh e2e --peer. Its settings are the shipped ones,
# but for where it begins, one topic for all tables, JSON without schemas, and decimals as text.

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "$0")")/peer.sh"

connector() {
    cat <<END
{
  "name": "bench",
  "initial_state": "STOPPED",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "topic.prefix": "bench",
    "database.hostname": "$MYSQL_HOST",
    "database.port": "$MYSQL_PORT",
    "database.user": "$MYSQL_USER",
    "database.password": "$MYSQL_PASSWORD",
    "database.server.id": "918273",
    "database.include.list": "bench",
    "include.schema.changes": "false",
    "snapshot.mode": "recovery",
    "snapshot.locking.mode": "none",
    "schema.history.internal": "io.debezium.storage.file.history.FileSchemaHistory",
    "schema.history.internal.file.filename": "$WORK_DIR/history",
    "decimal.handling.mode": "string",
    "tombstones.on.delete": "false",
    "transforms": "topic",
    "transforms.topic.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.topic.regex": ".*",
    "transforms.topic.replacement": "$TOPIC"
  }
}
END
}

worker() {
    cat <<END
bootstrap.servers=$KAFKA_BOOTSTRAP
listeners=http://127.0.0.1:$1
plugin.path=$home/plugins
offset.storage.file.filename=$WORK_DIR/offsets
key.converter=org.apache.kafka.connect.json.JsonConverter
key.converter.schemas.enable=false
value.converter=org.apache.kafka.connect.json.JsonConverter
value.converter.schemas.enable=false
producer.compression.type=$COMPRESSION
END
}

# ask METHOD PATH [BODY]: a request to the worker, repeated until it can answer.
ask() {
    curl --silent --show-error --fail --output /dev/null --max-time 60 --retry 120 --retry-delay 1 --retry-all-errors \
        --request "$1" --header 'Content-Type: application/json' ${3:+--data "$3"} "http://127.0.0.1:$port/connectors/bench/$2"
}

case ${1:-} in
    fetch) fetch debezium ;;
    start)
        only_json Debezium
        fetch debezium
        port=$(free_port)
        worker "$port" >"$WORK_DIR/worker.properties"
        connector >"$WORK_DIR/connector.json"
        echo "records=debezium"
        pid=$(run -cp "$home/lib/*" org.apache.kafka.connect.cli.ConnectStandalone \
            "$WORK_DIR/worker.properties" "$WORK_DIR/connector.json")
        ask PATCH offsets "{\"offsets\": [{\"partition\": {\"server\": \"bench\"},
            \"offset\": {\"file\": \"$BINLOG_FILE\", \"pos\": $BINLOG_POSITION}}]}" 2>>"$WORK_DIR/peer.log"
        ask PUT resume 2>>"$WORK_DIR/peer.log"
        echo "$pid"
        ;;
    stop) end ;;
    *) usage "PEER_JAVA_OPTS: options of its JVM (-Xmx4g)." ;;
esac
