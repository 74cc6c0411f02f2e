package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** GTIDs were switched on while the server ran, and it does not send what has none: the start is rejected, and nothing is skipped. */
@Timeout(600)
class AnonymousTransactionsIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);
    private static final PositionOptions RULES = new PositionOptions(false, true, false, Duration.ZERO);

    private static MySqlServer server;
    private static BinlogEnd start;
    private static Instant begun;
    private static BinlogEnd endOfThem;
    private static String lastFile;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start(
                MySqlOptions.defaults().with("gtid-mode", "OFF").with("enforce-gtid-consistency", "ON"));
        server.execute("create database shop", "create table shop.item (id int primary key)");
        start = server.rotateBinlog();
        begun = Instant.now();
        server.execute("set global gtid_mode = OFF_PERMISSIVE");
        insert(1);
        endOfThem = server.binlogEnd();
        server.execute("set global gtid_mode = ON_PERMISSIVE");
        insert(2);
        server.execute("set global gtid_mode = ON");
        lastFile = server.binlogEnd().file();
        insert(3);
        server.execute("create table shop.the_end (id int)");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static Stream<ConfiguredStart> beforeThem() {
        return Stream.of(
                new ConfiguredStart.At(new BinlogPosition(start.file(), 4), null),
                Sources.at(start),
                new ConfiguredStart.At(new BinlogPosition(start.file(), start.offset()), ""),
                new ConfiguredStart.Earliest(),
                new ConfiguredStart.Since(start.file(), begun.minusSeconds(3_600)));
    }

    @ParameterizedTest
    @MethodSource("beforeThem")
    void areNotSkipped(ConfiguredStart start) throws Exception {
        server.execute("set global gtid_mode = ON");
        try (LiveSource live = start(start)) {
            await().until(() -> live.failure() != null || !live.retries().isEmpty());

            assertThat(live.retries()).isEmpty();

            assertThat(live.kind()).isEqualTo(SourceFailure.MISCONFIGURED);
            assertThat(live.failure())
                    .hasMessageContaining("have no GTID")
                    .hasMessageContaining("set gtid_mode=ON_PERMISSIVE there until they are read");
        }
    }

    /** As while nothing read the server, so that a cursor with GTIDs is before them. */
    @Test
    void areNotSkippedAfterGtidsWereOff() throws Exception {
        try (MySqlServer switched = MySqlServer.start(MySqlOptions.defaults().gtid())) {
            switched.execute("create database shop", "create table shop.item (id int primary key)");
            Cursor cursor;
            try (LiveSource live = LiveSource.reading(
                            Sources.options(RULES, Sources.host(switched, new ConfiguredStart.Earliest())), RING)
                    .start()) {
                live.readUntil(entry -> entry.tableName().equals("item"));
                cursor = live.cursor();
            }
            assertThat(cursor.gtidSet()).isNotEmpty();
            switched.execute("set global gtid_mode = ON_PERMISSIVE", "set global gtid_mode = OFF_PERMISSIVE");
            switched.execute("insert into shop.item values (1)");
            switched.execute("set global gtid_mode = ON_PERMISSIVE", "set global gtid_mode = ON");

            SourceOptions options = Sources.options(RULES, Sources.host(switched, new ConfiguredStart.Newest()));
            try (LiveSource live =
                    LiveSource.reading(options, RING).from(cursor).start()) {
                await().until(() -> live.failure() != null || !live.retries().isEmpty());

                assertThat(live.retries()).isEmpty();
                assertThat(live.failure()).hasMessageContaining("have no GTID");
            }
            try (LiveSource live =
                    start(switched, new ConfiguredStart.After(cursor.gtidSet()))) { // as after a fail-over
                await().until(() -> live.failure() != null || !live.retries().isEmpty());

                assertThat(live.retries()).isEmpty();
                assertThat(live.failure()).hasMessageContaining("have no GTID");
            }
        }
    }

    /** As while the connection was broken, and on again before there was a new one. */
    @Test
    void areNotSkippedAfterGtidsWereOffDuringAnOutage() throws Exception {
        try (MySqlServer switched = MySqlServer.start(MySqlOptions.defaults().gtid());
                GatedProxy proxy = new GatedProxy(switched.port())) {
            switched.execute("create database shop", "create table shop.item (id int primary key)");
            SourceHost host = new SourceHost(Sources.login(proxy.port()), new ConfiguredStart.Earliest());
            try (LiveSource live =
                    LiveSource.reading(Sources.options(RULES, host), RING).start()) {
                live.readUntil(entry -> entry.tableName().equals("item"));
                proxy.shut();
                await().until(() -> !live.retries().isEmpty());
                switched.execute("set global gtid_mode = ON_PERMISSIVE", "set global gtid_mode = OFF_PERMISSIVE");
                switched.execute("insert into shop.item values (1)");
                switched.execute("set global gtid_mode = ON_PERMISSIVE", "set global gtid_mode = ON");
                switched.execute("insert into shop.item values (2)");
                proxy.open();

                await().until(() -> live.failure() != null || live.readings().size() > 1);
                assertThat(live.kind()).isEqualTo(SourceFailure.MISCONFIGURED);
                assertThat(live.failure()).hasMessageContaining("have no GTID");
            }
        }
    }

    /** The search itself comes to them, and the server says what it does not send. */
    @Test
    void areNotSkippedByASearchInTheirFiles() throws Exception {
        server.execute("set global gtid_mode = ON");
        try (LiveSource live = start(new ConfiguredStart.Since(null, begun.minusSeconds(3_600)))) {
            await().until(() -> live.failure() != null || !live.retries().isEmpty());

            assertThat(live.retries()).isEmpty();
            assertThat(live.kind()).isEqualTo(SourceFailure.MISCONFIGURED);
            assertThat(live.failure()).hasMessageContaining("Cannot replicate anonymous transaction");
            assertThat(FailureClassifier.remedy(live.failure())).contains("gtid_mode=ON_PERMISSIVE");
            assertThat(live.readings()).isEmpty();
        }
    }

    /** The server does not send what is before the position in its file, so that its GTIDs cannot be determined, and all that follows has some. */
    @Test
    void aPositionAfterThemIsReadByFile() throws Exception {
        server.execute("set global gtid_mode = ON");
        try (LiveSource live = start(Sources.at(endOfThem))) {
            assertThat(rows(live)).isEqualTo(2);
            assertThat(live.retries()).isEmpty();
        }
    }

    @Test
    void aPositionAfterThemThatIsConfiguredWithItsGtidsIsReadByThese() throws Exception {
        server.execute("set global gtid_mode = ON");
        try (LiveSource live =
                start(new ConfiguredStart.At(new BinlogPosition(endOfThem.file(), endOfThem.offset()), ""))) {
            assertThat(rows(live)).isEqualTo(2);
            assertThat(live.retries()).isEmpty();
        }
    }

    @Test
    void areReadAsTheMessageSays() throws Exception {
        server.execute("set global gtid_mode = ON_PERMISSIVE");
        try (LiveSource live = start(Sources.at(start))) {
            assertThat(rows(live)).isEqualTo(3);
        }
    }

    @Test
    void whatFollowsThemIsReadByGtids() throws Exception {
        server.execute("set global gtid_mode = ON");
        try (LiveSource live = start(new ConfiguredStart.At(new BinlogPosition(lastFile, 4), null))) {
            assertThat(rows(live)).isEqualTo(1);
            assertThat(live.cursor().gtidSet()).isNotEmpty();
        }
    }

    @Test
    void countAsReadIfATransactionAfterThemWasReadElsewhere() throws Exception {
        server.execute("set global gtid_mode = ON");
        String read = server.query("select concat(@@server_uuid, ':1')");
        try (LiveSource live = start(new ConfiguredStart.After(read))) {
            assertThat(rows(live)).isEqualTo(1);
            assertThat(live.retries()).isEmpty();
        }
    }

    /** As in canal: a position without GTIDs is one of a file, and so is each cursor after it. */
    @Test
    void gtidsOfMessagesAreLeftOutWhereThereAreNone() throws Exception {
        server.execute("set global gtid_mode = ON_PERMISSIVE");
        SourceOptions options = Sources.options(RULES.withShownGtids(true), Sources.host(server, Sources.at(start)));
        Cursor cursor;
        try (LiveSource live = LiveSource.reading(options, RING).start()) {
            assertThat(rows(live)).isEqualTo(3);
            cursor = live.cursor();
        }
        assertThat(cursor.gtidSet()).isEmpty();

        try (LogLines log = LogLines.of(Locator.class);
                LiveSource live = LiveSource.reading(options, RING).from(cursor).start()) {
            await().until(() -> live.failure() != null || !live.readings().isEmpty());
            assertThat(live.failure()).isNull();
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("canal.instance.gtidon=true", "gtid_mode=ON_PERMISSIVE", "set gtid_mode=ON");
        }
    }

    private static LiveSource start(ConfiguredStart start) {
        return start(server, start);
    }

    private static LiveSource start(MySqlServer source, ConfiguredStart start) {
        return LiveSource.reading(Sources.options(RULES, Sources.host(source, start)), RING)
                .start();
    }

    private static long rows(LiveSource live) throws InterruptedException {
        return live
                .readUntil(entry ->
                        entry.kind() == EntryKind.DDL && entry.tableName().equals("the_end"))
                .stream()
                .filter(entry -> entry.kind() == EntryKind.ROWS)
                .count();
    }

    private static void insert(int id) {
        server.execute("insert into shop.item values (" + id + ")");
    }
}
