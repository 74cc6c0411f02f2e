package io.sluice.bench.e2e;

import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.WorkloadKind;
import java.util.List;
import java.util.stream.Collectors;

/** How records are spread over topics and partitions. */
enum Layout {
    /** One topic with one partition. */
    SINGLE("1x1", 1),
    /** One topic with three partitions, chosen by the hash of the primary key. */
    HASHED("1x3", 3),
    /** A topic with one partition for each table. */
    TOPICS("topics", 1);

    private final String spelled;
    private final int partitions;

    Layout(String spelled, int partitions) {
        this.spelled = spelled;
        this.partitions = partitions;
    }

    /** As options and reports spell it. */
    String spelled() {
        return spelled;
    }

    /** How many partitions each topic has. */
    int partitions() {
        return partitions;
    }

    /** The topics of a workload, whose names begin with {@code base}. What no rule sends elsewhere goes to the first. */
    List<String> topics(String base, WorkloadKind kind) {
        return switch (this) {
            case SINGLE, HASHED -> List.of(base);
            case TOPICS ->
                kind.tables().stream().map(table -> base + "-" + table).toList();
        };
    }

    /** The rules of {@code canal.mq.dynamicTopic}; empty where there is one topic only. */
    String topicRules(String base, WorkloadKind kind) {
        return switch (this) {
            case SINGLE, HASHED -> "";
            case TOPICS ->
                kind.tables().stream()
                        .map(table -> "%s-%s:%s.%s".formatted(base, table, Tables.SCHEMA, table))
                        .collect(Collectors.joining(","));
        };
    }

    /** The rule of {@code canal.mq.partitionHash}; empty where there is one partition only. */
    String hashRule() {
        return this == HASHED ? ".*\\..*:$pk$" : "";
    }
}
