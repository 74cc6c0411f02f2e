package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.junit.Seeded;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two servers of MariaDB that replicate from each other, write the same domain with numbers of their own, and a second domain: each row that is read of one
 * or the other has the names of its columns.
 */
@Timeout(600)
class MariaDbSwitchIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);
    private static final int STEPS = 50;

    @TempDir
    private Path folder;

    private final MySqlServer[] servers = new MySqlServer[2];
    private final long[] numbers = {100_000, 10};
    private final TreeSet<Integer> delivered = new TreeSet<>();
    private final List<String> log = new ArrayList<>();
    /** Up to where something was acknowledged once. */
    private final List<Cursor> cursors = new ArrayList<>();

    /** The hosts of the instance, in the order of its configuration. */
    private SourceHost[] hosts = {};

    private LiveSource live;
    private int written;

    @AfterEach
    void stopServers() {
        for (MySqlServer server : servers) {
            if (server != null) {
                server.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB_10_11", "MARIADB_11_8"})
    void rowsHaveTheirNamesWhicheverServerIsRead(ServerRelease release, @Seeded long seed) throws Exception {
        Random random = new Random(seed);
        startServers(release);
        ConfiguredStart start = Sources.at(servers[0].binlogEnd());
        insert(0, 0);
        insert(1, 5);
        hosts = new SourceHost[] {
            Sources.host(servers[0], start), Sources.host(servers[1], new ConfiguredStart.Newest())
        };
        continueAt(null);
        try {
            for (int step = 0; step < STEPS; step++) {
                int at = random.nextInt(2);
                int domain = random.nextInt(3) == 0 ? 5 : 0;
                switch (random.nextInt(13)) {
                    case 0, 1, 2, 3 -> insert(at, domain);
                    case 4, 5, 6 -> exchangeColumns(at, domain);
                    case 7 -> read();
                    case 8 -> rotate(at);
                    case 9 -> restart(random);
                    case 10 -> readOnly(random.nextInt(2));
                    case 11 -> rewind(random);
                    default -> failOver();
                }
            }
            read();
        } catch (AssertionError | Exception e) {
            throw new AssertionError("seed " + seed + "\n" + String.join("\n", log), e);
        } finally {
            live.close();
        }
        assertThat(delivered).as("seed %d", seed).hasSize(written);
    }

    private void rotate(int at) {
        log.add("rotate " + at);
        servers[at].rotateBinlog();
    }

    /** Ends the instance, and starts another one. */
    private void continueAt(Cursor cursor) {
        log.add("continue at " + cursor);
        if (live != null) {
            live.close();
        }
        LiveSource next = LiveSource.reading(Sources.options(PositionOptions.DEFAULT, hosts), RING)
                .schema(Sources.history(folder))
                .from(cursor)
                .start();
        live = next;
        // DDL before the first event would have a new instance refuse the start.
        await().until(() -> next.failure() != null || !next.readings().isEmpty());
    }

    /** What was read since a cursor is not acknowledged. */
    private void restart(Random random) throws Exception {
        read();
        continueAt(random.nextBoolean() ? live.cursor() : any(random));
    }

    private Cursor any(Random random) {
        return cursors.get(random.nextInt(cursors.size()));
    }

    /** An operator changes the address, and later adds the former one as the second. */
    private void readOnly(int at) throws Exception {
        read();
        SourceHost first = hosts[at];
        SourceHost second = hosts[1 - at];
        hosts = new SourceHost[] {first};
        continueAt(live.cursor());
        read();
        hosts = new SourceHost[] {first, second};
        continueAt(live.cursor());
    }

    /** An operator sets the cursor to where one domain was at one time, and the other one at another; the instance is killed before it has got to both. */
    private void rewind(Random random) throws Exception {
        read();
        MariaDbGtid first = MariaDbGtidSet.parse(any(random).gtidSet()).newestOf(0);
        MariaDbGtid second = MariaDbGtidSet.parse(any(random).gtidSet()).newestOf(5);
        Cursor now = live.cursor();
        Cursor moved;
        try (BinlogBoundaries places = BinlogBoundaries.open(Sources.login(now.sourcePort()))) {
            moved = places.after(first + "," + second).withSchema(now.schema());
        }
        continueAt(moved);
        check(live.next());
        Cursor reached = live.cursor();
        continueAt(reached == null ? moved : reached);
    }

    private void failOver() throws Exception {
        read();
        int current = live.cursor().sourcePort() == servers[0].port() ? 0 : 1;
        log.add("fail over from " + current);
        servers[current].kill();
        exchangeColumnsAlone(1 - current, 0);
        insertAlone(1 - current, 0);
        insertAlone(1 - current, 5);
        readToTheEnd();
        servers[current].restart();
        awaitReplicas();
    }

    private void startServers(ServerRelease release) {
        for (int i = 0; i < 2; i++) {
            servers[i] = MySqlServer.start(MySqlOptions.defaults()
                    .release(release)
                    .serverId(i + 1)
                    .with("log-slave-updates", "ON")
                    .with("relay-log", "relay"));
        }
        for (int i = 0; i < 2; i++) {
            servers[i].execute(
                    "change master to master_host = '%s', master_port = %d, master_user = 'root', master_use_gtid = slave_pos, master_connect_retry = 1"
                            .formatted(servers[1 - i].host(), servers[1 - i].port()),
                    "start slave");
        }
        run(0, 0, "create database shop");
        awaitReplicas();
        run(0, 0, "create table shop.t0 (id int primary key, a int, b int, c int)");
        run(0, 0, "create table shop.t5 (id int primary key, a int, b int, c int)");
        awaitReplicas();
    }

    private void insert(int at, int domain) {
        awaitReplicas();
        insertAlone(at, domain);
    }

    private void insertAlone(int at, int domain) {
        written++;
        run(
                at,
                domain,
                "insert into shop.t%2$d (id, a, b, c) values (%1$d, %1$d, -%1$d, 7)".formatted(written, domain));
    }

    private void exchangeColumns(int at, int domain) {
        awaitReplicas();
        exchangeColumnsAlone(at, domain);
        awaitReplicas();
    }

    private void exchangeColumnsAlone(int at, int domain) {
        run(at, domain, "alter table shop.t%d rename column a to b, rename column b to a".formatted(domain));
    }

    private void run(int at, int domain, String sql) {
        long number = numbers[at]++;
        log.add("%d-%d-%d %s".formatted(domain, at + 1, number, sql));
        servers[at].execute("set session gtid_domain_id = %d, gtid_seq_no = %d".formatted(domain, number), sql);
    }

    /** Waits until each has what the other one has written. */
    private void awaitReplicas() {
        await().until(() -> {
            for (int i = 0; i < 2; i++) {
                String state = "," + servers[i].query("select @@global.gtid_binlog_state") + ",";
                for (String gtid : servers[1 - i]
                        .query("select @@global.gtid_binlog_state")
                        .split(",")) {
                    if (!state.contains("," + gtid + ",")) {
                        return false;
                    }
                }
            }
            return true;
        });
    }

    private void read() throws Exception {
        insert(written % 2, 0); // a row that was not read yet
        insert(written % 2, 5); // and a transaction of each domain in the cursor
        awaitReplicas();
        readToTheEnd();
        cursors.add(live.cursor());
        log.add("read up to " + live.cursor());
    }

    /** Reads what is written. */
    private void readToTheEnd() throws InterruptedException {
        int last = written;
        check(live.readUntil(entry -> isRow(entry) && id(entry) == last));
        check(live.readUntil(entry -> entry.kind() == EntryKind.END));
        List<Entry> more = live.next();
        while (!more.isEmpty()) {
            check(more);
            more = live.next();
        }
    }

    private void check(List<Entry> entries) {
        for (Entry entry : entries) {
            if (isRow(entry)) {
                int id = id(entry);
                delivered.add(id);
                assertThat(value(entry, "a")).as("row %d", id).isEqualTo(Integer.toString(id));
                assertThat(value(entry, "b")).as("row %d", id).isEqualTo(Integer.toString(-id));
            }
        }
    }

    private static boolean isRow(Entry entry) {
        return entry.kind() == EntryKind.ROWS && entry.tableName().startsWith("t");
    }

    private static int id(Entry entry) {
        return Integer.parseInt(value(entry, "id"));
    }

    private static String value(Entry entry, String column) {
        try {
            return EntryColumns.valueOf(entry, column);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
