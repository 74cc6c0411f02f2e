#!/usr/bin/env bash
# Maxwell with its Kafka producer, for bench/bench.sh e2e --peer. Its settings are the shipped ones, but for where it begins.
#
# It keeps what it knows about tables in a schema of its own. That is made by MYSQL_ADMIN with the binlog off, and dropped in
# the end, so that what was recorded stays as it is.

# shellcheck source-path=SCRIPTDIR
. "$(dirname "$(readlink -f "$0")")/peer.sh"

settings() {
    cat <<END
log_level=info
client_id=bench
replica_server_id=918274
filter=exclude: *.*, include: bench.*
host=$MYSQL_HOST
port=$MYSQL_PORT
user=$MYSQL_ADMIN
password=
jdbc_options=useSSL=false&sessionVariables=sql_log_bin=0
schema_database=maxwell
replication_host=$MYSQL_HOST
replication_port=$MYSQL_PORT
replication_user=$MYSQL_USER
replication_password=$MYSQL_PASSWORD
replication_jdbc_options=useSSL=false
producer=kafka
kafka.bootstrap.servers=$KAFKA_BOOTSTRAP
kafka.compression.type=$COMPRESSION
kafka_topic=$TOPIC
END
    [ "$PARTITIONS" = 1 ] || echo "producer_partition_by=primary_key"
}

# fetch_maxwell: fetches it, and compiles what it needs of ours.
fetch_maxwell() {
    fetch maxwell
    if [ ! -d "$home/classes" ] || [ -n "$(find "$here" -name '*.java' -newer "$home/classes")" ]; then
        rm -rf "$home/classes"
        "${java}c" -d "$home/classes" "$here"/*.java
    fi
    class_path=$home/classes:$home/lib/*
}

# drop_store: removes the schema, also one that a broken run left.
drop_store() {
    "$java" -XX:TieredStopAtLevel=1 -cp "$class_path" DropSchema \
        "jdbc:mysql://$MYSQL_HOST:$MYSQL_PORT/?useSSL=false" "$MYSQL_ADMIN" maxwell >>"$WORK_DIR/drop.log" 2>&1
}

case ${1:-} in
    fetch) fetch_maxwell ;;
    start)
        only_json Maxwell
        fetch_maxwell
        drop_store
        settings >"$WORK_DIR/config.properties"
        echo "records=maxwell"
        run -Dfile.encoding=UTF-8 -cp "$class_path" com.zendesk.maxwell.Maxwell \
            --config "$WORK_DIR/config.properties" --init_position "$BINLOG_FILE:$BINLOG_POSITION"
        ;;
    stop)
        fetch_maxwell
        end
        drop_store
        ;;
    *) usage "PEER_JAVA_OPTS: options of its JVM (-Xmx4g)." ;;
esac
