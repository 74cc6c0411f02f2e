package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.EventPosition;
import io.sluice.schema.ddl.SchemaRecorder;
import io.sluice.schema.ddl.SchemaState;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.SourceTraits;
import io.sluice.schema.ddl.TableEffect;
import io.sluice.schema.ddl.TableName;
import io.sluice.stream.pipeline.DdlReplay;
import io.sluice.stream.pipeline.MidTransactionException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The first change of each table's columns in a part of the binlog: whether the present definition of a table is also the one at the beginning
 * of the part. For one thread.
 */
final class LaterChanges {
    private final SchemaTracker parser;
    private final Map<TableName, Change> first = new HashMap<>();
    private final Map<TableName, TableLife> lives = new HashMap<>();

    /**
     * The first change of a table.
     *
     * @param at where the statement is in the binlog
     * @param created whether the table did not exist before
     */
    record Change(String at, boolean created) {}

    /** Knows no change yet. */
    LaterChanges(SourceTraits traits) {
        this.parser = new SchemaTracker(name -> null, traits, new Collector());
    }

    /**
     * Reads the part of a binlog, from the begin of a transaction on if the part begins within one.
     *
     * @param progress is called after each event
     * @throws IOException if the host cannot be reached, or does not have that part any more
     * @throws io.sluice.stream.pipeline.StreamException if an event cannot be read
     */
    static LaterChanges between(
            BinlogPosition from,
            BinlogPosition until,
            SourceHost host,
            SourceConnection connection,
            SourceTraits traits,
            DdlReplay.Progress progress)
            throws IOException {
        try {
            LaterChanges changes = new LaterChanges(traits);
            changes.read(from, until, host, connection, progress);
            return changes;
        } catch (MidTransactionException e) { // the stream will begin before the transaction, too
            BoundarySearch search = new BoundarySearch(from.offset());
            connection.scan().scan(from.file(), search);
            LaterChanges changes = new LaterChanges(traits);
            changes.read(new BinlogPosition(from.file(), search.nearest()), until, host, connection, progress);
            return changes;
        }
    }

    private void read(
            BinlogPosition from,
            BinlogPosition until,
            SourceHost host,
            SourceConnection connection,
            DdlReplay.Progress progress)
            throws IOException {
        ServerFacts facts = connection.facts();
        GtidSet none = facts.mariaDb() ? MariaDbGtidSet.EMPTY : MySqlGtidSet.EMPTY;
        ServerAddress address = host.login().address();
        DdlReplay replay = new DdlReplay(
                SourceServer.at(address.host(), address.port()), from, facts.hasGtids() ? none : null, parser);
        replay.onTable(this::addRows);
        try (EventSource events = connection.scan().read(from)) {
            replay.run(events, facts.writesChecksums(), until, progress);
        }
    }

    /** Adds what a statement does, which comes after those that were added before. */
    void add(String where, SchemaRecorder.Ddl ddl) {
        for (TableEffect effect : parser.effects(ddl.sql(), ddl.sessionSchema(), ddl.mode())) {
            TableName key = key(effect.table());
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
        if (!isNamed) {
            lifeOrNew(key(table)).rows();
        }
    }

    private TableLife lifeOrNew(TableName key) {
        return lives.computeIfAbsent(key, table -> new TableLife());
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

    private static TableName schemaOf(TableName key) {
        return new TableName(key.schema(), "");
    }

    /** Names that differ in case only are taken for one, whatever the server does: that errs on the safe side. */
    private static TableName key(TableName table) {
        return new TableName(
                table.schema().toLowerCase(Locale.ROOT), table.table().toLowerCase(Locale.ROOT));
    }

    /** Keeps what statements do, and has none of them applied. */
    private final class Collector implements SchemaRecorder {
        @Override
        public boolean recordStatement(EventPosition at, Ddl ddl, Supplier<SchemaState> before) {
            add(at.file() + ":" + at.offset(), ddl);
            return false;
        }
    }
}
