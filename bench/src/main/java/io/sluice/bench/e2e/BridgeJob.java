package io.sluice.bench.e2e;

import io.sluice.bench.workload.RecordedBinlog;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a bridge is to carry.
 *
 * @param host where the MySQL server listens
 * @param port its port
 * @param binlog what it has, and where to begin
 * @param bootstrapServers where Kafka listens
 * @param topic where to; it is there, with one partition
 * @param form what the records are to look like
 * @param folder an empty folder of the bridge's own, which is deleted after the run
 */
public record BridgeJob(
        String host, int port, RecordedBinlog binlog, String bootstrapServers, String topic, Form form, Path folder) {
    /** The same for a script. */
    Map<String, String> environment() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("MYSQL_HOST", host);
        variables.put("MYSQL_PORT", Integer.toString(port));
        variables.put("MYSQL_USER", RecordedBinlog.USER);
        variables.put("MYSQL_PASSWORD", RecordedBinlog.PASSWORD);
        variables.put("BINLOG_FILE", binlog.file());
        variables.put("BINLOG_POSITION", Long.toString(binlog.offset()));
        variables.put("KAFKA_BOOTSTRAP", bootstrapServers);
        variables.put("TOPIC", topic);
        variables.put("MODE", form.spelled());
        variables.put("WORK_DIR", folder.toString());
        return variables;
    }
}
