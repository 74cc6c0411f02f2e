#!/usr/bin/env bash
# Maxwell with its Kafka producer, for bench/e2e.sh --peer. Its settings are the shipped ones, but for where it begins.
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
init_position=$BINLOG_FILE:$BINLOG_POSITION
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
kafka_topic=$TOPIC
END
}

# drop_store: removes the schema, also one that a broken run left.
drop_store() {
    [ "$home/DropSchema.class" -nt "$here/DropSchema.java" ] || "${java}c" -d "$home" "$here/DropSchema.java"
    "$java" -XX:TieredStopAtLevel=1 -cp "$home:$home/lib/*" DropSchema \
        "jdbc:mysql://$MYSQL_HOST:$MYSQL_PORT/?useSSL=false" "$MYSQL_ADMIN" maxwell >>"$WORK_DIR/drop.log" 2>&1
}

case ${1:-} in
    fetch) fetch maxwell ;;
    start)
        only_json Maxwell
        fetch maxwell
        drop_store
        settings >"$WORK_DIR/config.properties"
        echo "records=maxwell"
        run -Dfile.encoding=UTF-8 -cp "$home/lib/*" com.zendesk.maxwell.Maxwell --config "$WORK_DIR/config.properties"
        ;;
    stop)
        fetch maxwell
        end
        drop_store
        ;;
    *) usage "PEER_JAVA_OPTS: options of its JVM (-Xmx4g)." ;;
esac
