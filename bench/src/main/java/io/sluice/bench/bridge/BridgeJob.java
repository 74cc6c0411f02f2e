package io.sluice.bench.bridge;

import io.sluice.bench.record.Format;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    /** The name of the instance in a server of Sluice. */
    static final String DESTINATION = "bench";

    /** A job into a topic with one partition, for changes that are not those of a cell. */
    public static BridgeJob single(
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

    /** Returns a copy of the job that writes into other topics. */
    public BridgeJob into(String otherBase) {
        return new BridgeJob(host, port, binlog, bootstrapServers, otherBase, cell, folder);
    }

    public Format format() {
        return cell.format();
    }

    /** The topics, which exist already. */
    public List<String> topics() {
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

    /** The lines of {@code canal.properties} that the job needs. */
    public List<String> serverSettings() {
        List<String> lines = new ArrayList<>(List.of(
                "canal.destinations = " + DESTINATION,
                "canal.auto.scan = false",
                "canal.serverMode = kafka",
                format().configLine(),
                "kafka.bootstrap.servers = " + bootstrapServers));
        if (cell.compression() != Compression.NONE) {
            lines.add("kafka.compression.type = " + cell.compression().spelled());
        }
        return lines;
    }

    /** Writes the {@code instance.properties} of the job. */
    public void writeInstance(Path conf) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "canal.instance.master.address = %s:%d".formatted(host, port),
                "canal.instance.dbUsername = " + RecordedBinlog.USER,
                "canal.instance.dbPassword = " + RecordedBinlog.PASSWORD,
                "canal.instance.master.journal.name = " + binlog.file(),
                "canal.instance.master.position = " + binlog.offset(),
                "canal.instance.filter.regex = " + Tables.SCHEMA + "\\\\..*",
                "canal.mq.topic = " + topic(),
                "canal.mq.partition = 0"));
        if (!topicRules().isEmpty()) {
            lines.add("canal.mq.dynamicTopic = " + topicRules());
        }
        String hash = cell.routing().hashRule();
        if (!hash.isEmpty()) {
            lines.add("canal.mq.partitionsNum = " + cell.routing().partitions());
            lines.add("canal.mq.partitionHash = " + hash.replace("\\", "\\\\"));
        }
        Path instance = Files.createDirectories(conf.resolve(DESTINATION));
        Files.write(instance.resolve("instance.properties"), lines);
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
