package io.sluice.testkit.check;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a table holds by what was delivered: by their key, or, in a table without one, each with its number.
 *
 * <p>After an {@code ALTER} the rows keep the columns they came with, so from then on only common columns are compared.
 */
final class TableModel {
    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<List<@Nullable String>, Row> byKey = new LinkedHashMap<>();
    private final Map<Row, Integer> counts = new LinkedHashMap<>();
    private List<String> key = List.of();
    private boolean altered;

    void learn(List<String> keyNow, Map<String, String> typesNow) {
        if (!types.equals(typesNow)) {
            types.putAll(typesNow);
        }
        if (!key.equals(keyNow)) {
            List<Row> rows = List.copyOf(rows());
            byKey.clear();
            counts.clear();
            key = List.copyOf(keyNow);
            rows.forEach(this::put);
        }
    }

    void alter() {
        altered = true;
    }

    boolean isAltered() {
        return altered;
    }

    List<String> key() {
        return key;
    }

    Map<String, String> types() {
        return types;
    }

    void clear() {
        byKey.clear();
        counts.clear();
    }

    /** Adds a row; in a table with a key it replaces the one that had its key. */
    void put(Row row) {
        if (key.isEmpty()) {
            counts.merge(row, 1, Integer::sum);
        } else {
            byKey.put(row.values(key), row);
        }
    }

    void remove(Row row) {
        if (key.isEmpty()) {
            counts.computeIfPresent(row, (same, count) -> count == 1 ? null : count - 1);
        } else {
            byKey.remove(row.values(key));
        }
    }

    /** The row that has this one's key, or, without a key, that equals it. */
    Optional<Row> find(Row image) {
        if (!key.isEmpty()) {
            return Optional.ofNullable(byKey.get(image.values(key)));
        }
        if (counts.containsKey(image)) {
            return Optional.of(image);
        }
        boolean isPartial = counts.keySet().stream()
                .anyMatch(row -> row.columns().size() > image.columns().size());
        if (!altered && !isPartial) {
            return Optional.empty();
        }
        return counts.keySet().stream()
                .filter(row -> row.differingColumns(image).isEmpty())
                .findFirst();
    }

    Collection<Row> rows() {
        if (!key.isEmpty()) {
            return byKey.values();
        }
        return counts.entrySet().stream()
                .flatMap(e -> Collections.nCopies(e.getValue(), e.getKey()).stream())
                .toList();
    }

    /** For messages: the key's values, or the whole row. */
    String nameOf(Row row) {
        return key.isEmpty() ? row.toString() : key + "=" + row.values(key);
    }
}
