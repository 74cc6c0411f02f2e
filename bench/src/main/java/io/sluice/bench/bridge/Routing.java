package io.sluice.bench.bridge;

import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.Workload;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How records are routed to topics and partitions.
 *
 * @param spelled the name in options and reports
 * @param partitions the number of partitions of each topic; the hash of the primary key chooses between several
 * @param isByTable whether each table has a topic
 * @param tables the number of tables that the workload must have; 0 for its default
 */
public record Routing(String spelled, int partitions, boolean isByTable, int tables) {
    private static final Pattern PARTITIONS = Pattern.compile("1x([1-9][0-9]{0,3})");
    private static final Pattern TOPICS = Pattern.compile("topics([1-9][0-9]{0,3})?");

    /** One topic with one partition. */
    public static final Routing SINGLE = of("1x1");

    /**
     * Reads a name: {@code 1xN} for one topic with N partitions, {@code topics} for a topic for each table, or {@code topicsN} for the
     * same with N tables.
     */
    public static Routing of(String name) {
        Matcher partitions = PARTITIONS.matcher(name);
        if (partitions.matches()) {
            return new Routing(name, Integer.parseInt(partitions.group(1)), false, 0);
        }
        Matcher topics = TOPICS.matcher(name);
        if (topics.matches()) {
            return new Routing(name, 1, true, topics.group(1) == null ? 0 : Integer.parseInt(topics.group(1)));
        }
        throw new TypeConversionException("'%s' is none of 1xN, topics and topicsN".formatted(name));
    }

    /** Reads the name in an option. */
    public static final class Converter implements ITypeConverter<Routing> {
        @Override
        public Routing convert(String value) {
            return of(value);
        }
    }

    /** The topics of a workload, whose names begin with {@code base}. Rows that no rule matches go to the first. */
    List<String> topics(String base, Workload workload) {
        return isByTable
                ? workload.tables().stream().map(table -> base + "-" + table).toList()
                : List.of(base);
    }

    /** The rules of {@code canal.mq.dynamicTopic}; empty if there is one topic only. */
    String topicRules(String base, Workload workload) {
        return isByTable
                ? workload.tables().stream()
                        .map(table -> "%s-%s:%s.%s".formatted(base, table, Tables.SCHEMA, table))
                        .collect(Collectors.joining(","))
                : "";
    }

    /** The rule of {@code canal.mq.partitionHash}; empty if there is one partition only. */
    String hashRule() {
        return partitions > 1 ? ".*\\..*:$pk$" : "";
    }
}
