package io.sluice.bench.e2e;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a bridge has to do in one run.
 *
 * @param host the host of the MySQL server
 * @param port its port
 * @param binlog the binlog to read, and the position to start from
 * @param bootstrapServers the addresses of Kafka's brokers
 * @param base the beginning of the topics' names
 * @param cell the format and the routing of the records
 * @param folder an empty folder for the bridge, deleted after the run
 */
public record BridgeJob(
        String host, int port, RecordedBinlog binlog, String bootstrapServers, String base, Cell cell, Path folder) {
    /** A job for changes that are made while the bridge runs, into a topic with one partition. */
    public static BridgeJob live(
            String host,
            int port,
            RecordedBinlog begin,
            String bootstrapServers,
            String topic,
            Format format,
            Path folder) {
        Cell cell = new Cell(Workload.usual(WorkloadKind.MIXED), format, Routing.SINGLE, Compression.NONE);
        return new BridgeJob(host, port, begin, bootstrapServers, topic, cell, folder);
    }

    /** The same job into other topics. */
    BridgeJob into(String otherBase) {
        return new BridgeJob(host, port, binlog, bootstrapServers, otherBase, cell, folder);
    }

    public Format format() {
        return cell.format();
    }

    /** The topics, which exist already. */
    List<String> topics() {
        return cell.routing().topics(base, cell.workload());
    }

    /** The topic for all rows that no rule matches. */
    public String topic() {
        return topics().get(0);
    }

    /** The rules of {@code canal.mq.dynamicTopic}; empty for none. */
    String topicRules() {
        return cell.routing().topicRules(base, cell.workload());
    }

    /** The job as environment variables of a script. */
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
        variables.put("PARTITIONS", Integer.toString(cell.routing().partitions()));
        variables.put("PARTITION_HASH", cell.routing().hashRule());
        variables.put("COMPRESSION", cell.compression().spelled());
        variables.put("FORMAT", format().spelled());
        variables.put("ROUTING", cell.routing().spelled());
        variables.put("WORK_DIR", folder.toString());
        return variables;
    }
}
