package io.sluice.parse.source;

import io.sluice.parse.gtid.GtidSet;
import io.sluice.parse.gtid.MariaDbGtidSet;
import io.sluice.parse.gtid.MySqlGtidSet;
import io.sluice.parse.pipeline.EventReader;
import io.sluice.parse.transaction.Boundary;
import io.sluice.parse.wire.BinlogStream;
import io.sluice.parse.wire.ConnectOptions;
import io.sluice.parse.wire.DumpRequest;
import io.sluice.parse.wire.MySqlConnection;
import io.sluice.parse.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import java.io.IOException;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one host after the other into the stages of a stream, each from where the one before got to.
 *
 * <p>The same server is read on from the start of the open transaction, and what was handed on of it is passed over. Another
 * server is read from the first transaction that was not read whole, which its GTIDs tell exactly, and else a time. For one
 * thread, but for {@link #abort} and {@link #abortAll}.
 */
final class HostReading implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostReading.class);

    private final String name;
    private final SourceOptions source;
    private final @Nullable Cursor cursor;
    private final SourceListener listener;
    private final SourceQueries queries;
    private final Structures structures;
    private final StreamStages stages;
    private final UUID replicaUuid = UUID.randomUUID();
    private volatile @Nullable MySqlConnection dump;
    private volatile @Nullable BinlogScan scan;

    private @Nullable Place place;
    /** Which server the place is of. */
    private @Nullable String identity;

    private boolean gtidsRefused;
    private boolean jumps;
    private boolean distrusts;
    private long dumpId;
    private @Nullable ConnectOptions dumpLogin;

    /** @param cursor where the last run got to; null if there was none */
    HostReading(
            String name,
            SourceOptions source,
            @Nullable Cursor cursor,
            SourceListener listener,
            SourceQueries queries,
            Structures structures,
            StreamStages stages) {
        this.name = name;
        this.source = source;
        this.cursor = cursor;
        this.listener = listener;
        this.queries = queries;
        this.structures = structures;
        this.stages = stages;
    }

    /** Connects to a host and reads it until that breaks; {@code whenFlowing} is run when events come. */
    void read(SourceHost host, Runnable whenFlowing) throws IOException, InterruptedException {
        try (MySqlConnection connection = MySqlConnection.open(host.login())) {
            dump = connection;
            requireGoingOn();
            ServerFacts facts = new ServerFacts(connection);
            queries.moveTo(host.login());
            Place next = stand(host, facts);
            structures.reading(facts.identity());
            boolean checksummed = facts.writesChecksums();
            BinlogStream stream = connection.dump(request(next, facts));
            dumpId = connection.connectionId();
            dumpLogin = host.login();
            EventReader reader = reader();
            reader.reconnected(checksummed);
            LOG.info("reading the binlog: instance={} source={} from={}", name, connection.address(), next);
            BinlogPosition point = next.point();
            listener.reading(point == null ? reader.resumePosition() : point);
            Objects.requireNonNull(stages.pipeline(), "a reader without its pipeline")
                    .read(new DumpSource(connection, stream, whenFlowing));
        } finally {
            dump = null;
        }
    }

    private static void requireGoingOn() throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("the source is being stopped");
        }
    }

    private EventReader reader() {
        return Objects.requireNonNull(stages.reader(), "a place without a reader");
    }

    private DumpRequest request(Place next, ServerFacts facts) {
        BinlogPosition point = next.point();
        GtidSet executed = next.executed();
        DumpRequest request;
        if (!next.byGtids() && point != null) {
            request = DumpRequest.from(point.file(), point.offset(), source.replicaServerId());
        } else {
            GtidSet empty = facts.mariaDb() ? MariaDbGtidSet.EMPTY : MySqlGtidSet.EMPTY;
            request = DumpRequest.after(
                    executed == null || executed.isEmpty() ? empty : executed, source.replicaServerId());
        }
        return request.withReplicaUuid(replicaUuid).withHeartbeatPeriod(source.heartbeatPeriod());
    }

    /** Finds where to read a host from, checks that it can be, and makes the reader stand there. */
    private Place stand(SourceHost host, ServerFacts facts) throws IOException, InterruptedException {
        BinlogScan searching = new BinlogScan(host.login(), source.replicaServerId());
        scan = searching;
        requireGoingOn();
        StartFinder finder = new StartFinder(name, source.positions(), host, facts, searching);
        EventReader open = stages.reader();
        String found = facts.identity();
        Place kept = open != null && found.equals(identity) && !jumps && !distrusts ? kept(open, facts) : null;
        Place next = kept == null ? elsewhere(open, finder, facts) : kept;
        GtidSet executed = next.executed();
        if (next.byGtids() && executed != null) {
            HostCheck.require(executed, facts);
        }
        if (kept == null) {
            ServerAddress address = host.login().address();
            if (open != null) {
                bringStructures(open, next, found);
            }
            EventReader reader = open == null ? stages.open(next, address, jumps ? null : cursor, this::abort) : open;
            if (open == null) {
                listener.begins(first(next, address, facts));
            }
            reader.startAt(
                    address.host(),
                    address.port(),
                    next.byGtids() ? BinlogPosition.UNKNOWN : Objects.requireNonNull(next.point()),
                    executed,
                    source.positions().showsGtids());
            jumps = false;
            distrusts = false;
        }
        identity = found;
        place = next;
        return next;
    }

    /** The cursor where the stream begins. */
    private Cursor first(Place next, ServerAddress address, ServerFacts facts) throws IOException {
        BinlogPosition point = next.point();
        return new Boundary(
                        address.host(),
                        address.port(),
                        point == null ? BinlogPosition.UNKNOWN : point,
                        next.executed(),
                        cursor == null ? facts.serverId() : cursor.serverId(),
                        cursor == null ? facts.clockMillis() / 1000 * 1000 : cursor.timestampMillis(),
                        null)
                .cursor();
    }

    /** By transactions nothing comes twice and nothing is passed over; else structures must be those of the new place. */
    private void bringStructures(EventReader open, Place next, String found) throws IOException {
        if (jumps) {
            structures.jumped(next);
        } else if (!next.byGtids() && (distrusts || !found.equals(identity))) {
            structures.wentBack(next, knownMillis(open));
        }
    }

    /** Where the server that was read before is read on; null if the reader has to be moved for that. */
    private @Nullable Place kept(EventReader open, ServerFacts facts) throws IOException {
        BinlogPosition point = open.resumePosition();
        boolean isKnown = point.isKnown();
        GtidSet executed = open.executed();
        if (executed != null && facts.hasGtids() && !gtidsRefused) {
            return new Place(isKnown || place == null ? point : place.point(), executed, true);
        }
        return isKnown ? Place.at(point) : null;
    }

    /** Where a server is read that was not read before. */
    private Place elsewhere(@Nullable EventReader open, StartFinder finder, ServerFacts facts) throws IOException {
        if (jumps) {
            return finder.newest();
        }
        if (distrusts) {
            return finder.since(knownMillis(open), "its server_id is not that of the position");
        }
        if (open == null) {
            return cursor == null ? finder.fromConfiguration() : finder.from(cursor);
        }
        GtidSet executed = open.executed();
        if (executed != null && facts.hasGtids() && !gtidsRefused) {
            return new Place(null, executed, true);
        }
        BinlogPosition asked = place == null ? null : place.point();
        if (asked != null && facts.identity().equals(identity)) {
            return Place.at(asked); // nothing came from there yet
        }
        long millis = knownMillis(open);
        return millis == 0 && cursor == null
                ? finder.fromConfiguration()
                : finder.since(millis, "the server is not the one that was read before");
    }

    private long knownMillis(@Nullable EventReader open) {
        long read = open == null ? 0 : open.readUpToMillis();
        return read > 0 || cursor == null ? read : cursor.timestampMillis();
    }

    /** Where reading began last, or was to begin; null if that was never found out. */
    @Nullable Place place() {
        return place;
    }

    /** Goes on without asking by GTIDs, which the server has refused. */
    void refuseGtids() {
        gtidsRefused = true;
    }

    /** Goes on at the newest position, whatever comes to be lost. */
    void jumpToNewest() {
        jumps = true;
    }

    /**
     * Goes on by time if the server is probably not the one whose position it was: its {@code server_id} is not that of the
     * last event. Is done once; a chain of replicas passes other servers' ids on.
     *
     * @return whether it will
     */
    boolean distrustPosition(ServerFacts facts) throws IOException {
        EventReader open = stages.reader();
        long known = open == null || open.readUpToServerId() == 0
                ? cursor == null ? 0 : cursor.serverId()
                : open.readUpToServerId();
        boolean isByFile = place == null || !place.byGtids();
        boolean begins = isByFile && known != 0 && known != facts.serverId() && !distrusts && knownMillis(open) > 0;
        distrusts = begins;
        return begins;
    }

    /** States that the server ended the last dump itself. */
    void dumpHasEnded() {
        dumpId = 0;
    }

    /** Ends the last dump at its server, if the server believes in it still. */
    void killDump() {
        long id = dumpId;
        ConnectOptions login = dumpLogin;
        dumpId = 0;
        if (id != 0 && login != null) {
            AbandonedDump.kill(login, id);
        }
    }

    /** Ends the dump at once. */
    void abort() {
        MySqlConnection open = dump;
        if (open != null) {
            open.abort();
        }
    }

    /** Ends whatever it waits for; it cannot be used any more. */
    void abortAll() {
        abort();
        queries.abort();
        structures.abort();
        BinlogScan searching = scan;
        if (searching != null) {
            searching.abort();
        }
    }

    @Override
    public void close() {
        stages.close();
        queries.close();
        structures.close();
        killDump();
    }
}
