package io.sluice.server.check;

import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Route;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.TopicPartitions;
import io.sluice.format.split.RowKey;
import io.sluice.server.config.server.ServerMode;
import io.sluice.stream.source.schema.SourceCatalog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Notes of the keys by which the rows of a source's tables go to partitions, and of the keys of their messages. */
final class KeyNotes {
    /** The brokers that can keep the newest message of each key alone. */
    private static final Set<ServerMode> COMPACTING = Set.of(ServerMode.KAFKA, ServerMode.PULSARMQ);

    /** So many are named. */
    private static final int MAX_NAMED = 5;

    private KeyNotes() {}

    /**
     * What is probably not known of the keys.
     *
     * @param tables that are delivered
     */
    static List<String> of(ServerMode mode, RoutingRules rules, List<SourceCatalog.Table> tables) {
        Map<String, List<String>> byTopic = new LinkedHashMap<>();
        List<String> caseless = new ArrayList<>();
        for (SourceCatalog.Table table : tables) {
            String name = table.schema() + "." + table.table();
            Route route = rules.explain(table.schema(), table.table(), TopicPartitions.UNKNOWN)
                    .route();
            if (hasColumns(route.messageKey(), table)) {
                byTopic.computeIfAbsent(route.topic(), unused -> new ArrayList<>())
                        .add(name);
            }
            String column = caseless(route.messageKey(), table);
            if (column == null && route.partitioning() instanceof Partitioning.ByKey byKey && byKey.count() > 1) {
                column = caseless(byKey.key(), table);
            }
            if (column != null) {
                caseless.add(name + "." + column);
            }
        }
        List<String> notes = new ArrayList<>();
        if (!caseless.isEmpty()) {
            notes.add(
                    ("rows go to partitions, or messages have keys, by %s, and its collation takes several spellings for one key: here each"
                                    + " spelling is a key of its own, so that changes of one key can be in several partitions; use a collation *_bin"
                                    + " for such columns, or other columns")
                            .formatted(named(caseless)));
        }
        if (COMPACTING.contains(mode)) {
            byTopic.forEach((topic, names) -> {
                if (names.size() > 1) {
                    notes.add(
                            ("canal.mq.messageKey: the topic %s has rows of %s, and a key has neither the schema nor the table: if the topic is"
                                            + " compacted, rows of one table replace those of another one; give each table a topic (canal.mq.dynamicTopic)")
                                    .formatted(topic, named(names)));
                }
            });
        }
        return notes;
    }

    private static boolean hasColumns(@Nullable RowKey key, SourceCatalog.Table table) {
        return key != null && table.columns().stream().anyMatch(column -> isIn(key, column));
    }

    /** A column of a key whose collation has several texts for one value; null if there is none. */
    private static @Nullable String caseless(@Nullable RowKey key, SourceCatalog.Table table) {
        if (key == null) {
            return null;
        }
        for (SourceCatalog.Column column : table.columns()) {
            if (isIn(key, column) && column.collation().endsWith("_ci")) {
                return "%s (%s)".formatted(column.name(), column.collation());
            }
        }
        return null;
    }

    private static boolean isIn(RowKey key, SourceCatalog.Column column) {
        return key.primary()
                ? column.key()
                : key.columns().stream().anyMatch(name -> name.equalsIgnoreCase(column.name()));
    }

    private static String named(List<String> names) {
        int more = names.size() - MAX_NAMED;
        String first = names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        return more > 0 ? first + " and %d more".formatted(more) : first;
    }
}
