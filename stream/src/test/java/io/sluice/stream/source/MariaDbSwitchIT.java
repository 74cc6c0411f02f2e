package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.junit.Seeded;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
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
    private static final int STEPS = 60;

    private final MySqlServer[] servers = new MySqlServer[2];
    private final long[] numbers = new long[2];
    private final TreeSet<Integer> delivered = new TreeSet<>();
    private final List<String> log = new ArrayList<>();
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
    void rowsHaveTheirNamesWhicheverServerIsRead(ServerRelease release, @TempDir Path folder, @Seeded long seed)
            throws Exception {
        Random random = new Random(seed);
        startServers(release);
        ConfiguredStart start = Sources.at(servers[0].binlogEnd());
        insert(0, 0);
        insert(1, 5);
        SourceHost[] hosts = {Sources.host(servers[0], start), Sources.host(servers[1], new ConfiguredStart.Newest())};
        SourceHost[] both = hosts;
        List<Cursor> cursors = new ArrayList<>();
        LiveSource live = start(folder, null, both);
        try {
            for (int step = 0; step < STEPS; step++) {
                int at = random.nextInt(2);
                switch (random.nextInt(12)) {
                    case 0, 1, 2, 3 -> insert(at, random.nextInt(3) == 0 ? 5 : 0);
                    case 4, 5, 6 -> exchangeColumns(at);
                    case 7 -> {
                        read(live, step);
                        cursors.add(live.cursor());
                    }
                    case 8 -> {
                        log.add("rotate " + at);
                        servers[at].rotateBinlog();
                    }
                    case 9 -> { // what was read since is not acknowledged
                        read(live, step);
                        Cursor cursor = random.nextBoolean() || cursors.isEmpty()
                                ? live.cursor()
                                : cursors.get(random.nextInt(cursors.size()));
                        log.add("restart at " + cursor);
                        live.close();
                        live = start(folder, cursor, both);
                    }
                    case 10 -> { // the operator changes the address
                        read(live, step);
                        Cursor cursor = live.cursor();
                        log.add("only " + at + " from " + cursor);
                        live.close();
                        live = start(folder, cursor, hosts[at]);
                        read(live, step);
                        cursor = live.cursor();
                        live.close();
                        both = new SourceHost[] {hosts[at], hosts[1 - at]};
                        live = start(folder, cursor, both);
                    }
                    default -> {
                        read(live, step);
                        awaitReplicas();
                        int current = live.cursor().sourcePort() == servers[0].port() ? 0 : 1;
                        log.add("fail over from " + current);
                        servers[current].kill();
                        exchangeColumnsAlone(1 - current);
                        insertAlone(1 - current, 0);
                        insertAlone(1 - current, 5);
                        readNoMore(live);
                        servers[current].restart();
                        awaitReplicas();
                    }
                }
            }
            read(live, STEPS);
        } catch (AssertionError | Exception e) {
            throw new AssertionError("seed " + seed + "\n" + String.join("\n", log), e);
        } finally {
            live.close();
        }
        assertThat(delivered).as("seed %d", seed).hasSize(written);
    }

    private LiveSource start(Path folder, Cursor cursor, SourceHost... hosts) {
        LiveSource live = LiveSource.start(
                Sources.options(PositionOptions.DEFAULT, hosts), Sources.history(folder), cursor, RING, false);
        await().until(() -> !live.readings().isEmpty()); // DDL before the first one would have it refuse the start
        return live;
    }

    private void startServers(ServerRelease release) {
        for (int i = 0; i < 2; i++) {
            servers[i] = MySqlServer.start(MySqlOptions.defaults()
                    .release(release)
                    .serverId(i + 1)
                    .with("log-slave-updates", "ON")
                    .with("relay-log", "relay"));
            numbers[i] = i == 0 ? 100_000 : 10;
        }
        for (int i = 0; i < 2; i++) {
            servers[i].execute(
                    "change master to master_host = '%s', master_port = %d, master_user = 'root', master_use_gtid = slave_pos, master_connect_retry = 1"
                            .formatted(servers[1 - i].host(), servers[1 - i].port()),
                    "start slave");
        }
        run(0, 0, "create database shop");
        awaitReplicas();
        run(0, 0, "create table shop.t (id int primary key, a int, b int, c int)");
        awaitReplicas();
    }

    private void insert(int at, int domain) {
        awaitReplicas();
        insertAlone(at, domain);
    }

    private void insertAlone(int at, int domain) {
        written++;
        run(at, domain, "insert into shop.t (id, a, b, c) values (%1$d, %1$d, -%1$d, 7)".formatted(written));
    }

    private void exchangeColumns(int at) {
        awaitReplicas();
        exchangeColumnsAlone(at);
        awaitReplicas();
    }

    private void exchangeColumnsAlone(int at) {
        run(at, 0, "alter table shop.t rename column a to b, rename column b to a");
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

    private void read(LiveSource live, int step) throws Exception {
        insert(step % 2, 0); // a row that was not read yet
        awaitReplicas();
        readNoMore(live);
        log.add("read up to " + live.cursor() + " in step " + step);
    }

    /** Reads what is written. */
    private void readNoMore(LiveSource live) throws InterruptedException, IOException {
        int last = written;
        List<Entry> entries = live.readUntil(entry -> {
            try {
                return isRow(entry) && id(entry) == last;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        for (Entry entry : entries) {
            if (isRow(entry)) {
                int id = id(entry);
                delivered.add(id);
                assertThat(EntryColumns.valueOf(entry, "a")).as("row %d", id).isEqualTo(Integer.toString(id));
                assertThat(EntryColumns.valueOf(entry, "b")).as("row %d", id).isEqualTo(Integer.toString(-id));
            }
        }
        live.readUntil(entry -> entry.kind() == EntryKind.END);
        while (!live.next().isEmpty()) {}
    }

    private static boolean isRow(Entry entry) {
        return entry.kind() == EntryKind.ROWS && entry.tableName().equals("t");
    }

    private static int id(Entry entry) throws IOException {
        return Integer.parseInt(EntryColumns.valueOf(entry, "id"));
    }
}
