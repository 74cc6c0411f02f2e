package io.sluice.client;

import io.sluice.client.TableChange.ChangedRow;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.flat.FlatMessage;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A flat message as a change with types. */
final class FlatChange {
    private static final RowImage NONE = new RowImage(List.of());

    private final FlatMessage message;
    private final EventType type;

    /** Whether each row has its old values. Some senders leave out objects that are empty, or keep those of rows that a column filter has emptied. */
    private final boolean isMatched;

    /** The columns that have an old value in any row. */
    private final Set<String> stated = new HashSet<>();

    private FlatChange(FlatMessage message, EventType type) {
        this.message = message;
        this.type = type;
        isMatched = message.old().size() == message.data().size();
        message.old().forEach(old -> stated.addAll(old.keySet()));
    }

    /**
     * Reads the change that a message states.
     *
     * @throws IOException if it is of a type that this version does not know
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
            rows.add(
                    switch (type) {
                        case INSERT -> new ChangedRow(NONE, image(data, name -> true, Set.of()));
                        case DELETE -> new ChangedRow(image(data, name -> false, Set.of()), NONE);
                        default -> updated(data, i);
                    });
        }
        return rows;
    }

    /**
     * The row before the update is the row after it, with the old values that the message states. Of a row without any that differs, a column
     * has changed whose value before the source does not log, or that a filter has dropped.
     */
    private ChangedRow updated(Map<String, @Nullable String> data, int row) {
        Map<String, @Nullable String> old = isMatched ? message.old().get(row) : Map.of();
        boolean isStated = data.keySet().stream().anyMatch(name -> isUpdated(name, data, old));
        Set<String> unknown = isStated ? Set.of() : unknown(data);
        Map<String, @Nullable String> before = new LinkedHashMap<>(data);
        before.putAll(old);
        return new ChangedRow(
                image(before, name -> false, unknown),
                image(data, name -> unknown.contains(name) || isUpdated(name, data, old), Set.of()));
    }

    /**
     * The columns that may be those that have changed. Not those that the source logs before a change, unless it is not known which old
     * values are the row's: these are the key, and the columns that have an old value in any row, since all images of an event have the same.
     */
    private Set<String> unknown(Map<String, @Nullable String> data) {
        Set<String> unknown = new LinkedHashSet<>(data.keySet());
        unknown.removeIf(name -> isMatched
                ? stated.contains(name) || message.pkNames().contains(name)
                : !stated.contains(name) && message.pkNames().contains(name));
        return unknown;
    }

    /** canal states, for the later rows of an update, also columns that changed in the earlier ones: with equal values. */
    private static boolean isUpdated(
            String name, Map<String, @Nullable String> data, Map<String, @Nullable String> old) {
        return old.containsKey(name) && !Objects.equals(old.get(name), data.get(name));
    }

    private RowImage image(Map<String, @Nullable String> row, Predicate<String> updated, Set<String> unknown) {
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
        return new RowImage(columns, unknown);
    }
}
