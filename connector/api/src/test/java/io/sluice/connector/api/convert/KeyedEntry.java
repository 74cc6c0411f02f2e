package io.sluice.connector.api.convert;

import io.sluice.connector.api.TextForm;
import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.row.RowPart;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowPieces;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * An entry whose rows are their keys; in both forms it is a text, such as {@code UPDATE 7: 0=a>b 2=c>c;}.
 *
 * @param number its place in the stream
 * @param type null for the begin of a transaction
 * @param rows keys before and after; none for statements
 */
public record KeyedEntry(int number, String table, EventType type, List<Row> rows, int firstRow, RowPart part)
        implements TextForm {
    /** A row with its index in the event. */
    public record Row(int index, String before, String after) {}

    public static KeyedEntry of(int number, String table, EventType type, String... keys) {
        List<Row> rows = new ArrayList<>();
        for (String key : keys) {
            int arrow = key.indexOf('>');
            rows.add(new Row(rows.size(), arrow < 0 ? key : key.substring(0, arrow), key.substring(arrow + 1)));
        }
        return new KeyedEntry(number, table, type, rows, 0, RowPart.WHOLE);
    }

    public RowPieces pieces(RowCut cut) {
        List<KeyedEntry> pieces = new ArrayList<>();
        for (Row row : rows) {
            boolean isSplit = cut.splitsKeyChanges() && !row.before.equals(row.after);
            if (isSplit) {
                pieces.add(with(EventType.DELETE, List.of(new Row(row.index, row.before, row.before)), RowPart.BEFORE));
                pieces.add(with(EventType.INSERT, List.of(new Row(row.index, row.after, row.after)), RowPart.AFTER));
            } else {
                pieces.add(with(type, List.of(row), part));
            }
        }
        return new RowPieces() {
            @Override
            public int count() {
                return pieces.size();
            }

            @Override
            public EventType type(int piece) {
                return pieces.get(piece).type;
            }

            @Override
            public int hash(int piece) {
                return cut.partitionKey() == null
                        ? 0
                        : pieces.get(piece).rows.get(0).after.hashCode();
            }

            @Override
            public byte[] messageKey(int piece) {
                return cut.messageKey() == null
                        ? null
                        : pieces.get(piece).rows.get(0).after.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public Entry entryOf(int... chosen) {
                KeyedEntry first = pieces.get(chosen[0]);
                List<Row> all = Arrays.stream(chosen)
                        .mapToObj(piece -> pieces.get(piece).rows.get(0))
                        .toList();
                return first.with(first.type, all, first.part);
            }
        };
    }

    private KeyedEntry with(EventType otherType, List<Row> otherRows, RowPart otherPart) {
        return new KeyedEntry(number, table, otherType, otherRows, firstRow, otherPart);
    }

    @Override
    public EntryKind kind() {
        if (type == null) {
            return EntryKind.BEGIN;
        }
        return switch (type) {
            case INSERT, UPDATE, DELETE -> EntryKind.ROWS;
            case ALTER -> EntryKind.DDL;
            default -> EntryKind.STATEMENT;
        };
    }

    @Override
    public EventType eventType() {
        return type;
    }

    @Override
    public String schemaName() {
        return "shop";
    }

    @Override
    public String tableName() {
        return table;
    }

    @Override
    public long executeTimeMillis() {
        return 1000;
    }

    @Override
    public int rowCount() {
        return rows.size();
    }

    @Override
    public int sizeBytes() {
        return 1;
    }

    @Override
    public boolean isBoundary() {
        return false;
    }

    @Override
    public Cursor cursor() {
        return new Cursor("localhost", 3306, new BinlogPosition("binlog.000001", number), "", 1, 1000);
    }

    @Override
    public ChangeId changeId() {
        String gtid = number % 2 == 0 ? null : "uuid:" + number;
        int row = rows.isEmpty() ? 0 : rows.get(0).index;
        return new ChangeId(gtid, 9, "binlog.000001", number, 1, row, rows.size(), part);
    }

    @Override
    public void writeText(ByteWriter out) {
        StringBuilder text = new StringBuilder(Objects.requireNonNull(type).name() + " " + number + ":");
        rows.forEach(row -> text.append(" %d=%s>%s".formatted(row.index, row.before, row.after)));
        out.write((text + ";").getBytes(StandardCharsets.UTF_8));
    }
}
