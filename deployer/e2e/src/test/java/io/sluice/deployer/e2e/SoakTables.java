package io.sluice.deployer.e2e;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tables whose rows say by which schema and by which statement they were written, in all versions of their schemas.
 *
 * <p>Every table has the columns {@code id}, {@code seq} and {@code ver}. {@code id} is unique among all tables, {@code seq} grows with each statement, and
 * {@code ver} is the number of the table's schema. All other values follow from {@code seq} and the name of their column, so each row can be judged
 * alone. The versions may be read by any thread, all else is for one that holds the lock of {@link SoakState}.
 */
final class SoakTables {
    static final String ID = "id";
    static final String SEQ = "seq";
    static final String VER = "ver";
    static final List<String> SCHEMAS = List.of("soak_a", "soak_b");

    private static final int NULL_ONE_IN = 13;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);
    private static final LocalDateTime FIRST_TIME = LocalDateTime.of(2020, 1, 1, 0, 0);
    private static final List<String> NAMES = List.of(
            "price", "qty", "discount", "note", "colour", "weight", "vendor", "rating", "region", "state", "order");

    private final Map<Long, Version> versions = new ConcurrentHashMap<>();
    private final AtomicLong lastVersion = new AtomicLong();
    private final AtomicLong lastColumn = new AtomicLong();

    /** What the values of a column are, and the types that it may have. */
    enum Kind {
        KEY("bigint"),
        NUMBERS("bigint"),
        TEXT("varchar(60)", "varchar(90)", "varchar(300)", "text"),
        INTEGER("int", "bigint"),
        DECIMAL("decimal(14,2)", "decimal(20,2)"),
        TIME("datetime(3)");

        @SuppressWarnings("ImmutableEnumChecker") // made by List.of
        final List<String> types;

        Kind(String... types) {
            this.types = List.of(types);
        }
    }

    /**
     * A column, which may be renamed, moved and widened.
     *
     * @param number the same in all versions
     * @param defaultValue that of rows which were there before the column
     */
    record Column(
            long number,
            String name,
            Kind kind,
            String type,
            @Nullable String defaultValue) {
        Column named(String other) {
            return new Column(number, other, kind, type, defaultValue);
        }

        Column widened() {
            if (defaultValue != null) {
                return this;
            }
            int next = Math.min(kind.types.indexOf(type) + 1, kind.types.size() - 1);
            return new Column(number, name, kind, kind.types.get(next), defaultValue);
        }

        /** As in a statement that makes or changes it. */
        String definition() {
            String more = kind == Kind.KEY ? " NOT NULL" : "";
            return quoted(name) + " " + type + more + (defaultValue == null ? "" : " DEFAULT '" + defaultValue + "'");
        }

        /** The value that a statement writes. */
        @Nullable String value(long seq) {
            int hash = Math.floorMod(name.hashCode(), 1000);
            if (Math.floorMod(seq + hash, NULL_ONE_IN) == 0) {
                return null;
            }
            return switch (kind) {
                case TEXT -> name + "#" + seq;
                case INTEGER -> Long.toString(seq * 1000 % 2_000_000_000 + hash);
                case DECIMAL -> seq + "." + (10 + hash % 90);
                case TIME ->
                    FIRST_TIME.plusSeconds(seq).plusNanos(hash * 1_000_000L).format(TIME);
                case KEY, NUMBERS -> throw new IllegalStateException(name);
            };
        }

        /** {@link #value} as in the text of a statement. */
        String literal(long seq) {
            String value = value(seq);
            return value == null ? "NULL" : "'" + value + "'";
        }

        boolean isFixed() {
            return kind == Kind.KEY || kind == Kind.NUMBERS;
        }
    }

    /**
     * A table's schema from one DDL to the next.
     *
     * @param table the number of the table, which it keeps when it is renamed
     */
    record Version(long number, long table, String schema, String name, List<Column> columns) {
        String fullName() {
            return schema + "." + name;
        }

        List<String> names() {
            return columns.stream().map(Column::name).toList();
        }

        List<Column> free() {
            return columns.stream().filter(column -> !column.isFixed()).toList();
        }
    }

    /** A table as it is now, with the rows of each writer: the statement that wrote them, by their key. */
    static final class Table {
        private Version version;
        private final List<Map<Long, Long>> rows = new ArrayList<>();
        private final List<List<Long>> keys = new ArrayList<>();

        Table(Version version, int writers) {
            this.version = version;
            for (int i = 0; i < writers; i++) {
                rows.add(new HashMap<>());
                keys.add(new ArrayList<>());
            }
        }

        Version version() {
            return version;
        }

        void version(Version next) {
            version = next;
        }

        Map<Long, Long> rows(int writer) {
            return rows.get(writer);
        }

        void put(int writer, long id, long seq) {
            if (rows.get(writer).put(id, seq) == null) {
                keys.get(writer).add(id);
            }
        }

        /** A row of a writer, or null if it has none. */
        @Nullable Long anyRow(int writer, Random random) {
            List<Long> ids = keys.get(writer);
            while (!ids.isEmpty()) {
                int place = random.nextInt(ids.size());
                long id = ids.get(place);
                if (rows.get(writer).containsKey(id)) {
                    return id;
                }
                ids.set(place, ids.get(ids.size() - 1));
                ids.remove(ids.size() - 1);
            }
            return null;
        }

        void clear() {
            rows.forEach(Map::clear);
            keys.forEach(List::clear);
        }
    }

    static String list(List<Long> ids) {
        return ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    static String quoted(String name) {
        return "`" + name + "`";
    }

    /** The version with a number; null if there is none. */
    @Nullable Version version(long number) {
        return versions.get(number);
    }

    /** The versions that a row may have when it is deleted: those of its table from a number on. */
    List<Version> versionsFrom(Version first) {
        List<Version> later = new ArrayList<>();
        for (long number = first.number(); number <= lastVersion.get(); number++) {
            Version version = versions.get(number);
            if (version != null && version.table() == first.table()) {
                later.add(version);
            }
        }
        return later;
    }

    /** A new version of a table, or the first one; it is known from now on, though the DDL has yet to be executed. */
    Version add(long table, String schema, String name, List<Column> columns) {
        Version version = new Version(lastVersion.incrementAndGet(), table, schema, name, List.copyOf(columns));
        versions.put(version.number(), version);
        return version;
    }

    /** A new version of a table with the given columns, and the name of the version before. */
    Version alter(Version before, List<Column> columns) {
        return add(before.table(), before.schema(), before.name(), columns);
    }

    /** Random columns of a new table. */
    List<Column> columns(Random random) {
        List<Column> columns = new ArrayList<>();
        columns.add(column(ID, Kind.KEY, 0));
        columns.add(column(SEQ, Kind.NUMBERS, 0));
        columns.add(column(VER, Kind.NUMBERS, 0));
        for (int count = 2 + random.nextInt(4); count > 0; count--) {
            columns.add(1 + random.nextInt(columns.size()), newColumn(columns, random));
        }
        return columns;
    }

    /** A column whose name is free. */
    Column newColumn(List<Column> others, Random random) {
        List<Kind> kinds = List.of(Kind.TEXT, Kind.TEXT, Kind.INTEGER, Kind.DECIMAL, Kind.TIME);
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        return column(freeName(others, random), kind, random.nextInt(kind.types.size()));
    }

    /** A name that none of the columns has. */
    String freeName(List<Column> others, Random random) {
        while (true) {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            if (others.stream().noneMatch(column -> column.name().equals(name))) {
                return name;
            }
        }
    }

    private Column column(String name, Kind kind, int type) {
        return new Column(lastColumn.incrementAndGet(), name, kind, kind.types.get(type), null);
    }
}
