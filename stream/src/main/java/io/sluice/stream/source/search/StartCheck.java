package io.sluice.stream.source.search;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceHost;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a host could be read from where an instance would begin there: finds that position as a start does, and has the server send the first
 * event. Table schemas are not looked at. Changes nothing. For one thread.
 */
public final class StartCheck {
    private final PositionOptions rules;
    private final SourceHost host;
    private final boolean isOnlyHost;
    private final ServerFacts facts;
    private final LimitedScan scan;
    private final String name;

    /**
     * Makes it.
     *
     * @param instance for messages
     * @param facts of the server that answers at the host
     * @param scan reads that server's binlog
     */
    StartCheck(
            String instance,
            PositionOptions rules,
            SourceHost host,
            boolean isOnlyHost,
            ServerFacts facts,
            LimitedScan scan) {
        this.name = instance + " (check)";
        this.rules = rules;
        this.host = host;
        this.isOnlyHost = isOnlyHost;
        this.facts = facts;
        this.scan = scan;
    }

    /**
     * Checks the start from a cursor, or from the configuration.
     *
     * @param cursor null if there is none
     * @throws io.sluice.mysql.failure.SourceException if the host would not be read
     * @throws ScanLimitException if it takes too much to find out
     * @throws IllegalArgumentException if the cursor's GTIDs are no set
     * @throws IOException if the server cannot be read
     */
    public void require(@Nullable Cursor cursor) throws IOException {
        HostCheck.requireBinlog(facts);
        StartFinder finder = new StartFinder(
                name, rules, host.start(), isOnlyHost, facts, scan, facts.hasGtids(), () -> 0, new OffsetCheck());
        DumpStart wanted = cursor == null ? finder.fromConfiguration() : finder.from(cursor);
        try {
            long readMillis = cursor == null ? 0 : DumpCheck.readMillis(cursor);
            requireSent(new DumpCheck(name).require(wanted, readMillis, facts, scan));
        } catch (LostEndException e) {
            if (e.isCertain() || cursor == null || !isOfAnother(cursor)) {
                throw e;
            }
            requireByTime(finder, cursor);
        } catch (ServerErrorException e) {
            if (FailureClassifier.of(e) != SourceFailure.PURGED || AccountFailure.isMissingPrivilege(e)) {
                throw e;
            }
            if (cursor == null || !isOfAnother(cursor)) {
                throw HostCheck.purged(wanted, e, facts);
            }
            requireByTime(finder, cursor);
        }
    }

    private boolean isOfAnother(Cursor cursor) throws IOException {
        return isOnlyHost && HostCheck.isProbablyOther(cursor.lastEvent(), facts);
    }

    private void requireByTime(StartFinder finder, Cursor cursor) throws IOException {
        requireSent(finder.since(cursor.lastEvent(), "its server_id is not that of the position"));
    }

    /** What is beyond the offsets that a command can state would be sent after all that is before it. */
    private void requireSent(DumpStart start) throws IOException {
        BinlogPosition position = start.positionOrUnknown();
        if (!start.byGtids() && position.isKnown() && position.offset() <= DumpRequest.LARGEST_POSITION) {
            scan.scan(position, (header, body, from, to) -> false);
        }
    }
}
