package io.sluice.stream.differential;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.stream.differential.Finding.Kind;
import io.sluice.testkit.check.TableId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compares what is delivered of a step with the tables before and after it. */
final class StepComparison {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final boolean mariaDb;
    private final ExecutedStep step;
    private final List<Finding> findings = new ArrayList<>();

    private StepComparison(boolean mariaDb, ExecutedStep step) {
        this.mariaDb = mariaDb;
        this.step = step;
    }

    /** Compares the entries of rows of a step. */
    static List<Finding> compare(boolean mariaDb, ExecutedStep step, List<Entry> entries) {
        StepComparison comparison = new StepComparison(mariaDb, step);
        comparison.compare(entries);
        return comparison.findings;
    }

    private void compare(List<Entry> entries) {
        Map<TableId, List<DeliveredRow>> changes = new LinkedHashMap<>();
        for (Entry entry : entries) {
            RowChange change = Stage.rows(entry);
            if (change.getIsDdl()) {
                continue;
            }
            TableId id = new TableId(entry.schemaName(), entry.tableName());
            for (RowData row : change.getRowDatasList()) {
                changes.computeIfAbsent(id, any -> new ArrayList<>())
                        .add(new DeliveredRow(
                                change.getEventType(), row.getBeforeColumnsList(), row.getAfterColumnsList()));
            }
            compareFlat(id, entry, change);
        }
        changes.forEach(this::compareTable);
        if (step.step().changesRowsOnly()) {
            step.after().tables().forEach((id, table) -> {
                TableState before = step.before().tables().get(id);
                if (!changes.containsKey(id) && !table.follows() && (before == null || !before.hasSameRows(table))) {
                    findings.add(new Finding(Kind.MISSING, "no change was delivered of " + id));
                }
            });
        }
    }

    private void compareTable(TableId id, List<DeliveredRow> changes) {
        TableState after = step.after().tables().get(id);
        if (after == null) {
            boolean isSequence = step.before().sequences().contains(id)
                    && step.after().sequences().contains(id);
            if (step.step().changesRowsOnly() || isSequence) {
                findings.add(new Finding(Kind.MISSING, "changes of a table that does not exist: " + id));
            }
            return;
        }
        for (DeliveredRow change : changes) {
            for (Column column : change.columns()) {
                Finding finding = compareColumn(id, after, column);
                if (finding != null && !isAsBefore(id, column)) {
                    findings.add(finding);
                    return;
                }
            }
        }
        TableState before = step.before().tables().get(id);
        if (!after.follows() && (step.step().changesRowsOnly() || before == null)) {
            new RowComparison(id, after, findings).compare(before == null ? List.of() : before.rows(), changes);
        }
    }

    /** A step that changes tables may have changed rows before. */
    private boolean isAsBefore(TableId id, Column column) {
        TableState before = step.before().tables().get(id);
        return before != null && !step.step().changesRowsOnly() && compareColumn(id, before, column) == null;
    }

    private Finding compareColumn(TableId id, TableState table, Column delivered) {
        int index = delivered.getIndex();
        if (index >= table.columns().size()) {
            return new Finding(
                    Kind.COLUMN,
                    "%s has no column %d, which was delivered as %s".formatted(id, index, delivered.getName()));
        }
        ColumnState column = table.columns().get(index);
        if (!delivered.getName().equals(column.name())
                || delivered.getIsKey() != column.key()
                || !TypeSpelling.isSame(delivered.getMysqlType(), column.type(), mariaDb)) {
            return new Finding(
                    Kind.COLUMN,
                    "column %d of %s is %s%s %s (%s), delivered as %s%s %s (%s)"
                            .formatted(
                                    index,
                                    id,
                                    column.name(),
                                    column.key() ? "*" : "",
                                    TypeSpelling.of(column.type(), mariaDb),
                                    column.type(),
                                    delivered.getName(),
                                    delivered.getIsKey() ? "*" : "",
                                    TypeSpelling.of(delivered.getMysqlType(), mariaDb),
                                    delivered.getMysqlType()));
        }
        String jdbcType = TypeSpelling.jdbcType(column.type(), delivered.getIsNull());
        return jdbcType == null || jdbcType.equals(Integer.toString(delivered.getSqlType()))
                ? null
                : new Finding(
                        Kind.JDBC_TYPE,
                        "column %d of %s has the JDBC type %s, not %s, for %s (%s)"
                                .formatted(
                                        index,
                                        id,
                                        delivered.getSqlType(),
                                        jdbcType,
                                        delivered.getMysqlType(),
                                        column.type()));
    }

    /** The flat message of an entry has the same names and values. */
    private void compareFlat(TableId id, Entry entry, RowChange change) {
        ByteWriter out = new ByteWriter(256);
        if (!Encodings.writeFlat(entry, out, 1, 1)) {
            findings.add(new Finding(Kind.FLAT, "no flat message of " + id));
            return;
        }
        JsonNode rows = read(out).path("data");
        for (int i = 0; i < change.getRowDatasCount(); i++) {
            RowData row = change.getRowDatas(i);
            Map<String, String> expected = new LinkedHashMap<>();
            (change.getEventType() == EventType.DELETE ? row.getBeforeColumnsList() : row.getAfterColumnsList())
                    .forEach(column -> expected.put(column.getName(), column.getIsNull() ? null : column.getValue()));
            Map<String, String> flat = new LinkedHashMap<>();
            rows.path(i)
                    .properties()
                    .forEach(value -> flat.put(
                            value.getKey(),
                            value.getValue().isNull() ? null : value.getValue().asText()));
            if (!flat.equals(expected)) {
                findings.add(
                        new Finding(Kind.FLAT, "the flat message of %s has %s, not %s".formatted(id, flat, expected)));
            }
        }
    }

    private static JsonNode read(ByteWriter flat) {
        try {
            return JSON.readTree(new String(flat.toByteArray(), StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a flat message is not JSON", e);
        }
    }
}
