package io.sluice.bench.e2e;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a bridge is to carry.
 *
 * @param host where the MySQL server listens
 * @param port its port
 * @param binlog what it has, and where to begin
 * @param bootstrapServers where Kafka listens
 * @param base what the names of the topics begin with
 * @param cell what the records are to look like, and where they go
 * @param folder an empty folder of the bridge's own, which is deleted after the run
 */
public record BridgeJob(
        String host, int port, RecordedBinlog binlog, String bootstrapServers, String base, Cell cell, Path folder) {
    /** For changes that are made while the bridge runs: into a topic with one partition. */
    public static BridgeJob live(
            String host,
            int port,
            RecordedBinlog begin,
            String bootstrapServers,
            String topic,
            Form form,
            Path folder) {
        Cell cell = new Cell(Workload.usual(WorkloadKind.MIXED), form, Layout.SINGLE, Compression.NONE);
        return new BridgeJob(host, port, begin, bootstrapServers, topic, cell, folder);
    }

    /** The same into other topics. */
    BridgeJob into(String otherBase) {
        return new BridgeJob(host, port, binlog, bootstrapServers, otherBase, cell, folder);
    }

    /** What the records are to look like. */
    public Form form() {
        return cell.form();
    }

    /** The topics, which are there. */
    List<String> topics() {
        return cell.layout().topics(base, cell.workload().kind());
    }

    /** Where all goes that no rule sends elsewhere. */
    public String topic() {
        return topics().get(0);
    }

    /** The rules of {@code canal.mq.dynamicTopic}; empty for none. */
    String topicRules() {
        return cell.layout().topicRules(base, cell.workload().kind());
    }

    /** The same for a script. */
    Map<String, String> environment() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("MYSQL_HOST", host);
        variables.put("MYSQL_PORT", Integer.toString(port));
        variables.put("MYSQL_USER", RecordedBinlog.USER);
        variables.put("MYSQL_PASSWORD", RecordedBinlog.PASSWORD);
        variables.put("MYSQL_ADMIN", "root");
        variables.put("BINLOG_FILE", binlog.file());
        variables.put("BINLOG_POSITION", Long.toString(binlog.offset()));
        variables.put("KAFKA_BOOTSTRAP", bootstrapServers);
        variables.put("TOPIC", topic());
        variables.put("DYNAMIC_TOPIC", topicRules());
        variables.put("PARTITIONS", Integer.toString(cell.layout().partitions()));
        variables.put("PARTITION_HASH", cell.layout().hashRule());
        variables.put("COMPRESSION", cell.compression().spelled());
        variables.put("MODE", form().spelled());
        variables.put("LAYOUT", cell.layout().spelled());
        variables.put("WORK_DIR", folder.toString());
        return variables;
    }
}
