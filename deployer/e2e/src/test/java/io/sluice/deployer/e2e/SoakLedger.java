package io.sluice.deployer.e2e;

import io.sluice.deployer.e2e.SoakTables.Column;
import io.sluice.deployer.e2e.SoakTables.Version;
import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.check.Change;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.Row;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What was delivered of {@link SoakTables}: judges each message by the schema that its row names, and keeps the newest state of each row.
 *
 * <p>A partition may go back at any time, as after a take-over, and then repeats all that follows in its order. Records of an owner that come after one of
 * a later owner are left out, as readers are told to do. Thread-safe.
 */
final class SoakLedger {
    private static final int MAX_PROBLEMS = 60;
    private static final Pattern DDL = Pattern.compile("/\\* ddl (\\d+) \\*/");

    private final SoakTables tables;
    private final Pipeline.Mode mode;
    private final FlatRecords flat = new FlatRecords();
    private final RawRecords raw = new RawRecords();
    private final Map<Integer, Partition> partitions = new TreeMap<>();
    private final Map<Long, State> rows = new HashMap<>();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final Map<Long, Integer> staleRecords = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<String, Integer> rewinds = new TreeMap<>();
    private final PrintWriter copy;
    private long changes;
    private long repeated;

    /** A row as it was delivered last: the values by the numbers of their columns. */
    private record State(Version version, long seq, Map<Long, String> values) {
        @Nullable String value(Column column) {
            return values.containsKey(column.number()) ? values.get(column.number()) : column.defaultValue();
        }
    }

    private static final class Partition {
        private final Map<String, Integer> places = new HashMap<>();
        private int next;
        private long epoch;
    }

    /** @param copy gets what was delivered, for people */
    SoakLedger(SoakTables tables, Pipeline.Mode mode, PrintWriter copy) {
        this.tables = tables;
        this.mode = mode;
        this.copy = copy;
    }

    /** The name of the change that wrote a row. */
    static String written(long id, long seq) {
        return "W:" + id + ":" + seq;
    }

    /** The name of the change that deleted a row which a statement had written. */
    static String deleted(long id, long seq) {
        return "D:" + id + ":" + seq;
    }

    /** The name of the row that each transaction writes. */
    static String transaction(long number) {
        return "T:" + number;
    }

    /** The name of a DDL. */
    static String ddl(long number) {
        return "S:" + number;
    }

    synchronized void read(BrokerRecord record) {
        Partition partition = partitions.computeIfAbsent(record.partition(), any -> new Partition());
        long epoch = Long.parseLong(record.headers().getOrDefault("sluice-epoch", "-1"));
        if (epoch < partition.epoch) {
            staleRecords.merge(epoch, 1, Integer::sum);
            return;
        }
        partition.epoch = epoch;
        List<Change> read = mode == Pipeline.Mode.FLAT
                ? flat.read(record.topic(), record.partition(), record.offset(), record.value())
                : raw.read(record.topic(), record.partition(), record.offset(), record.value());
        for (Change change : read) {
            changes++;
            copy.println(epoch + " " + change);
            if (change instanceof Change.OfRow row) {
                read(partition, row);
            } else if (change instanceof Change.OfSchema schema) {
                read(partition, schema);
            }
        }
    }

    private void read(Partition partition, Change.OfSchema change) {
        Matcher number = DDL.matcher(change.sql());
        if (number.find()) {
            seen.add(ddl(Long.parseLong(number.group(1))));
        }
        boolean isNew = isNew(
                partition,
                change,
                "S:" + change.table() + change.sql() + change.origin().event());
        if (!isNew) {
            repeated++;
        }
    }

    private void read(Partition partition, Change.OfRow change) {
        Row image = change.after() == null ? Objects.requireNonNull(change.before()) : change.after();
        long id = Long.parseLong(Objects.requireNonNull(image.value(SoakTables.ID)));
        if (change.table().table().equals(SoakState.TRANSACTIONS)) {
            seen.add(transaction(id));
            if (!isNew(partition, change, transaction(id))) {
                repeated++;
            }
            return;
        }
        long seq = Long.parseLong(Objects.requireNonNull(image.value(SoakTables.SEQ)));
        Version version = tables.version(Long.parseLong(Objects.requireNonNull(image.value(SoakTables.VER))));
        if (version == null) {
            report(change, "it is of no known version");
            return;
        }
        String name = change.after() == null ? deleted(id, seq) : written(id, seq);
        seen.add(name);
        if (!isNew(partition, change, name)) {
            repeated++;
            return;
        }
        State state = rows.get(id);
        if (change.after() == null) {
            delete(change, state, version, seq);
            rows.remove(id);
        } else {
            write(change, change.after(), state, version, seq);
        }
    }

    private boolean isNew(Partition partition, Change change, String name) {
        Integer place = partition.places.get(name);
        if (place != null && place > partition.next || place == null && partition.next < partition.places.size()) {
            report(
                    change,
                    "%s comes before %d others were repeated"
                            .formatted(name, (place == null ? partition.places.size() : place) - partition.next));
        }
        if (place == null) {
            partition.places.put(name, partition.places.size());
            partition.next = partition.places.size();
            return true;
        }
        if (place < partition.next) {
            rewinds.merge("epoch %d".formatted(partition.epoch), 1, Integer::sum);
        }
        partition.next = place + 1;
        return false;
    }

    private void write(Change.OfRow change, Row after, @Nullable State state, Version version, long seq) {
        List<String> wrong = namesWrong(change, after, version);
        if (state != null && state.seq() >= seq) {
            wrong.add("the row was already written by seq " + state.seq());
        }
        if (change.before() == null ? state != null : state == null) {
            wrong.add("the row was " + (state == null ? "not there" : "there, in " + state));
        }
        if (state != null && change.before() != null) {
            compare(change.before(), state, version, wrong);
        }
        Map<Long, String> values = new HashMap<>();
        for (Column column : version.columns()) {
            String value = after.value(column.name());
            values.put(column.number(), value);
            boolean isRight = column.isFixed()
                    || Objects.equals(value, column.value(seq))
                    || state != null && Objects.equals(value, state.value(column));
            if (!isRight) {
                wrong.add("%s is %s and not %s".formatted(column.name(), value, column.value(seq)));
            }
        }
        rows.put(idOf(after), new State(version, seq, values));
        if (!wrong.isEmpty()) {
            report(change, wrong.toString());
        }
    }

    private void delete(Change.OfRow change, @Nullable State state, Version version, long seq) {
        Row before = Objects.requireNonNull(change.before());
        if (state == null || state.seq() != seq) {
            report(change, "the row was in the state " + state);
            return;
        }
        List<String> nearest = List.of("no version of the table has its columns");
        for (Version candidate : tables.versionsFrom(version)) {
            List<String> wrong = namesWrong(change, before, candidate);
            compare(before, state, candidate, wrong);
            if (wrong.isEmpty()) {
                return;
            }
            nearest = wrong;
        }
        report(change, "for each version something is wrong, for the last one: " + nearest);
    }

    /** What does not fit the schema, in a list that can grow. */
    private static List<String> namesWrong(Change.OfRow change, Row image, Version version) {
        List<String> wrong = new ArrayList<>();
        if (!change.table().toString().equals(version.fullName())) {
            wrong.add("the table is " + version.fullName());
        }
        if (!image.columns().equals(version.names())) {
            wrong.add("the columns are " + version.names());
        }
        List<String> key = List.of(SoakTables.ID);
        if (!change.key().equals(key)) {
            wrong.add("the key is " + change.key());
        }
        for (Column column : version.columns()) {
            String type = change.types().getOrDefault(column.name(), "absent").toLowerCase(Locale.ROOT);
            if (!type.replaceAll("int\\(\\d+\\)", "int").equals(column.type())) {
                wrong.add("the type of %s is %s and not %s".formatted(column.name(), type, column.type()));
            }
        }
        return wrong;
    }

    private static void compare(Row image, State state, Version version, List<String> wrong) {
        for (Column column : version.columns()) {
            if (!Objects.equals(image.value(column.name()), state.value(column))) {
                wrong.add("%s was %s before, and not %s"
                        .formatted(column.name(), state.value(column), image.value(column.name())));
            }
        }
    }

    private static long idOf(Row row) {
        return Long.parseLong(Objects.requireNonNull(row.value(SoakTables.ID)));
    }

    private void report(Change change, String text) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(change + ": " + text);
        }
    }

    /** Whether nothing has come yet. */
    synchronized boolean isEmpty() {
        return changes == 0;
    }

    /** Whether all of some changes have come, and no partition is repeating. */
    synchronized boolean hasAll(Collection<String> names) {
        return seen.containsAll(names)
                && partitions.values().stream().allMatch(partition -> partition.next == partition.places.size());
    }

    /** What of some changes has not come. */
    List<String> missing(Collection<String> committed) {
        return committed.stream().filter(name -> !seen.contains(name)).toList();
    }

    /** Changes of rows that have come, and are none of some changes. */
    List<String> beyond(Set<String> committed) {
        return seen.stream()
                .filter(name -> !name.startsWith("S:") && !committed.contains(name))
                .toList();
    }

    /** The values of a row in the order of a version's columns; null if it was deleted or never came. */
    synchronized @Nullable List<@Nullable String> row(long id, Version version) {
        State state = rows.get(id);
        if (state == null || state.version().table() != version.table()) {
            return null;
        }
        List<@Nullable String> values = new ArrayList<>();
        version.columns().forEach(column -> values.add(state.value(column)));
        return values;
    }

    /** The keys of all rows of a table that were not deleted. */
    synchronized List<Long> ids(long table) {
        return rows.entrySet().stream()
                .filter(row -> row.getValue().version().table() == table)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** What could not be right; of very much only the first. */
    synchronized List<String> problems() {
        return List.copyOf(problems);
    }

    /** How many records of which owner came after one of a later owner. */
    synchronized Map<Long, Integer> staleRecords() {
        return Map.copyOf(staleRecords);
    }

    @Override
    public synchronized String toString() {
        return "changes=%d repeated=%d stale=%s rewinds=%s partitions=%d"
                .formatted(changes, repeated, staleRecords, rewinds, partitions.size());
    }
}
