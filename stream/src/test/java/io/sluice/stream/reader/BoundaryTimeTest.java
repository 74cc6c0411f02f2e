package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.XaHolding;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An event has the time at which its statement began, so within a transaction it may be older than the transaction before. */
class BoundaryTimeTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final long BEGUN = 1_700_000_000;
    private static final long COMMITTED = BEGUN + 1_800;
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final String LONG_NOTE = "x".repeat(60_000);

    @TempDir
    private Path directory;

    private final SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_ANONYMOUS, 7, SERVER, BEGUN, true);
    private final List<Boundary> boundaries = new ArrayList<>();

    @Test
    void aBoundaryBeforeAnOpenTransactionHasTheTimeOfTheOneBefore() throws Exception {
        commitTransactionAt(COMMITTED);
        moveTo(COMMITTED + 10);
        binlog.open(0); // the event that announces it has the time of the commit
        moveTo(BEGUN);
        binlog.query("shop", "BEGIN");
        insertThreeChunks();
        EventReader reader = reader(StreamOptions.DEFAULT);

        readAll(reader);

        assertThat(boundaries).hasSize(1);
        assertThat(boundaries.get(0).position().offset())
                .isEqualTo(binlog.transactions().get(0).end());
        assertThat(boundaries.get(0).timestampMillis()).isEqualTo(COMMITTED * 1000);
        assertThat(reader.readUpTo().millis()).isEqualTo(COMMITTED * 1000);
        assertThat(reader.reachedMillis()).as("for the lag").isEqualTo(COMMITTED * 1000);

        moveTo(COMMITTED + 10);
        binlog.xid();
        binlog.close();
        assertThat(lastBoundaryOfAll().timestampMillis()).isEqualTo((COMMITTED + 10) * 1000);
    }

    @Test
    void aBoundaryBeforeACompressedTransactionHasTheTimeOfTheOneBefore() throws Exception {
        commitTransactionAt(COMMITTED);
        moveTo(COMMITTED + 10);
        binlog.open(0);
        List<List<List<Object>>> statements = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            statements.add(List.of(List.of(i, "x".repeat(20_000))));
        }
        binlog.payload("shop", ORDERS, statements);
        binlog.close();

        readAll(reader(StreamOptions.DEFAULT));

        long before = binlog.transactions().get(0).end();
        assertThat(boundaries)
                .allSatisfy(boundary -> assertThat(boundary.timestampMillis())
                        .isEqualTo((boundary.position().offset() == before ? COMMITTED : COMMITTED + 10) * 1000));
        assertThat(boundaries.get(boundaries.size() - 1).position().offset()).isEqualTo(binlog.end());
    }

    /** Statements that began before the end of the file may come after it, with their time; a start by time must find them. */
    @Test
    void theEndOfAFileOfAQuietSourceCountsAsEarlierByALongStatement() throws Exception {
        commitTransactionAt(BEGUN);
        long quiet = Duration.ofDays(9).toSeconds();
        moveTo(BEGUN + quiet);
        binlog.rotate();

        assertThat(lastBoundaryOfAll().timestampMillis())
                .isEqualTo((BEGUN + quiet - Duration.ofDays(2).toSeconds()) * 1000);

        commitTransactionAt(BEGUN + 60); // a statement of nine days
        assertThat(lastBoundaryOfAll().timestampMillis()).isEqualTo((BEGUN + 60) * 1000);
    }

    /** The server that is read has written the end of the file, and not what a further server must have. */
    @Test
    void theEndOfAFileHasTheServerThatWroteTheTransactionBeforeIt() throws Exception {
        binlog.writeAs(9);
        commitTransactionAt(COMMITTED);
        binlog.writeAs(7);
        moveTo(COMMITTED + 60);
        binlog.rotate();

        Boundary last = lastBoundaryOfAll();
        assertThat(last.position().file()).isEqualTo(binlog.newestFile());
        assertThat(last.timestampMillis()).isEqualTo(COMMITTED * 1000);
        assertThat(last.serverId()).isEqualTo(9);
    }

    @Test
    void aBoundaryBeforeAnUndecidedTransactionHasTheTimeAndTheServerOfTheOneBefore() throws Exception {
        binlog.writeAs(9);
        commitTransactionAt(COMMITTED);
        binlog.writeAs(7);
        moveTo(COMMITTED + 10);
        binlog.open(0);
        moveTo(BEGUN);
        binlog.query("shop", "XA START X'61',X'',1");
        binlog.rows(ORDERS, SyntheticBinlog.Change.INSERT, List.of(List.of(1, "held")));
        EventReader reader = reader(StreamOptions.DEFAULT.with(new XaHolding(directory, 1 << 20)));
        binlog.query("shop", "XA END X'61',X'',1");
        moveTo(COMMITTED + 10);
        binlog.append(SyntheticBinlog.XA_PREPARE, new byte[] {0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 'a'});
        binlog.close();

        readAll(reader);

        assertThat(reader.undecidedStart().timestampMillis()).isEqualTo(COMMITTED * 1000);
        assertThat(reader.undecidedStart().serverId()).isEqualTo(9);
        reader.close();
    }

    /** Otherwise a restart there would take DDL for applied that is between both. */
    @Test
    void aBoundaryWhereReadingGoesBackHasTheTimeOfThere() throws Exception {
        commitTransactionAt(COMMITTED);
        EventReader reader = reader(StreamOptions.DEFAULT);
        readAll(reader);
        assertThat(reader.readUpTo().millis()).isEqualTo(COMMITTED * 1000);

        startAt(reader, BEGUN, null);
        assertThat(reader.readUpTo().millis()).isEqualTo(BEGUN * 1000);
        assertThat(reader.readUpTo().serverId()).isEqualTo(8);
        assertThat(reader.lastRead().millis())
                .as("for a further change of the server")
                .isEqualTo(COMMITTED * 1000);

        readAll(reader);
        assertThat(boundaries).hasSizeGreaterThan(1);
        assertThat(boundaries)
                .allSatisfy(boundary -> assertThat(boundary.timestampMillis())
                        .isEqualTo((boundary.position().offset() == binlog.end() ? COMMITTED : BEGUN) * 1000));
    }

    /** Otherwise the next server would be read from so long before, though nothing of that was asked for. */
    @Test
    void theEndOfAFileBeforeTheFirstTransactionIsNotEarlierThanTheStart() throws Exception {
        EventReader reader = reader(StreamOptions.DEFAULT);
        startAt(reader, BEGUN, null);
        assertThat(reader.readUpTo().millis()).isZero();
        moveTo(BEGUN + 300);
        binlog.rotate();
        binlog.open(0);
        binlog.query("shop", "BEGIN");
        insertThreeChunks();

        readAll(reader);

        assertThat(reader.readUpTo().millis()).isEqualTo(BEGUN * 1000);
        assertThat(boundaries)
                .isNotEmpty()
                .allSatisfy(boundary -> assertThat(boundary.timestampMillis()).isEqualTo(BEGUN * 1000))
                .allSatisfy(boundary -> assertThat(boundary.serverId()).isEqualTo(8));
    }

    /** Transactions of the set may be newer than any time that the end of a file states; it is asked for by the set again. */
    @Test
    void theEndOfAFileAfterAStartByGtidsWithoutATimeHasNoTimeEither() throws Exception {
        EventReader reader = reader(StreamOptions.DEFAULT);
        startAt(reader, 0, GtidSet.parse(SERVER + ":1-5"));
        moveTo(BEGUN + 300);
        binlog.rotate();

        readAll(reader);

        assertThat(reader.readUpTo().millis()).isZero();
        assertThat(boundaries).isEmpty();
    }

    /** Until a transaction came again, a further server is read from where this one got to. */
    @Test
    void theEndOfAFileWhereReadingGoesBackDoesNotForgetWhatWasRead() throws Exception {
        commitTransactionAt(COMMITTED);
        EventReader reader = reader(StreamOptions.DEFAULT);
        readAll(reader);
        startAt(reader, BEGUN, null);
        SyntheticBinlog other = new SyntheticBinlog(Flavour.MYSQL_ANONYMOUS, 8, SERVER, BEGUN + 300, true);
        other.rotate();

        readAll(reader, other);

        assertThat(reader.readUpTo().millis()).isEqualTo(BEGUN * 1000);
        assertThat(reader.lastRead().millis()).isEqualTo(COMMITTED * 1000);
    }

    private static void startAt(EventReader reader, long seconds, @Nullable GtidSet executed) {
        reader.startAt(
                new Boundary(
                        SourceServer.at("other", 3306),
                        new BinlogPosition("binlog.000001", 4),
                        executed,
                        8,
                        seconds * 1000,
                        null,
                        0),
                false);
        reader.onReconnect(true, false);
    }

    private void commitTransactionAt(long seconds) {
        moveTo(seconds);
        binlog.open(0);
        binlog.query("shop", "BEGIN");
        binlog.xid();
        binlog.close();
    }

    private void insertThreeChunks() {
        for (int i = 0; i < 9; i++) {
            binlog.rows(ORDERS, SyntheticBinlog.Change.INSERT, List.of(List.of(i, LONG_NOTE)));
        }
    }

    private void moveTo(long seconds) {
        binlog.advance(seconds - binlog.seconds());
    }

    private EventReader reader(StreamOptions options) {
        EventReader reader = new EventReader(
                SourceServer.at("db", 3306),
                new BinlogPosition("binlog.000001", 4),
                null,
                options,
                new SchemaTracker(name -> ORDERS.createStatement()),
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                new ReaderOptions(HiddenColumns.NONE, EventReader.DEFAULT_MAPPING_BYTES, new HandTime()));
        reader.onReconnect(true, false);
        return reader;
    }

    private Boundary lastBoundaryOfAll() throws Exception {
        readAll(reader(StreamOptions.DEFAULT));
        return boundaries.get(boundaries.size() - 1);
    }

    private void readAll(EventReader reader) throws Exception {
        readAll(reader, binlog);
    }

    private void readAll(EventReader reader, SyntheticBinlog from) throws Exception {
        boundaries.clear();
        EventSource dump = new Stepwise(from.dump("binlog.000001", 4));
        boolean more = true;
        while (more) {
            Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
            more = reader.read(dump, chunk);
            if (chunk.checkpoint() != null) {
                boundaries.add(chunk.checkpoint());
            }
        }
    }

    /** Each event comes alone, so every chunk ends with one. */
    private static final class Stepwise implements EventSource {
        private final EventSource events;

        Stepwise(List<byte[]> events) {
            this.events = new ListedEvents(events);
        }

        @Override
        public int next(ByteWriter out) throws IOException {
            return events.next(out);
        }

        @Override
        public boolean hasBuffered() {
            return false;
        }

        @Override
        public void close() throws IOException {
            events.close();
        }
    }
}
