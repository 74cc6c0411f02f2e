package io.sluice.bench.e2e;

import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.WorkloadKind;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How records are routed to topics and partitions. */
enum Routing {
    /** One topic with one partition. */
    SINGLE("1x1", 1),
    /** One topic with three partitions, chosen by the hash of the primary key. */
    HASHED("1x3", 3),
    /** A topic with one partition for each table. */
    TOPICS("topics", 1);

    private final String spelled;
    private final int partitions;

    Routing(String spelled, int partitions) {
        this.spelled = spelled;
        this.partitions = partitions;
    }

    /** Reads the name. */
    static final class Converter implements ITypeConverter<Routing> {
        @Override
        public Routing convert(String value) {
            for (Routing one : values()) {
                if (one.spelled.equals(value)) {
                    return one;
                }
            }
            throw new TypeConversionException("'%s' is not 1x1, 1x3 or topics".formatted(value));
        }
    }

    /** The name in options and reports. */
    String spelled() {
        return spelled;
    }

    /** The number of partitions of each topic. */
    int partitions() {
        return partitions;
    }

    /** The topics of a workload, whose names begin with {@code base}. Rows that no rule matches go to the first. */
    List<String> topics(String base, WorkloadKind kind) {
        return switch (this) {
            case SINGLE, HASHED -> List.of(base);
            case TOPICS ->
                kind.tables().stream().map(table -> base + "-" + table).toList();
        };
    }

    /** The rules of {@code canal.mq.dynamicTopic}; empty if there is one topic only. */
    String topicRules(String base, WorkloadKind kind) {
        return switch (this) {
            case SINGLE, HASHED -> "";
            case TOPICS ->
                kind.tables().stream()
                        .map(table -> "%s-%s:%s.%s".formatted(base, table, Tables.SCHEMA, table))
                        .collect(Collectors.joining(","));
        };
    }

    /** The rule of {@code canal.mq.partitionHash}; empty if there is one partition only. */
    String hashRule() {
        return this == HASHED ? ".*\\..*:$pk$" : "";
    }
}
