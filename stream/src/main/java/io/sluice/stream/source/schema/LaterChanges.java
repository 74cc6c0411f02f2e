package io.sluice.stream.source.schema;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.DdlReader;
import io.sluice.schema.ddl.MentionedTables;
import io.sluice.schema.ddl.NameUse;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.TableEffect;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.TableName;
import io.sluice.stream.failure.MidTransactionException;
import io.sluice.stream.reader.DdlReplay;
import io.sluice.stream.source.search.BoundarySearch;
import io.sluice.stream.source.search.ExecutedInPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first change of each table's columns in a part of the binlog: whether the present definition of a table is also the one at the beginning
 * of the part. For one thread.
 */
final class LaterChanges {
    private final SchemaTracker tracker;
    private final DdlReader reader;
    private final Map<TableName, Change> first = new HashMap<>();
    private final Map<TableName, TableLife> lives = new HashMap<>();
    private final Map<TableName, List<Occurrence>> all = new HashMap<>();
    private final Map<TableName, List<Use>> uses = new HashMap<>();
    /** Where the default character set of a schema is changed last, by the schema's name in lower case. */
    private final Map<String, BinlogPosition> defaults = new HashMap<>();

    private final List<Unread> unread = new ArrayList<>();
    private final SourceTraits traits;
    private final ExecutedInPart executed;
    private final SearchedPart.End end;
    private boolean hasEnded;
    /** Why it is not known whether a statement of an unknown form is read. */
    private @Nullable IOException failure;

    /**
     * The first change of a table.
     *
     * @param at where the statement is in the binlog
     * @param created whether the table did not exist before
     */
    record Change(String at, boolean created) {}

    /** A change of a table's columns; {@code added} is as in {@link TableEffect}. */
    private record Occurrence(BinlogPosition at, @Nullable List<String> added) {}

    /** A use of a name. */
    private record Use(BinlogPosition at, NameUse.Kind kind) {}

    /** A statement of a form that is not known. */
    private record Unread(BinlogPosition at, MentionedTables tables) {}

    /**
     * Knows no change yet.
     *
     * @param executed transactions that do not count, since the stream does not read them, wherever they are
     */
    LaterChanges(SourceTraits traits, ExecutedInPart executed) {
        this(traits, executed, SearchedPart.End.NONE);
    }

    private LaterChanges(SourceTraits traits, ExecutedInPart executed, SearchedPart.End end) {
        this.end = end;
        this.traits = traits;
        this.executed = executed;
        this.tracker = new SchemaTracker(name -> null, traits, new Collector());
        this.reader = tracker.statements().reader();
    }

    /**
     * Reads the part of a binlog, from the begin of a transaction on if the part begins within one.
     *
     * @param time waits for what the server does not send yet
     * @param progress is called after some events
     * @throws IOException if the host cannot be reached, or does not have that part any more
     * @throws io.sluice.stream.failure.StreamException if an event cannot be read
     */
    static LaterChanges in(
            SearchedPart part, SearchedBinlog binlog, SourceTraits traits, Time time, DdlReplay.Progress progress)
            throws IOException {
        BinlogPosition from = part.from();
        try {
            return read(part, binlog, traits, time, progress);
        } catch (MidTransactionException e) { // the stream will begin before the transaction, too
            BoundarySearch search = new BoundarySearch(from.offset());
            binlog.scan().scan(from.file(), search);
            BinlogPosition before = new BinlogPosition(from.file(), search.nearest());
            return read(part.from(before), binlog, traits, time, progress);
        }
    }

    private static LaterChanges read(
            SearchedPart part, SearchedBinlog binlog, SourceTraits traits, Time time, DdlReplay.Progress progress)
            throws IOException {
        LaterChanges changes = new LaterChanges(traits, part.executedIn(binlog), part.end());
        changes.read(part.from(), part.until(), binlog, time, progress);
        return changes;
    }

    /** Reads the part of a binlog that comes next, as {@link #in}. */
    void read(BinlogPosition from, BinlogPosition until, SearchedBinlog binlog, Time time, DdlReplay.Progress progress)
            throws IOException {
        try (DdlReplay replay = new DdlReplay(binlog.server(), from, binlog.none(), tracker)) {
            replay.onTable(this::addRows);
            new PartDumps(binlog.scan(), binlog.hasChecksums(), time).read(replay, until, progress);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Adds what a statement does, which comes after those that were added before. */
    void add(BinlogPosition at, SchemaRecorder.Ddl ddl) {
        String where = at.toString();
        if (traits.mariaDb()) {
            for (NameUse use : reader.nameUses(ddl.sql(), ddl.sessionSchema(), ddl.mode())) {
                uses.computeIfAbsent(exactKey(use.name()), name -> new ArrayList<>(1))
                        .add(new Use(at, use.kind()));
            }
        }
        for (String schema : reader.changedDefaults(ddl.sql(), ddl.sessionSchema(), ddl.mode())) {
            defaults.put(IdentifierCase.fold(schema), at);
        }
        for (TableEffect effect : reader.effects(ddl.sql(), ddl.sessionSchema(), ddl.mode())) {
            TableName key = key(effect.table());
            all.computeIfAbsent(key, table -> new ArrayList<>(1))
                    .add(new Occurrence(at, effect.replacesAll() ? null : effect.added()));
            if (!first.containsKey(
                    schemaOf(key))) { // a table that is made in a schema that was dropped may be another one
                first.putIfAbsent(key, new Change(where, effect.created()));
            }
            if (key.table().isEmpty()) {
                lives.forEach((table, life) -> {
                    if (table.schema().equals(key.schema())) {
                        life.changed(where, effect, null);
                    }
                });
            } else {
                TableName origin = effect.origin();
                lifeOrNew(key).changed(where, effect, origin == null ? null : lifeOrNew(key(origin)));
            }
        }
    }

    /**
     * Adds that rows of a table come after what was added before.
     *
     * @param isNamed whether the binlog names their columns, so that nothing else has to
     */
    void addRows(TableName table, boolean isNamed) {
        if (!isNamed && !hasEnded) {
            lifeOrNew(key(table)).rows();
        }
    }

    private TableLife lifeOrNew(TableName key) {
        return lives.computeIfAbsent(key, table -> new TableLife());
    }

    /**
     * What happens to the columns of a table from a position on.
     *
     * @return the names of columns that are added; empty if the columns stay as they are; null if they are changed otherwise
     */
    @Nullable List<String> addedFrom(BinlogPosition position, TableName table) {
        List<String> added = new ArrayList<>();
        for (Unread statement : unread) {
            if (!statement.at().isBefore(position) && statement.tables().has(table)) {
                return null;
            }
        }
        for (TableName key : List.of(key(table), schemaOf(key(table)))) {
            for (Occurrence occurrence : all.getOrDefault(key, List.of())) {
                if (!occurrence.at().isBefore(position)) {
                    if (occurrence.added() == null) {
                        return null;
                    }
                    added.addAll(occurrence.added());
                }
            }
        }
        return added;
    }

    /** Whether the default character set of a schema is changed, or the schema is dropped, from a position on. */
    boolean changesDefault(BinlogPosition position, String schema) {
        BinlogPosition last = defaults.get(IdentifierCase.fold(schema));
        return last != null && !last.isBefore(position);
    }

    /**
     * Whether a name was certainly that of a sequence at a position: it is dropped as one next.
     *
     * @param isGone whether nothing has the name at the end of the part
     */
    boolean wasSequence(BinlogPosition position, TableName name, boolean isGone) {
        if (unread.stream()
                .anyMatch(statement ->
                        !statement.at().isBefore(position) && statement.tables().has(name))) {
            return false;
        }
        Use end = usesFrom(position, new TableName(name.schema(), "")).stream()
                .findFirst()
                .orElse(null);
        boolean isDroppedIfAny = false;
        for (Use use : usesFrom(position, name)) {
            if (end != null && !use.at().isBefore(end.at())) {
                return false;
            }
            switch (use.kind()) {
                case SEQUENCE -> {
                    return !isDroppedIfAny;
                }
                case FREE -> {
                    return isDroppedIfAny; // a table would have stayed
                }
                case OTHER -> {
                    return false;
                }
                case SEQUENCE_IF_ANY -> isDroppedIfAny = true;
            }
        }
        return isDroppedIfAny && isGone && end == null;
    }

    private List<Use> usesFrom(BinlogPosition position, TableName name) {
        return uses.getOrDefault(exactKey(name), List.of()).stream()
                .filter(use -> !use.at().isBefore(position))
                .toList();
    }

    /** Whether rows of a table come whose columns neither its present definition nor DDL tells, or tells only without added columns. */
    boolean hasUnnamedRows(TableName table) {
        TableLife life = lifeOf(table);
        return life != null && life.hasUnnamedRows();
    }

    /** What happens to a table; null if nothing does. */
    @Nullable TableLife lifeOf(TableName table) {
        return lives.get(key(table));
    }

    /** The first change of a table; null if its columns are the same all the time. */
    @Nullable Change of(TableName table) {
        Change own = first.get(key(table));
        Change ofSchema = first.get(schemaOf(key(table)));
        return own == null ? ofSchema : own;
    }

    /** The first statement of a form that is not known and may be about a table; null if there is none. */
    @Nullable BinlogPosition firstUnread(TableName table) {
        for (Unread statement : unread) {
            if (statement.tables().has(table)) {
                return statement.at();
            }
        }
        return null;
    }

    private static TableName schemaOf(TableName key) {
        return new TableName(key.schema(), "");
    }

    /** Names that differ in case only are taken for one, whatever the server does: that errs on the safe side. */
    private static TableName key(TableName table) {
        return IdentifierCase.fold(table);
    }

    /** Names that differ in case only are one if they are to the server. */
    private TableName exactKey(TableName name) {
        return traits.foldsNames() ? key(name) : name;
    }

    /** Keeps what statements do, and has none of them applied. */
    private final class Collector implements SchemaRecorder {
        @Override
        public boolean recordStatement(EventPosition at, Ddl ddl, StateSupplier before) throws IOException {
            if (isToBeRead(at, ddl)) {
                add(positionOf(at), ddl);
            }
            return false;
        }

        @Override
        public void recordUnread(EventPosition at, Ddl ddl) {
            try {
                if (isToBeRead(at, ddl)) {
                    unread.add(new Unread(positionOf(at), MentionedTables.in(ddl, traits)));
                }
            } catch (IOException e) {
                failure = e;
            }
        }

        private boolean isToBeRead(EventPosition at, Ddl ddl) throws IOException {
            String gtid = at.gtid();
            hasEnded |= end.isAt(at, ddl);
            return !hasEnded && (gtid == null || gtid.isEmpty() || !executed.has(gtid, positionOf(at)));
        }

        private static BinlogPosition positionOf(EventPosition at) {
            return new BinlogPosition(at.file(), at.offset());
        }
    }
}
