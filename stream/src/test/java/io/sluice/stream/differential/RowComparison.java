package io.sluice.stream.differential;

import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.EventType;
import io.sluice.stream.differential.Finding.Kind;
import io.sluice.testkit.check.FixedBytes;
import io.sluice.testkit.check.TableId;
import io.sluice.testkit.check.ValueKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Compares the changes of a table's rows with its rows before and after them. */
final class RowComparison {
    private final TableId id;
    private final TableState table;
    private final List<Finding> findings;

    /** Of a table that has the same columns before and after the changes. */
    RowComparison(TableId id, TableState after, List<Finding> findings) {
        this.id = id;
        table = after;
        this.findings = findings;
    }

    void compare(List<StoredRow> before, List<DeliveredRow> changes) {
        List<StoredRow> rows = new ArrayList<>(before);
        for (DeliveredRow change : changes) {
            StoredRow old = null;
            if (change.type() != EventType.INSERT) {
                old = rows.stream()
                        .filter(row -> matches(row, change))
                        .findFirst()
                        .orElse(null);
                if (old == null) {
                    findings.add(new Finding(
                            Kind.IMAGE,
                            "the image before %s of %s is of no row: %s; rows are %s"
                                    .formatted(change.type(), id, show(change.before()), show(rows))));
                    return;
                }
                rows.remove(old);
            }
            if (change.type() != EventType.DELETE) {
                rows.add(changed(old, change));
            }
        }
        requireSame(rows);
    }

    private boolean matches(StoredRow row, DeliveredRow change) {
        return change.before().stream().allMatch(column -> row.mayHave(column.getIndex(), value(column)));
    }

    /** MySQL 5.7 logs NULL for a computed value if {@code IGNORE} has replaced the NULL that it is computed from. */
    private StoredRow changed(StoredRow old, DeliveredRow change) {
        StoredRow row = old == null ? StoredRow.unknown(table.columns().size()) : old;
        for (int i = 0; i < table.columns().size(); i++) {
            row = table.columns().get(i).generated() ? row.withoutKnowing(i) : row;
        }
        for (Column column : change.after()) {
            if (column.getIsNull() && table.columns().get(column.getIndex()).generated()) {
                continue;
            }
            row = row.with(column.getIndex(), value(column));
        }
        return row;
    }

    private void requireSame(List<StoredRow> rows) {
        List<StoredRow> left = new ArrayList<>(table.rows());
        for (StoredRow row : rows) {
            StoredRow same = left.stream()
                    .filter(other -> row.differences(other).isEmpty())
                    .findFirst()
                    .orElse(null);
            if (same == null) {
                findings.add(new Finding(Kind.ROWS, "%s has no row %s%s".formatted(id, row, nearest(row, left))));
                return;
            }
            left.remove(same);
        }
        if (!left.isEmpty()) {
            findings.add(new Finding(Kind.ROWS, "rows of %s were not delivered: %s".formatted(id, show(left))));
        }
    }

    private String nearest(StoredRow row, List<StoredRow> rows) {
        return rows.stream()
                .min(Comparator.comparing(other -> row.differences(other).size()))
                .map(other -> row.differences(other).stream()
                        .map(i -> "\n    %s %s is %s, delivered as %s"
                                .formatted(
                                        table.columns().get(i).name(),
                                        table.columns().get(i).type(),
                                        other.show(i),
                                        row.show(i)))
                        .collect(Collectors.joining("", "; the nearest one differs:", "")))
                .orElse("");
    }

    private String value(Column delivered) {
        ValueKind kind = table.columns().get(delivered.getIndex()).kind();
        if (delivered.getIsNull()) {
            return null;
        }
        String value = delivered.getValue();
        return kind == ValueKind.JSON && value.isEmpty()
                ? "null" // as canal delivers it
                : FixedBytes.STRIPPED.of(kind, kind.canonical(value));
    }

    private static String show(List<?> rows) {
        return rows.stream()
                .map(row -> row instanceof Column column
                        ? column.getName() + "=" + (column.getIsNull() ? "NULL" : Shown.of(column.getValue()))
                        : row.toString())
                .collect(Collectors.joining("\n    ", "\n    ", ""));
    }
}
