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
            Map<String, @Nullable String> old = old(i);
            rows.add(
                    switch (type) {
                        case INSERT -> new ChangedRow(NONE, image(data, name -> true));
                        case DELETE -> new ChangedRow(image(data, name -> false), NONE);
                        default -> old.isEmpty() ? withoutOld(data) : withOld(data, old);
                    });
        }
        return rows;
    }

    /**
     * What the row held before; empty if it is not known. Some senders shorten the list. One that is longer has objects of rows that a
     * column filter has emptied, so it cannot be told which belongs to which row.
     */
    private Map<String, @Nullable String> old(int row) {
        boolean isStated = row < message.old().size()
                && message.old().size() <= message.data().size();
        return isStated ? message.old().get(row) : Map.of();
    }

    /**
     * The source has logged no value before of what has changed, or a filter has dropped these columns. Which they are is not known, so all
     * count as updated but the key: that is in every image before a change, so a changed one would have been stated.
     */
    private ChangedRow withoutOld(Map<String, @Nullable String> data) {
        Map<String, @Nullable String> key = new LinkedHashMap<>(data);
        key.keySet().retainAll(message.pkNames());
        return new ChangedRow(image(key, name -> false), image(data, name -> !key.containsKey(name)));
    }

    /** The row before the update is the row after it, with the old values that the message states. */
    private ChangedRow withOld(Map<String, @Nullable String> data, Map<String, @Nullable String> old) {
        Map<String, @Nullable String> before = new LinkedHashMap<>(data);
        before.putAll(old);
        return new ChangedRow(image(before, name -> false), image(data, name -> isUpdated(name, data, old)));
    }

    /** canal states, for the later rows of an update, also columns that changed in the earlier ones: with equal values. */
    private static boolean isUpdated(
            String name, Map<String, @Nullable String> data, Map<String, @Nullable String> old) {
        return old.containsKey(name) && !Objects.equals(old.get(name), data.get(name));
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
