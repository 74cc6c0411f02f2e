package io.sluice.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.HistoryLocation;
import io.sluice.schema.history.SimulatedHistory;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.source.SimulatedReader;
import io.sluice.stream.source.SourceListener;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.SourceState;
import io.sluice.stream.source.SourceStream;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.StartPosition;
import io.sluice.testkit.binlog.RandomTransactions.Form;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FailoverTest {
    private static final UUID SOURCE = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");

    private final SimulatedClock time = new SimulatedClock();
    private final SimulatedHost source = host("db1", SOURCE.toString(), false);
    private final SimulatedHost replica = host("db2", "00000000-e4de-11f1-8f50-02fc00000002", true);
    private final EntryRing ring = new EntryRing(new RingConfig(1 << 10, 1024, false));
    private final SimulatedServers servers =
            new SimulatedServers(List.of(source, replica), time, () -> false, () -> false, false);

    private @Nullable Cursor first;

    private SimulatedHost host(String name, String identity, boolean isReplica) {
        return new SimulatedHost(
                new ServerAddress(name, 3306),
                identity,
                isReplica,
                new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SOURCE, time.sourceSeconds(), false),
                1);
    }

    /** The source has a transaction without a GTID, so its position is by file; the replica is found by time, and read by GTIDs. */
    @Test
    void rowsThatComeAgainHaveTheColumnNamesOfTheirTime() throws Exception {
        source.binlog().append(SyntheticBinlog.ANONYMOUS_GTID, new byte[42]);
        source.binlog().query("shop", "CREATE TABLE x (id int primary key)");
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            readAll(reader);
            writeRowsAndRename();
            List<Integer> images = images(reader);
            source.setDown(true);

            assertThat(images(reader)).isNotEmpty().isEqualTo(images);
            assertThat(((SourceState.Streaming) reader.state()).host()).isEqualTo(replica.address());
            reader.close();
        }
    }

    /** The cursor with which a stream begins has a reference to the schema history, as all others do. */
    @Test
    void aStreamThatHasJustBegunContinuesAtAnotherHostWithTheColumnNamesOfItsBegin() throws Exception {
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            readAll(reader);
            reader.close();
            writeRowsAndRename();
            source.setDown(true);

            SimulatedReader next = reader(history, first);

            assertThat(images(next)).isNotEmpty();
            next.close();
        }
    }

    /** Without GTIDs, and before anything was read, only the time of the begin tells where the other host is to be read. */
    @Test
    void aStreamThatHasReadNothingContinuesAtAnotherHostFromItsBegin() throws Exception {
        writeRows();
        time.pass(Duration.ofMinutes(2).toNanos());
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader =
                    reader(history, null, new StartPosition.Newest(), PositionOptions.DEFAULT.withKeptGtids(false));
            assertThat(images(reader)).isEmpty();
            source.setDown(true);
            time.pass(Duration.ofSeconds(1).toNanos());
            writeRows();

            List<Integer> images = images(reader);

            assertThat(((SourceState.Streaming) reader.state()).host()).isEqualTo(replica.address());
            assertThat(images).contains(replica.transactions().imagesUpTo(replica.newest()));
            reader.close();
        }
    }

    private void writeRows() {
        source.write(Form.ROWS, time.sourceSeconds());
        replica.write(Form.ROWS, time.sourceSeconds());
    }

    private void writeRowsAndRename() {
        for (Form form : List.of(Form.ROWS, Form.RENAMED_COLUMN, Form.ROWS)) {
            source.write(form, time.sourceSeconds());
            replica.write(form, time.sourceSeconds());
        }
    }

    private SimulatedReader reader(SimulatedHistory history, @Nullable Cursor cursor) {
        return reader(history, cursor, new StartPosition.Earliest(), PositionOptions.DEFAULT);
    }

    private SimulatedReader reader(
            SimulatedHistory history, @Nullable Cursor cursor, StartPosition start, PositionOptions positions) {
        return new SimulatedReader(
                "shop",
                new SourceOptions(
                        List.of(source.asSource(start), replica.asSource(start)),
                        99,
                        positions,
                        List.of(),
                        List.of(),
                        Duration.ofSeconds(10),
                        0,
                        null),
                new SourceStream(
                        StreamOptions.DEFAULT,
                        new TableFilter("", ""),
                        ColumnTypes.defaults(ZoneOffset.UTC),
                        new SchemaOptions(new HistoryConfig(
                                "shop",
                                new HistoryLocation.LocalFile(Path.of("unused"), Path.of("unused"), ""),
                                "",
                                "",
                                Duration.ZERO,
                                Duration.ofDays(1)))),
                ring,
                cursor,
                null,
                new SourceListener() {
                    @Override
                    public void onStart(Cursor begin) {
                        first = begin;
                    }

                    @Override
                    public void onState(SourceState state) {}
                },
                servers,
                history::open,
                time,
                new SplittableRandom(1));
    }

    private void readAll(SimulatedReader reader) throws InterruptedException {
        while (!(reader.state() instanceof SourceState.Streaming)
                || servers.dump().isReady()) {
            time.pass(reader.step().toNanos());
        }
    }

    private List<Integer> images(SimulatedReader reader) throws InterruptedException {
        readAll(reader);
        List<Integer> images = new ArrayList<>();
        BatchConverter converter = Converters.OF_BINLOG.flat(new FixedRouter("shop", 0), time);
        for (var batch = ring.getIfReady(BatchLimit.entries(100), false);
                batch != null;
                batch = ring.getIfReady(BatchLimit.entries(100), false)) {
            for (OutgoingMessage record : converter.convert(batch.id(), batch.entries())) {
                images.addAll(DeliveredRows.imagesOf(record.message()));
            }
            ring.ack(batch);
        }
        return images;
    }
}
