package io.sluice.deployer.e2e;

import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
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
 * alone. In tables whose keys change, {@code moved} is the {@code seq} of the statement that changed the row's key last, and the columns of the key follow from it and {@code id}. The versions may be read by any thread, all else is for one that holds the lock of {@link SoakState}.
 */
final class SoakTables {
    static final String ID = "id";
    static final String SEQ = "seq";
    static final String VER = "ver";
    static final String MOVED = "moved";
    static final List<String> SCHEMAS = List.of("soak_a", "soak_b");

    /** Of the numbers of statements, which one writes long texts. */
    static final int LONG_ONE_IN = 40;

    private static final int LONG_LENGTH = 30_000;
    private static final int NULL_ONE_IN = 13;

    /** Under each of them the texts of keys are different. */
    private static final List<String> COLLATIONS = List.of(
            "",
            " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci",
            " CHARACTER SET latin1",
            " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");

    private static final DateTimeFormatter EXACT_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);
    private static final LocalDateTime FIRST_TIME = LocalDateTime.of(2020, 1, 1, 0, 0);
    private static final List<String> NAMES = List.of(
            "price",
            "qty",
            "discount",
            "note",
            "colour",
            "weight",
            "vendor",
            "rating",
            "region",
            "state",
            "order",
            "unit",
            "stock",
            "origin");

    private final Map<Long, Version> versions = new ConcurrentHashMap<>();
    private final Map<String, Version> writtenUnder = new ConcurrentHashMap<>();
    private final AtomicLong lastVersion = new AtomicLong();
    private final AtomicLong lastColumn = new AtomicLong();

    /** What the values of a column are, and the types that it may have. */
    enum Kind {
        KEY("bigint"),
        NUMBERS("bigint"),
        TEXT("varchar(60)", "varchar(90)", "varchar(300)", "text"),
        INTEGER("int", "bigint"),
        DECIMAL("decimal(14,2)", "decimal(20,2)"),
        TIME("datetime(3)"),
        LONG("mediumtext", "longtext"),
        /** What the server makes of {@code seq}. */
        GENERATED("varchar(90)"),
        /** Of a key, as those that follow: from {@code id} and {@code moved}. */
        PART_TEXT("varchar(40)", "varchar(80)", "varchar(150)"),
        PART_BYTES("varbinary(40)"),
        PART_TIME("datetime(6)"),
        PART_NUMBER("bigint unsigned"),
        PART_DECIMAL("decimal(30,4)");

        private static final List<Kind> PARTS =
                List.of(PART_TEXT, PART_TEXT, PART_BYTES, PART_TIME, PART_NUMBER, PART_DECIMAL);

        @SuppressWarnings("ImmutableEnumChecker") // made by List.of
        final List<String> types;

        Kind(String... types) {
            this.types = List.of(types);
        }
    }

    /**
     * What all values of a row follow from.
     *
     * @param moved the {@code seq} of the statement that changed its key last
     */
    record Written(long id, long seq, long moved) {}

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
            StringBuilder text = new StringBuilder(quoted(name) + " " + type);
            if (kind == Kind.PART_TEXT) {
                text.append(COLLATIONS.get((int) (number % COLLATIONS.size())));
            } else if (kind == Kind.GENERATED) {
                text.append(" GENERATED ALWAYS AS (concat('g', seq)) ").append(number % 2 == 0 ? "STORED" : "VIRTUAL");
            }
            if (kind == Kind.KEY || isPart()) {
                text.append(" NOT NULL");
            }
            return text + (defaultValue == null ? "" : " DEFAULT '" + defaultValue + "'");
        }

        /** The value that a statement writes. */
        @Nullable String value(Written row) {
            return switch (kind) {
                case GENERATED -> "g" + row.seq();
                case PART_TEXT -> "ké-" + row.id() + "-" + row.moved();
                case PART_BYTES -> "b" + row.moved() + "/" + row.id();
                case PART_TIME ->
                    FIRST_TIME
                            .plusSeconds(row.id())
                            .plusNanos((row.moved() % 100_000 * 10 + 5) * 1_000)
                            .format(EXACT_TIME);
                case PART_NUMBER ->
                    BigInteger.ONE
                            .shiftLeft(63)
                            .add(BigInteger.valueOf(row.id() * 1_000_000_000L + row.moved()))
                            .toString();
                case PART_DECIMAL -> "%d.%04d".formatted(-row.id(), row.moved() % 1_000 * 10 + 5);
                default -> value(row.seq());
            };
        }

        private @Nullable String value(long seq) {
            int hash = Math.floorMod(name.hashCode(), 1000);
            if (Math.floorMod(seq + hash, NULL_ONE_IN) == 0) {
                return null;
            }
            return switch (kind) {
                case TEXT -> name + "#" + seq;
                case LONG -> name + "#" + seq + "-".repeat(seq % LONG_ONE_IN == 0 ? LONG_LENGTH : 0);
                case INTEGER -> Long.toString(seq * 1000 % 2_000_000_000 + hash);
                case DECIMAL -> seq + "." + (10 + hash % 90);
                case TIME ->
                    FIRST_TIME.plusSeconds(seq).plusNanos(hash * 1_000_000L).format(TIME);
                default -> throw new IllegalStateException(name);
            };
        }

        /** {@link #value} as in the text of a statement. */
        String literal(Written row) {
            String value = value(row);
            return value == null ? "NULL" : "'" + value + "'";
        }

        /** Whether statements and DDL leave it as it is. */
        boolean isFixed() {
            return kind == Kind.KEY || kind == Kind.NUMBERS;
        }

        boolean isPart() {
            return Kind.PARTS.contains(kind);
        }

        boolean isGenerated() {
            return kind == Kind.GENERATED;
        }

        /** Whether an image of a row may lack it. */
        boolean isBlob() {
            return type.endsWith("text");
        }
    }

    /**
     * A table's schema from one DDL to the next.
     *
     * @param table the number of the table, which it keeps when it is renamed
     * @param key the numbers of the primary key's columns, in the order of the key
     */
    record Version(long number, long table, String schema, String name, List<Column> columns, List<Long> key) {
        String fullName() {
            return schema + "." + name;
        }

        List<String> names() {
            return columns.stream().map(Column::name).toList();
        }

        /** The names of the primary key's columns, in the order of the table. */
        List<String> keyNames() {
            return columns.stream()
                    .filter(column -> key.contains(column.number()))
                    .map(Column::name)
                    .toList();
        }

        /** The names of the columns that statements write. */
        List<String> writtenNames() {
            return columns.stream()
                    .filter(column -> !column.isGenerated())
                    .map(Column::name)
                    .toList();
        }

        /** Columns that an update of the row changes. */
        List<Column> free() {
            return columns.stream()
                    .filter(column -> !column.isFixed() && !column.isPart() && !column.isGenerated())
                    .toList();
        }

        /** Columns that an update changes which moves the row to another key. */
        List<Column> parts() {
            return columns.stream().filter(Column::isPart).toList();
        }

        /** Whether the primary key changes when a row is moved. */
        boolean isMovable() {
            return columns.stream().anyMatch(column -> column.isPart() && key.contains(column.number()));
        }

        /** As in a statement that makes the table or the key; empty without a key. */
        String keyDefinition() {
            return key.isEmpty()
                    ? ""
                    : key.stream()
                            .map(number -> columns.stream()
                                    .filter(column -> column.number() == number)
                                    .findFirst()
                                    .orElseThrow())
                            .map(column -> quoted(column.name()))
                            .collect(Collectors.joining(", ", "PRIMARY KEY (", ")"));
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

    /** A statement writes rows under a version. */
    void note(long seq, Version version) {
        writtenUnder.put(seq + " " + version.fullName(), version);
    }

    /** The version under which a statement wrote rows of a table; null if that is not known. */
    @Nullable Version version(long seq, String fullName) {
        return writtenUnder.get(seq + " " + fullName);
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
    Version add(long table, String schema, String name, List<Column> columns, List<Long> key) {
        Version version =
                new Version(lastVersion.incrementAndGet(), table, schema, name, List.copyOf(columns), List.copyOf(key));
        versions.put(version.number(), version);
        return version;
    }

    /** A new version of a table with the given columns, and the name of the version before. */
    Version alter(Version before, List<Column> columns) {
        return add(before.table(), before.schema(), before.name(), columns, before.key());
    }

    /** Random columns of a new table; of one that is movable, some for its key. */
    List<Column> columns(Random random, boolean isMovable) {
        List<Column> columns = new ArrayList<>();
        columns.add(column(ID, Kind.KEY, 0));
        columns.add(column(SEQ, Kind.NUMBERS, 0));
        columns.add(column(VER, Kind.NUMBERS, 0));
        if (isMovable) {
            columns.add(column(MOVED, Kind.NUMBERS, 0));
            for (int count = 1 + random.nextInt(2); count > 0; count--) {
                Kind kind = Kind.PARTS.get(random.nextInt(Kind.PARTS.size()));
                columns.add(random.nextInt(columns.size() + 1), column(freeName(columns, random), kind, 0));
            }
        }
        for (int count = 2 + random.nextInt(4); count > 0; count--) {
            columns.add(1 + random.nextInt(columns.size()), newColumn(columns, random));
        }
        return columns;
    }

    /** The numbers of the columns of a random key that identifies the rows; none for a table without a key. */
    static List<Long> key(List<Column> columns, Random random) {
        List<Long> parts = new ArrayList<>(
                columns.stream().filter(Column::isPart).map(Column::number).toList());
        long id = columns.stream()
                .filter(column -> column.kind() == Kind.KEY)
                .findFirst()
                .orElseThrow()
                .number();
        int choice = random.nextInt(6);
        if (choice == 0) {
            return List.of();
        }
        if (parts.isEmpty() || choice == 1) {
            return List.of(id);
        }
        Collections.shuffle(parts, random);
        if (choice < 4) {
            parts.add(random.nextInt(parts.size() + 1), id);
        }
        return parts;
    }

    /** A column that the server computes. */
    Column newGenerated(List<Column> others, Random random) {
        return column(freeName(others, random), Kind.GENERATED, 0);
    }

    /** A column whose name is free. */
    Column newColumn(List<Column> others, Random random) {
        List<Kind> kinds = List.of(Kind.TEXT, Kind.TEXT, Kind.INTEGER, Kind.DECIMAL, Kind.TIME, Kind.LONG);
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
