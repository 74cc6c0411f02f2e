package io.sluice.server.check;

import io.sluice.connector.api.route.Explanation;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Reason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the entries of a table go.
 *
 * @param schema its schema
 * @param table its name; empty for what belongs to the schema as a whole
 * @param delivered whether the filters let its changes pass
 * @param filterReason the key, and the expression in it, that decided so
 * @param why where they go, and the reasons
 * @param keyColumns the columns whose values choose the partition, {@code $pk$} for the primary key; empty if none do
 * @param messageKey the columns of the messages' key, likewise
 * @param topicProblem why the broker cannot have a topic of that name; null if it can, as far as is known
 * @param statements the partitions that DDL goes to
 * @param statementsReason the setting that determines it
 * @param rows where some rows go
 */
public record RouteReport(
        String schema,
        String table,
        boolean delivered,
        String filterReason,
        Explanation why,
        List<String> keyColumns,
        List<String> messageKey,
        @Nullable String topicProblem,
        List<Integer> statements,
        String statementsReason,
        List<Row> rows) {
    public RouteReport {
        keyColumns = List.copyOf(keyColumns);
        messageKey = List.copyOf(messageKey);
        statements = List.copyOf(statements);
        rows = List.copyOf(rows);
    }

    /** {@code schema.table}. */
    public String name() {
        return table.isEmpty() ? schema : schema + "." + table;
    }

    /** For JSON: names and values, in a fixed order. */
    public Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("schema", schema);
        object.put("table", table);
        object.put("delivered", delivered);
        object.put("filter", filterReason);
        object.put("topic", why.route().topic());
        object.put("topicReason", reason(why.topic()));
        object.put("topicProblem", topicProblem == null ? "" : topicProblem);
        putPartitioning(object, why.route().partitioning());
        object.put("keyColumns", keyColumns);
        object.put("partitionReason", reason(why.partition()));
        object.put("countReason", reason(why.count()));
        object.put("ddlPartitions", statements);
        object.put("ddlReason", statementsReason);
        object.put("messageKey", messageKey);
        object.put("messageKeyReason", reason(why.messageKey()));
        object.put("rows", rows.stream().map(RouteReport::rowObject).toList());
        return object;
    }

    private static void putPartitioning(Map<String, Object> object, Partitioning partitioning) {
        if (partitioning instanceof Partitioning.One one) {
            object.put("partitioning", "one");
            object.put("partition", one.partition());
        } else if (partitioning instanceof Partitioning.ByTable byTable) {
            object.put("partitioning", "table");
            object.put("partition", byTable.partition());
            object.put("partitions", byTable.count());
        } else {
            Partitioning.ByKey byKey = (Partitioning.ByKey) partitioning;
            object.put("partitioning", "key");
            object.put("seed", byKey.seed());
            object.put("partitions", byKey.count());
        }
    }

    private static Map<String, Object> reason(Reason reason) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("key", reason.key());
        object.put("rule", reason.rule());
        object.put("column", reason.column());
        object.put("sentence", reason.sentence());
        return object;
    }

    private static Map<String, Object> rowObject(Row row) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("row", row.text());
        if (row.hash() != null) {
            object.put("hash", row.hash());
        }
        object.put("partition", row.partition());
        object.put("note", row.note());
        return object;
    }

    /**
     * Where a row goes.
     *
     * @param text the row as it was given
     * @param hash the hash of its key; null if the partition is not chosen by one
     * @param partition from 0
     * @param note what to know about it; empty if nothing
     */
    public record Row(String text, @Nullable Integer hash, int partition, String note) {}
}
