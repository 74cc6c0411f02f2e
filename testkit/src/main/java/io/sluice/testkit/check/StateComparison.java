package io.sluice.testkit.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares what tables hold with what was delivered of them. */
public final class StateComparison {
    private static final int MAX_DIFFERENCES = 1_000;

    private final StateModel model;
    private final FixedBytes fixedBytes;
    private final List<StateDifference> differences = new ArrayList<>();

    private StateComparison(StateModel model, FixedBytes fixedBytes) {
        this.model = model;
        this.fixedBytes = fixedBytes;
    }

    /** As {@link #compare(ExpectedState, StateModel, FixedBytes)}, where fixed bytes are delivered as the binlog has them. */
    public static List<StateDifference> compare(ExpectedState expected, StateModel delivered) {
        return compare(expected, delivered, FixedBytes.STRIPPED);
    }

    /** All differences, or of very many the first. Tables of schemas of which nothing is expected are left alone. */
    public static List<StateDifference> compare(ExpectedState expected, StateModel delivered, FixedBytes fixedBytes) {
        StateComparison comparison = new StateComparison(delivered, fixedBytes);
        Set<TableId> ids = new HashSet<>();
        Set<String> schemas = new HashSet<>();
        for (ExpectedState.Table table : expected.tables()) {
            ids.add(table.id());
            schemas.add(table.id().schema());
            comparison.compare(table);
        }
        delivered.models().forEach((id, table) -> {
            if (!ids.contains(id) && schemas.contains(id.schema())) {
                comparison.report(
                        StateDifference.Kind.EXTRA_TABLE, id, table.rows().size() + " rows");
            }
        });
        return comparison.differences;
    }

    /** As {@link #requireEqual(ExpectedState, StateModel, FixedBytes)}, where fixed bytes are delivered as the binlog has them. */
    public static void requireEqual(ExpectedState expected, StateModel delivered) {
        requireEqual(expected, delivered, FixedBytes.STRIPPED);
    }

    /** Fails with all that is wrong, if something is: the changes among themselves, or against what tables hold. */
    public static void requireEqual(ExpectedState expected, StateModel delivered, FixedBytes fixedBytes) {
        List<Object> wrong = new ArrayList<>(delivered.problems());
        wrong.addAll(compare(expected, delivered, fixedBytes));
        if (!wrong.isEmpty()) {
            throw new AssertionError("%d problems and differences, the first of them:%n%s"
                    .formatted(
                            wrong.size(),
                            wrong.stream().limit(20).map(Object::toString).collect(Collectors.joining("\n"))));
        }
    }

    private void compare(ExpectedState.Table expected) {
        TableModel table = model.models().getOrDefault(expected.id(), new TableModel());
        Map<String, String> types = new LinkedHashMap<>(table.types());
        types.putAll(expected.types());
        Map<String, ValueKind> kinds = new HashMap<>();
        types.forEach((name, type) -> kinds.put(name, ValueKind.of(type)));
        List<String> known = expected.key();
        List<String> key = known == null ? table.key() : known;
        Map<List<@Nullable String>, Deque<Row>> delivered = new LinkedHashMap<>();
        for (Row row : table.rows()) {
            delivered
                    .computeIfAbsent(identity(row, key, kinds), k -> new ArrayDeque<>(1))
                    .add(row);
        }
        expected.forEachRow(table.types(), held -> {
            Row row = toDeliver(held, kinds);
            Row match = takeMatch(delivered, row, key, kinds, table);
            if (match == null) {
                report(StateDifference.Kind.LOST_ROW, expected.id(), show(row, key, kinds));
            } else {
                compareValues(expected.id(), row, match, key, types, kinds, table.isAltered());
            }
        });
        delivered
                .values()
                .forEach(rows -> rows.forEach(
                        row -> report(StateDifference.Kind.EXTRA_ROW, expected.id(), show(row, key, kinds))));
    }

    /** The texts that have to be delivered of a row. */
    private Row toDeliver(Row held, Map<String, ValueKind> kinds) {
        return held.map((name, value) -> fixedBytes.of(kindOf(name, kinds), value));
    }

    private static @Nullable Row takeMatch(
            Map<List<@Nullable String>, Deque<Row>> delivered,
            Row row,
            List<String> key,
            Map<String, ValueKind> kinds,
            TableModel table) {
        List<@Nullable String> identity = identity(row, key, kinds);
        Deque<Row> rows = delivered.get(identity);
        if (rows == null && key.isEmpty() && table.isAltered()) {
            for (Map.Entry<List<@Nullable String>, Deque<Row>> entry : delivered.entrySet()) {
                if (isAlike(row, entry.getValue().getFirst(), kinds)) {
                    identity = entry.getKey();
                    rows = entry.getValue();
                    break;
                }
            }
        }
        if (rows == null) {
            return null;
        }
        Row match = rows.removeFirst();
        if (rows.isEmpty()) {
            delivered.remove(identity);
        }
        return match;
    }

    private static boolean isAlike(Row expected, Row actual, Map<String, ValueKind> kinds) {
        return expected.columns().stream()
                .filter(actual::has)
                .allMatch(name -> Objects.equals(canonical(expected, name, kinds), canonical(actual, name, kinds)));
    }

    private void compareValues(
            TableId table,
            Row expected,
            Row actual,
            List<String> key,
            Map<String, String> types,
            Map<String, ValueKind> kinds,
            boolean isAltered) {
        for (String name : expected.columns()) {
            if (!actual.has(name)) {
                if (!isAltered) {
                    add(StateDifference.Kind.MISSING_COLUMN, table, expected, actual, name, key, types, kinds);
                }
            } else if (!Objects.equals(canonical(expected, name, kinds), canonical(actual, name, kinds))) {
                add(StateDifference.Kind.WRONG_VALUE, table, expected, actual, name, key, types, kinds);
            }
        }
        for (String name : actual.columns()) {
            if (!expected.has(name) && !isAltered) {
                add(StateDifference.Kind.EXTRA_COLUMN, table, expected, actual, name, key, types, kinds);
            }
        }
    }

    private void add(
            StateDifference.Kind kind,
            TableId table,
            Row expected,
            Row actual,
            String column,
            List<String> key,
            Map<String, String> types,
            Map<String, ValueKind> kinds) {
        if (differences.size() < MAX_DIFFERENCES) {
            differences.add(new StateDifference(
                    kind,
                    table,
                    show(expected, key, kinds),
                    column,
                    types.getOrDefault(column, "of unknown type"),
                    show(expected, column, kinds),
                    show(actual, column, kinds)));
        }
    }

    private void report(StateDifference.Kind kind, TableId table, String key) {
        if (differences.size() < MAX_DIFFERENCES) {
            differences.add(new StateDifference(kind, table, key, null, null, null, null));
        }
    }

    /** The key's values, or, without a key, all values in the order of their columns' names. */
    private static List<@Nullable String> identity(Row row, List<String> key, Map<String, ValueKind> kinds) {
        List<String> names = key.isEmpty() ? row.columns().stream().sorted().toList() : key;
        List<@Nullable String> identity = new ArrayList<>(names.size());
        names.forEach(name -> identity.add(canonical(row, name, kinds)));
        return identity;
    }

    private static @Nullable String canonical(Row row, String column, Map<String, ValueKind> kinds) {
        String value = row.value(column);
        return value == null ? null : kindOf(column, kinds).canonical(value);
    }

    private static @Nullable String show(Row row, String column, Map<String, ValueKind> kinds) {
        String value = row.value(column);
        return value == null ? null : kindOf(column, kinds).show(value);
    }

    private static String show(Row row, List<String> key, Map<String, ValueKind> kinds) {
        return (key.isEmpty() ? row.columns() : key)
                .stream().map(name -> name + "=" + show(row, name, kinds)).collect(Collectors.joining(", ", "{", "}"));
    }

    private static ValueKind kindOf(String column, Map<String, ValueKind> kinds) {
        return kinds.getOrDefault(column, ValueKind.TEXT);
    }
}
