package io.sluice.deployer.e2e;

import io.sluice.deployer.e2e.SoakTables.Column;
import io.sluice.deployer.e2e.SoakTables.Version;
import io.sluice.deployer.e2e.SoakTables.Written;
import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.check.Change;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.Row;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
 * What was delivered of {@link SoakTables}: judges each message by the schema that its row names, and keeps the newest state of each row. The changes of a row
 * may be in several partitions, if its key or its table changes; those of a key are in one.
 *
 * <p>A partition may go back at any time, as after a take-over, and then repeats all that follows in its order, but for XA transactions. Records of an owner that come after one of
 * a later owner are left out, as readers are told to do. Thread-safe.
 */
final class SoakLedger {
    private static final int MAX_PROBLEMS = 60;
    private static final Pattern DDL = Pattern.compile("/\\* ddl (\\d+) \\*/");

    private final SoakTables tables;
    private final Pipeline.Mode mode;
    private final boolean leavesOutBlobs;
    private final boolean leavesOutMost;

    /** Deletes whose rows have nothing but their keys, by the identity of the message and the place in it. */
    private final Map<String, String> deletes = new HashMap<>();

    /** By id, the newest statement that wrote a row, and its version. */
    private final Map<Long, Step> newest = new HashMap<>();

    private final Set<String> ofXa;
    private final FlatRecords flat = new FlatRecords();
    private final RawRecords raw = new RawRecords();
    private final Map<String, Partition> partitions = new TreeMap<>();

    /** By id, what came since the last checkpoint. */
    private final Map<Long, List<Step>> steps = new TreeMap<>();

    private final Map<List<@Nullable String>, Newest> keys = new HashMap<>();
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
            if (values.containsKey(column.number())) {
                return values.get(column.number());
            }
            return column.isGenerated() ? column.value(new Written(0, seq, 0)) : column.defaultValue();
        }
    }

    /** A change that has come, and its place among all changes of its row: a row is deleted after it was written, and before it is written again. */
    private record Step(Change.OfRow change, Version version, long seq) {
        long place() {
            return seq * 2 + (change.after() == null ? 1 : 0);
        }
    }

    /** Where the changes of a key come, and the place of the newest one. */
    private record Newest(String partition, long place) {}

    private static final class Partition {
        private final Map<String, Integer> places = new HashMap<>();
        private final List<String> order = new ArrayList<>();
        private final String name;
        private int next;
        private long epoch;

        Partition(String name) {
            this.name = name;
        }
    }

    /** @param copy gets what was delivered, for people */
    SoakLedger(SoakTables tables, Set<String> ofXa, SoakCluster.Kind kind, PrintWriter copy) {
        this.tables = tables;
        this.ofXa = ofXa;
        this.mode = kind.mode();
        this.leavesOutBlobs = kind.noBlob();
        this.leavesOutMost = kind.minimal();
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

    /** The name of a row that is written to the other schema, so that its end is known. */
    static String mark(long number) {
        return "M:" + number;
    }

    /** The name of a DDL. */
    static String ddl(long number) {
        return "S:" + number;
    }

    synchronized void read(BrokerRecord record) {
        Partition partition = partitions.computeIfAbsent(record.topic() + "-" + record.partition(), Partition::new);
        long epoch = Long.parseLong(record.headers().getOrDefault("sluice-epoch", "-1"));
        if (epoch < partition.epoch) {
            staleRecords.merge(epoch, 1, Integer::sum);
            return;
        }
        partition.epoch = epoch;
        List<Change> read = mode == Pipeline.Mode.FLAT
                ? flat.read(record.topic(), record.partition(), record.offset(), record.value())
                : raw.read(record.topic(), record.partition(), record.offset(), record.value());
        for (int i = 0; i < read.size(); i++) {
            Change change = read.get(i);
            changes++;
            copy.println(epoch + " " + change);
            if (change instanceof Change.OfRow row) {
                read(partition, row, record.headers().get("sluice-id") + "#" + i);
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

    private void read(Partition partition, Change.OfRow change, String identity) {
        Row image = change.after() == null ? Objects.requireNonNull(change.before()) : change.after();
        long id = Long.parseLong(Objects.requireNonNull(image.value(SoakTables.ID)));
        String table = change.table().toString();
        if (table.equals(SoakState.TRANSACTIONS_TABLE) || table.equals(SoakState.MARKS_TABLE)) {
            String name = table.equals(SoakState.MARKS_TABLE) ? mark(id) : transaction(id);
            seen.add(name);
            if (!isNew(partition, change, name)) {
                repeated++;
            }
            return;
        }
        boolean isBare = leavesOutMost && change.after() == null && !image.has(SoakTables.SEQ);
        if (isBare && deletes.containsKey(identity)) {
            boolean isNew = isNew(partition, change, deletes.get(identity));
            if (isNew) {
                report(change, "a delete came in two partitions");
            }
            repeated++;
            return;
        }
        Step last = newest.get(id);
        if (isBare && last == null) {
            report(change, "it was not written");
            return;
        }
        long seq = isBare ? last.seq() : Long.parseLong(Objects.requireNonNull(image.value(SoakTables.SEQ)));
        Version version = isBare
                ? last.version()
                : leavesOutMost && change.after() != null
                        ? tables.version(seq, table)
                        : tables.version(Long.parseLong(Objects.requireNonNull(image.value(SoakTables.VER))));
        if (version == null) {
            report(change, "it is of no known version");
            return;
        }
        String name = change.after() == null ? deleted(id, seq) : written(id, seq);
        if (isBare) {
            deletes.put(identity, name);
        }
        seen.add(name);
        if (!isNew(partition, change, name)) {
            repeated++;
            return;
        }
        Step step = new Step(change, version, seq);
        if (change.after() != null) {
            newest.put(id, step);
        }
        order(partition, step, image);
        steps.computeIfAbsent(id, any -> new ArrayList<>()).add(step);
    }

    /** All changes of a key must be in one partition, in their order. */
    private void order(Partition partition, Step step, Row image) {
        List<@Nullable String> key = new ArrayList<>();
        key.add(step.change().origin().topic());
        key.add(step.version().table() + "/" + image.value(SoakTables.ID));
        key.addAll(image.values(step.change().key()));
        Newest before = keys.put(key, new Newest(partition.name, step.place()));
        if (before != null && !before.partition().equals(partition.name)) {
            report(step.change(), "the changes of its key came in " + before.partition());
        } else if (before != null && before.place() >= step.place()) {
            report(step.change(), "a later change of its key has come, place " + before.place());
        }
    }

    /** Judges all that has come by now, when nothing is missing; by rows, since the changes of a row may be in several partitions. */
    synchronized void settle() {
        steps.forEach((id, all) -> {
            all.sort(Comparator.comparingLong(Step::place));
            for (Step step : all) {
                Row after = step.change().after();
                if (after == null) {
                    delete(step.change(), rows.remove(id), step.version(), step.seq());
                } else {
                    write(step.change(), after, rows.get(id), step.version(), step.seq());
                }
            }
        });
        steps.clear();
    }

    private boolean isNew(Partition partition, Change change, String name) {
        Integer place = partition.places.get(name);
        int to = place == null ? partition.places.size() : place;
        List<String> skipped = partition.next >= to
                ? List.of()
                : partition.order.subList(partition.next, to).stream()
                        .filter(next -> !ofXa.contains(next))
                        .toList();
        if (!skipped.isEmpty()) {
            report(
                    change,
                    "%s comes before %d others were repeated, %s".formatted(name, skipped.size(), skipped.get(0)));
        }
        if (place == null) {
            partition.places.put(name, partition.places.size());
            partition.order.add(name);
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
        String moved = after.value(SoakTables.MOVED);
        Written row = new Written(idOf(after), seq, moved == null ? 0 : Long.parseLong(moved));
        for (Column column : version.columns()) {
            if (leavesOutMost && column.isGenerated() && !after.has(column.name())) {
                continue;
            }
            if ((leavesOutMost || column.isBlob()) && state != null && !after.has(column.name())) {
                values.put(column.number(), state.value(column));
                continue;
            }
            String value = after.value(column.name());
            values.put(column.number(), value);
            boolean isRight = column.isFixed()
                    || Objects.equals(value, column.value(row))
                    || !column.isPart() && state != null && Objects.equals(value, state.value(column));
            if (!isRight) {
                wrong.add("%s is %s and not %s".formatted(column.name(), value, column.value(row)));
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
    private List<String> namesWrong(Change.OfRow change, Row image, Version version) {
        List<String> wrong = new ArrayList<>();
        if (!change.table().toString().equals(version.fullName())) {
            wrong.add("the table is " + version.fullName());
        }
        List<Column> columns = version.columns().stream()
                .filter(column -> !isLeftOut(column, change, image))
                .toList();
        List<String> names = columns.stream().map(Column::name).toList();
        if (!image.columns().equals(names)) {
            wrong.add("the columns are " + names);
        }
        if (!change.key().equals(version.keyNames())) {
            wrong.add("the key is " + version.keyNames());
        }
        for (Column column : columns) {
            String type = change.types().getOrDefault(column.name(), "absent").toLowerCase(Locale.ROOT);
            if (!type.replaceAll("int\\(\\d+\\)", "int").equals(column.type())) {
                wrong.add("the type of %s is %s and not %s".formatted(column.name(), type, column.type()));
            }
        }
        return wrong;
    }

    private boolean isLeftOut(Column column, Change.OfRow change, Row image) {
        boolean mayBe = leavesOutMost || leavesOutBlobs && column.isBlob();
        return mayBe && change.before() != null && !image.has(column.name());
    }

    private void compare(Row image, State state, Version version, List<String> wrong) {
        for (Column column : version.columns()) {
            // A flat message does not tell what was left out.
            boolean isComparable = !leavesOutMost && (!leavesOutBlobs || !column.isBlob());
            if (isComparable && !Objects.equals(image.value(column.name()), state.value(column))) {
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
