package io.sluice.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.history.SimulatedHistory;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.SimulatedReader;
import io.sluice.stream.source.SourceListener;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.SourceState;
import io.sluice.stream.source.search.LostCursor;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A start at the newest position of an instance that was read before. */
class LostCursorTest {
    private static final UUID SOURCE = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final ConfiguredStart NEWEST = new ConfiguredStart.Newest();

    private final SimulatedClock time = new SimulatedClock();
    private final SimulatedHost source = new SimulatedHost(
            new ServerAddress("db1", 3306),
            SOURCE.toString(),
            false,
            new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SOURCE, time.sourceSeconds(), false),
            1);
    private final SimulatedServers servers =
            new SimulatedServers(List.of(source), time, () -> false, () -> false, false);
    private final SimulatedHistory history = new SimulatedHistory();

    private @Nullable Cursor stored;

    /** The instance runs for the first time. */
    @BeforeEach
    void run() throws Exception {
        assertThat(start(null, NEWEST, LostCursor.STOP)).isInstanceOf(SourceState.Streaming.class);
        assertThat(stored).isNotNull();
    }

    @AfterEach
    void close() {
        history.close();
    }

    @Test
    void itStopsWhereChangesWouldBeSkipped() throws Exception {
        time.pass(Duration.ofDays(1).toNanos());

        assertThat(start(null, NEWEST, LostCursor.STOP))
                .isInstanceOfSatisfying(
                        SourceState.Failed.class,
                        failed -> assertThat(failed.failure()).isEqualTo(SourceFailure.CURSOR_LOST));

        assertThat(start(stored, NEWEST, LostCursor.STOP)).isInstanceOf(SourceState.Streaming.class);
    }

    @ParameterizedTest
    @EnumSource(value = LostCursor.class, names = "STOP", mode = Mode.EXCLUDE)
    void itBeginsAtTheNewestPositionIfThatIsWanted(LostCursor reaction) throws Exception {
        time.pass(Duration.ofDays(1).toNanos());

        assertThat(start(null, NEWEST, reaction)).isInstanceOf(SourceState.Streaming.class);
    }

    @Test
    void aConfiguredStartIsNoLoss() throws Exception {
        time.pass(Duration.ofDays(1).toNanos());

        assertThat(start(null, new ConfiguredStart.Earliest(), LostCursor.STOP))
                .isInstanceOf(SourceState.Streaming.class);
    }

    @Test
    void aFirstStartThatHasStoredNoCursorIsRepeated() throws Exception {
        time.pass(Duration.ofMinutes(1).toNanos());

        assertThat(start(null, NEWEST, LostCursor.STOP)).isInstanceOf(SourceState.Streaming.class);
    }

    /** The state in which the reader waits for events, or has ended. */
    private SourceState start(@Nullable Cursor cursor, ConfiguredStart start, LostCursor reaction) throws Exception {
        SimulatedReader reader = reader(cursor, start, reaction);
        try {
            while (!(reader.state() instanceof SourceState.Failed)
                    && (!(reader.state() instanceof SourceState.Streaming)
                            || servers.dump().isReady())) {
                time.pass(reader.step().toNanos());
            }
            return reader.state();
        } finally {
            reader.close();
        }
    }

    private SimulatedReader reader(@Nullable Cursor cursor, ConfiguredStart start, LostCursor reaction) {
        return new SimulatedReader(
                "shop",
                new SourceOptions(
                        List.of(source.asSource(start)),
                        99,
                        PositionOptions.DEFAULT.with(reaction),
                        List.of(),
                        List.of(),
                        Duration.ofSeconds(10),
                        0,
                        null),
                SimulatedStream.ofAllTables(),
                new EntryRing(new RingConfig(1 << 10, 1024, false)),
                cursor,
                null,
                new SourceListener() {
                    @Override
                    public void onStart(Cursor begin) {
                        stored = begin;
                    }

                    @Override
                    public void onState(SourceState state) {}
                },
                servers,
                history::open,
                time,
                new SplittableRandom(1));
    }
}
