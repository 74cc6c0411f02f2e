package io.sluice.client;

import io.sluice.client.TableChange.ChangedRow;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.flat.FlatMessage;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A flat message as a change with types. */
final class FlatChange {
    private static final RowImage NONE = new RowImage(List.of());

    private final FlatMessage message;
    private final EventType type;

    private FlatChange(FlatMessage message, EventType type) {
        this.message = message;
        this.type = type;
    }

    /**
     * Reads one.
     *
     * @throws IOException if it does what we do not know
     */
    static TableChange of(FlatMessage message) throws IOException {
        EventType type;
        try {
            type = EventType.valueOf(message.type());
        } catch (IllegalArgumentException e) {
            throw new IOException("a flat message of type '%s' is not known".formatted(message.type()), e);
        }
        return new TableChange(
                message.database(),
                message.table(),
                type,
                Instant.ofEpochMilli(message.es()),
                "",
                message.sql(),
                message.isDdl(),
                new FlatChange(message, type).rows());
    }

    private List<ChangedRow> rows() {
        List<ChangedRow> rows = new ArrayList<>();
        for (int i = 0; i < message.data().size(); i++) {
            Map<String, @Nullable String> data = message.data().get(i);
            // Some senders shorten the list when the last rows have not changed.
            Map<String, @Nullable String> old =
                    i < message.old().size() ? message.old().get(i) : Map.of();
            rows.add(
                    switch (type) {
                        case INSERT -> new ChangedRow(NONE, image(data, name -> true));
                        case DELETE -> new ChangedRow(image(data, name -> false), NONE);
                        default -> new ChangedRow(before(data, old), image(data, name -> isUpdated(name, data, old)));
                    });
        }
        return rows;
    }

    /** canal states, for the later rows of an update, also columns that changed in the earlier ones: with equal values. */
    private static boolean isUpdated(
            String name, Map<String, @Nullable String> data, Map<String, @Nullable String> old) {
        return old.containsKey(name) && !Objects.equals(old.get(name), data.get(name));
    }

    /** The row before the update: the row after it, with the old values that the message states. */
    private RowImage before(Map<String, @Nullable String> data, Map<String, @Nullable String> old) {
        Map<String, @Nullable String> before = new LinkedHashMap<>(data);
        before.putAll(old);
        return image(before, name -> false);
    }

    private RowImage image(Map<String, @Nullable String> row, Predicate<String> updated) {
        List<Column> columns = new ArrayList<>(row.size());
        row.forEach((name, value) -> {
            Column.Builder column = Column.newBuilder()
                    .setName(name)
                    .setIsKey(message.pkNames().contains(name))
                    .setUpdated(updated.test(name))
                    .setMysqlType(message.mysqlType().getOrDefault(name, ""))
                    .setSqlType(message.sqlType().getOrDefault(name, 0));
            columns.add((value == null ? column.setIsNull(true) : column.setValue(value)).build());
        });
        return new RowImage(columns);
    }
}
