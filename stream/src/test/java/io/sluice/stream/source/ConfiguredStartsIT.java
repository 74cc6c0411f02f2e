package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stream without a cursor begins where it was told to.
 *
 * <p>The server's binlog is written by a clock that stops and jumps, and has compressed transactions.
 */
@Timeout(600)
class ConfiguredStartsIT {
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);
    private static final long SEED = 20_261_121;
    private static final int TRANSACTIONS = 160;

    private static MySqlServer server;
    private static List<Transaction> transactions;
    private static String lastFile;

    /** @param newest when the newest of its events was written, in seconds since the epoch */
    private record Transaction(long newest, List<Entry> entries) {}

    @BeforeAll
    static void startServer() throws Exception {
        server = MySqlServer.start(MySqlOptions.defaults().gtid().with("log-bin", "source-bin"));
        server.execute("create database shop", "create table shop.item (id int primary key, note text)");
        BinlogEnd start = server.rotateBinlog();
        write();
        List<Entry> entries = read(new PositionOptions(false, true, false, Duration.ZERO), Sources.at(start));
        transactions = transactions(entries);
        lastFile = server.binlogEnd().file();
        assertThat(lastFile).startsWith("source-bin.0");
        assertThat(transactions).as("seed %d", SEED).hasSize(TRANSACTIONS + 1);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static void write() throws SQLException {
        Random random = new Random(SEED);
        long clock = Instant.now().getEpochSecond() + 1_000; // ahead of that by which files are begun
        int id = 0;
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < TRANSACTIONS; i++) {
                if (random.nextInt(8) == 0) {
                    statement.execute("flush binary logs");
                }
                statement.execute("set binlog_transaction_compression = " + random.nextInt(2));
                clock += random.nextInt(3) == 0 ? random.nextInt(20) : 0;
                statement.execute("set timestamp = " + clock);
                if (random.nextInt(10) == 0) {
                    statement.execute("alter table shop.item comment = 'at %d'".formatted(clock));
                    continue;
                }
                statement.execute("begin");
                for (int row = random.nextInt(3); row >= 0; row--) {
                    statement.execute("insert into shop.item values (%d, 'at %d')".formatted(++id, clock));
                    clock += random.nextInt(6) == 0 ? random.nextInt(20) : 0;
                    statement.execute("set timestamp = " + clock);
                }
                statement.execute("commit");
            }
            statement.execute("set timestamp = " + (clock + 100));
            statement.execute("create table shop.the_end (id int)");
        }
    }

    private static List<Transaction> transactions(List<Entry> entries) {
        List<Transaction> all = new ArrayList<>();
        List<Entry> open = new ArrayList<>();
        for (Entry entry : entries) {
            open.add(entry);
            if (entry.kind() == EntryKind.END || entry.kind() == EntryKind.DDL) {
                long newest =
                        open.stream().mapToLong(Entry::executeTimeMillis).max().orElseThrow();
                all.add(new Transaction(newest / 1000, List.copyOf(open)));
                open.clear();
            }
        }
        assertThat(open).isEmpty();
        return all;
    }

    private static List<Entry> read(PositionOptions rules, ConfiguredStart start) throws InterruptedException {
        SourceOptions options = Sources.options(rules, Sources.host(server, start));
        try (LiveSource live = LiveSource.reading(options, LARGE).start()) {
            List<Entry> entries = live.readUntil(ConfiguredStartsIT::isTheEnd);
            assertThat(live.retries()).isEmpty();
            return entries;
        }
    }

    private static boolean isTheEnd(Entry entry) {
        return entry.kind() == EntryKind.DDL && entry.tableName().equals("the_end");
    }

    private static String fileOf(Transaction transaction) {
        return EntryPositions.start(transaction.entries().get(0)).file();
    }

    private static List<String> places(List<Entry> entries) {
        return entries.stream()
                .map(entry -> EntryPositions.start(entry) + " " + entry.kind() + " " + entry.executeTimeMillis())
                .toList();
    }

    private static List<String> from(int transaction) {
        return places(transactions.subList(transaction, transactions.size()).stream()
                .flatMap(each -> each.entries().stream())
                .toList());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTimeMeansTheFirstTransactionThatIsNotOlder(boolean gtids) throws Exception {
        PositionOptions rules = new PositionOptions(false, gtids, false, Duration.ZERO);
        Random random = new Random(SEED + 1);
        for (int i = 0; i < 16; i++) {
            int at = i == 0 ? 1 : i == 1 ? TRANSACTIONS : 1 + random.nextInt(TRANSACTIONS - 1);
            long wanted = transactions.get(at).newest() + random.nextInt(2);
            int first = 0;
            while (transactions.get(first).newest() < wanted) {
                first++;
            }

            List<Entry> read = read(rules, new ConfiguredStart.Since(null, Instant.ofEpochSecond(wanted)));

            assertThat(places(read)).as("seed %d, from %d on", SEED, wanted).isEqualTo(from(first));
            assertThat(read.get(read.size() - 1).cursor().gtidSet().isEmpty()).isEqualTo(!gtids);
        }
    }

    @Test
    void aTimeInAFileIsLookedForThereAlone() throws Exception {
        int within = TRANSACTIONS / 2;
        Transaction wanted = transactions.get(within);
        String file = fileOf(wanted);
        int first = 0;
        while (transactions.get(first).newest() < wanted.newest()
                || !fileOf(transactions.get(first)).equals(file)) {
            first++;
        }
        PositionOptions rules = PositionOptions.DEFAULT;

        assertThat(places(read(rules, new ConfiguredStart.Since(file, Instant.ofEpochSecond(wanted.newest())))))
                .isEqualTo(from(first));

        int ofFile = 0;
        while (!fileOf(transactions.get(ofFile)).equals(file)) {
            ofFile++;
        }
        assertThat(places(read(
                        rules, new ConfiguredStart.Since(file, Instant.now().plus(Duration.ofDays(365))))))
                .as("nothing in that file is so new, so it is read from its beginning")
                .isEqualTo(from(ofFile));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theEarliestIsTheOldestThatIsLeft(boolean gtids) throws Exception {
        List<Entry> all = read(new PositionOptions(false, gtids, false, Duration.ZERO), new ConfiguredStart.Earliest());

        assertThat(places(all)).endsWith(from(0).toArray(String[]::new));
        assertThat(EntryPositions.start(all.get(0)).file()).isEqualTo("source-bin.000001");
    }

    @Test
    void aGtidSetStartsAtTheFirstTransactionOutsideIt() throws Exception {
        int first = TRANSACTIONS / 3;
        List<Entry> before = transactions.get(first - 1).entries();
        String gtids = before.get(before.size() - 1).cursor().gtidSet();

        List<Entry> read =
                read(new PositionOptions(true, true, false, Duration.ZERO), new ConfiguredStart.After(gtids));

        assertThat(places(read)).isEqualTo(from(first));
        assertThat(flat(read.get(read.size() - 1))).contains("\"gtid\":\"" + gtids.substring(0, 36) + ":1-");
    }

    @Test
    void gtidsAreInHeadersOnlyIfConfigured() throws Exception {
        Transaction last = transactions.get(transactions.size() - 1);
        assertThat(last.entries().get(last.entries().size() - 1).cursor().gtidSet())
                .isNotEmpty();
        assertThat(flat(last.entries().get(0))).contains("\"gtid\":\"\"");
    }

    private static String flat(Entry entry) {
        ByteWriter out = new ByteWriter(256);
        assertThat(Encodings.writeFlat(entry, out, 1, 1)).isTrue();
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
