package io.sluice.stream.source.schema;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.DdlReader;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.restore.HistoryMark;
import io.sluice.schema.history.restore.LostPart;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.search.DumpCheck;
import io.sluice.stream.source.search.KeptTransactions;
import io.sluice.stream.source.server.FileEnd;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds DDL in a schema history that was in the end of a binlog file which the source has lost since, as in a crash without {@code sync_binlog=1}. Whether
 * the source has kept what it changed is not known, so it is marked, and the tables concerned are read from the source again from there on. For one thread.
 */
final class LostDdl {
    private static final Logger LOG = LoggerFactory.getLogger(LostDdl.class);

    private final String instance;
    private final SourceQueries queries;
    private @Nullable String doubt;

    LostDdl(String instance, SourceQueries queries) {
        this.instance = instance;
        this.queries = queries;
    }

    /** Why the history says nothing of the table schemas at the start; null if it may. */
    @Nullable String doubt() {
        return doubt;
    }

    /** States that the history has the table schemas of the source again. */
    void endDoubt() {
        doubt = null;
    }

    /**
     * Looks for it, and marks it.
     *
     * @param epoch which binlog of the server it is, from reset to reset
     * @param byGtids whether the binlog is read by GTIDs: what a replica has got again in another file then counts as read
     * @return whether something was found, so that the schemas in memory are not those of the source, and have to be restored
     * @throws IOException if the source or the history cannot be reached
     */
    boolean mark(SchemaHistory kept, long epoch, boolean byGtids, SourceConnection connection) throws IOException {
        doubt = null;
        String server = connection.facts().identity();
        HistoryMark newest =
                kept.recorded().mark(server, epoch); // before the files are listed, which have all that was read
        if (newest == null) {
            return false;
        }
        try {
            BinlogPosition end = endBefore(newest, connection.facts());
            LostPart beyond = end == null ? null : kept.lostPart(server, epoch, end.file(), end.offset());
            if (end == null || beyond == null || beyond.isEmpty() || !isEnd(newest, end, connection)) {
                return false;
            }
            LostPart lost = byGtids ? withoutKept(beyond, end, connection) : beyond;
            if (lost.isEmpty()) {
                return false;
            }
            mark(lost, end, kept);
            return true;
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            LOG.debug("it cannot be looked up whether DDL of the schema history is lost: instance={}", instance, e);
            return false;
        }
    }

    private static LostPart withoutKept(LostPart beyond, BinlogPosition end, SourceConnection connection)
            throws IOException {
        KeptTransactions kept = new KeptTransactions(connection.facts(), connection.scan(), end);
        Set<KeptTransactions.Event> events =
                kept.among(beyond.rows().stream().map(LostDdl::eventOf).toList());
        return beyond.without(row -> events.contains(eventOf(row)), snapshot -> {
            GtidSet executed = snapshot.executed();
            return executed == null ? snapshot.beginning() == 0 : kept.hasAll(executed);
        });
    }

    private static KeptTransactions.Event eventOf(HistoryRow row) {
        return new KeptTransactions.Event(row.position().gtid(), row.position().timeMillis(), !row.isDefinition());
    }

    private void mark(LostPart lost, BinlogPosition end, SchemaHistory kept) throws IOException {
        if (lost.hasBeginning()) {
            doubt = "it begins beyond %s, where the source has lost the end of the file".formatted(end);
            LOG.warn(
                    "the source has lost the end of a binlog file in which the schema history begins, all tables are read from the source again: instance={} end={}",
                    instance,
                    end);
            return;
        }
        Set<TableName> concerned = lost.tables(new DdlReader(queries.traits()));
        List<String> names = concerned.stream()
                .map(table -> table.table().isEmpty() ? table.schema() + ".*" : table.toString())
                .sorted()
                .limit(FilterChange.MAX_NAMES)
                .toList();
        kept.markLost(lost);
        LOG.warn(
                "the source has lost the end of a binlog file with DDL that was read; whether it has kept what that changed is not known, so the tables are read"
                        + " from the source again: instance={} end={} statements={} tables={} names={}",
                instance,
                end,
                lost.rows().size(),
                concerned.size(),
                names);
    }

    /** Where the file ends now that has the newest event of the history, if it ends before that and another one follows; null if it does not. */
    private static @Nullable BinlogPosition endBefore(HistoryMark newest, ServerFacts facts) throws IOException {
        List<ServerFacts.File> files = facts.files();
        for (ServerFacts.File file : files.subList(0, files.size() - 1)) {
            boolean isKnown = file.bytes() >= DumpRequest.FIRST_POSITION;
            if (file.name().equals(newest.file())
                    && isKnown
                    && file.bytes() < newest.end().orElse(newest.offset())) {
                return new BinlogPosition(file.name(), file.bytes());
            }
        }
        return null;
    }

    /** Whether a server from which the file can be read has it, and it ends there. */
    private static boolean isEnd(HistoryMark newest, BinlogPosition end, SourceConnection connection)
            throws IOException {
        FileEnd shown = connection.scan().end(end);
        boolean isSame = newest.fileBegunSeconds() == 0
                || shown.begunSeconds() == 0
                || shown.begunSeconds() == newest.fileBegunSeconds();
        return isSame && shown.isEnd();
    }
}
