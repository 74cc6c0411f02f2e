package io.sluice.testkit.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What tables hold by the changes that were delivered.
 *
 * <p>Each new change is held against the rows as they are: an insert must find no row, an update and a delete must find
 * the row just as their before image has it. So a change that is lost, doubled or out of order shows as soon as its row
 * changes again; where it does not, the comparison with the server shows it. The stream is expected to start with the
 * tables empty.
 *
 * <p>Changes of one row must come from one stream (topic and partition); where a partition is chosen by the key, a
 * changed key breaks that.
 */
public final class StateModel {
    private static final int MAX_PROBLEMS = 1_000;

    private final Duplicates duplicates;
    private final Map<TableId, TableModel> tables = new LinkedHashMap<>();
    private final Map<String, Repetitions> streams = new HashMap<>();
    private final Map<String, Origin> lastOrigins = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();
    private long distinctChanges;
    private long repeatedChanges;

    /** A model without tables. */
    public StateModel(Duplicates duplicates) {
        this.duplicates = duplicates;
    }

    /** Applies changes in their order. */
    public void apply(List<Change> changes) {
        changes.forEach(this::apply);
    }

    /** Applies a change, unless it is an allowed repetition. */
    public void apply(Change change) {
        if (isRepeated(change)) {
            repeatedChanges++;
            return;
        }
        distinctChanges++;
        if (change instanceof Change.OfRow row) {
            applyRow(row);
        } else if (change instanceof Change.OfSchema schema) {
            SchemaStatement.apply(schema, this);
        }
    }

    /** What could not be right, in the order it was noticed; of very many only the first. */
    public List<Problem> problems() {
        List<Problem> all = new ArrayList<>(problems);
        streams.forEach((stream, repetitions) -> {
            Origin last = lastOrigins.get(stream);
            if (repetitions.isUnfinished() && last != null) {
                all.add(new Problem(Problem.Kind.UNFINISHED_REPETITION, last, "the last change of " + stream));
            }
        });
        return all;
    }

    /** How many changes were applied. */
    public long distinctChanges() {
        return distinctChanges;
    }

    /** How many changes were allowed repetitions. */
    public long repeatedChanges() {
        return repeatedChanges;
    }

    /** The tables of which something was delivered and that were not dropped. */
    public Set<TableId> tables() {
        return Collections.unmodifiableSet(tables.keySet());
    }

    /** The number of rows of a table. */
    public int rowCount(TableId table) {
        TableModel model = tables.get(table);
        return model == null ? 0 : model.rows().size();
    }

    /** The row with this key (the texts in the order of the key's columns), or null. */
    public @Nullable Row row(TableId table, String... key) {
        TableModel model = tables.get(table);
        if (model == null) {
            return null;
        }
        List<String> wanted = List.of(key);
        return model.rows().stream()
                .filter(row -> row.values(model.key()).equals(wanted))
                .findFirst()
                .orElse(null);
    }

    /** Whether a stream went back and has not yet repeated all. */
    public boolean isRepeating() {
        return streams.values().stream().anyMatch(Repetitions::isUnfinished);
    }

    Map<TableId, TableModel> models() {
        return tables;
    }

    private boolean isRepeated(Change change) {
        if (duplicates == Duplicates.FORBIDDEN) {
            return false;
        }
        String stream = change.origin().stream();
        lastOrigins.put(stream, change.origin());
        Repetitions.Verdict verdict =
                streams.computeIfAbsent(stream, s -> new Repetitions()).add(change);
        boolean isRepeated =
                verdict == Repetitions.Verdict.REPEATED || verdict == Repetitions.Verdict.REPEATED_TOO_EARLY;
        if (verdict == Repetitions.Verdict.REPEATED_TOO_EARLY || verdict == Repetitions.Verdict.NEW_TOO_EARLY) {
            report(Problem.Kind.SKIPPED_IN_REPETITION, change, describe(change) + " came too early");
        }
        return isRepeated;
    }

    private void applyRow(Change.OfRow change) {
        TableModel table = tables.computeIfAbsent(change.table(), t -> new TableModel());
        Row before = change.before();
        Row after = change.after();
        Row image = before == null ? after : before;
        if (image == null
                || !image.hasAll(change.key())
                || (change.key().isEmpty() && !table.key().isEmpty() && !image.hasAll(table.key()))) {
            report(Problem.Kind.NO_KEY, change, describe(change));
            return;
        }
        table.learn(change.key(), change.types());
        Row complete = after;
        if (before != null) {
            complete = removeBefore(change, table, before);
        }
        if (complete != null) {
            if (!table.key().isEmpty() && table.find(complete).isPresent()) {
                report(Problem.Kind.ROW_EXISTS, change, change.table() + " " + table.nameOf(complete));
            }
            table.put(complete);
        }
    }

    /** Removes the row a change is about, and returns the row that replaces it, if one does. */
    private @Nullable Row removeBefore(Change.OfRow change, TableModel table, Row before) {
        Optional<Row> found = table.find(before);
        Row after = change.after();
        if (found.isEmpty()) {
            report(Problem.Kind.ROW_ABSENT, change, change.table() + " " + table.nameOf(before));
            return after == null ? null : after.completedBy(before);
        }
        Row row = found.get();
        List<String> differing = row.differingColumns(before);
        if (!differing.isEmpty()) {
            report(
                    Problem.Kind.OTHER_BEFORE_IMAGE,
                    change,
                    "%s %s has in %s %s, and the change says %s"
                            .formatted(
                                    change.table(),
                                    table.nameOf(row),
                                    differing,
                                    row.values(differing),
                                    before.values(differing)));
        }
        table.remove(row);
        return after == null || table.isAltered() ? after : after.completedBy(row);
    }

    private static String describe(Change change) {
        if (change instanceof Change.OfRow row) {
            return "%s: before %s, after %s".formatted(row.table(), row.before(), row.after());
        }
        return change.toString();
    }

    private void report(Problem.Kind kind, Change change, String text) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(new Problem(kind, change.origin(), text));
        }
    }
}
