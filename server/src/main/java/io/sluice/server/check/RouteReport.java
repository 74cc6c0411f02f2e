package io.sluice.server.check;

import io.sluice.connector.api.route.Explanation;
import java.util.List;
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
 * @param statementsReason what says so
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
