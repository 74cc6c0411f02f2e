package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.proxy.ForwardingProxy;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Large transactions of servers that log what they roll back: their rows are held in a file until they end. */
@Timeout(600)
class SpilledTransactionIT {
    /** What makes a server log what it rolls back. */
    private static final String DROP = "drop temporary table if exists none";

    private static final long ROOMY = 1L << 30;

    @TempDir
    private Path directory;

    @AutoClose
    private final LogLines log = LogLines.of("io.sluice.stream.reader");

    /** Servers, and a setting of each. */
    enum Source {
        MYSQL_5_7(MySqlOptions.defaults().release(ServerRelease.MYSQL_5_7_22)),
        MARIADB_10_11(MySqlOptions.defaults().release(ServerRelease.MARIADB_10_11)),
        MARIADB_11_8_COMPRESSED(
                MySqlOptions.defaults().release(ServerRelease.MARIADB_11_8).with("log_bin_compress", "1"));

        @SuppressWarnings("ImmutableEnumChecker") // a record, whose settings are copied
        private final MySqlOptions options;

        Source(MySqlOptions options) {
            this.options = options;
        }

        LiveServer start() throws Exception {
            LiveServer live = new LiveServer(options);
            live.run(
                    "create database large",
                    "create table large.t (id int primary key, v longtext) engine = innodb",
                    "create table large.u (id int primary key, v longtext) engine = innodb",
                    "create table large.n (id int primary key) engine = myisam",
                    "create table large.hidden (id int primary key, v longtext) engine = innodb");
            return live;
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowsOfLargeTransactionsThatWereRolledBackDoNotCome(Source source) throws Exception {
        try (LiveServer live = source.start()) {
            BinlogEnd start = live.server().rotateBinlog();
            runAll(live);
            try (LiveSource read = live.source(live.server().port(), start, null, spilling(1 << 16, ROOMY))) {
                List<Entry> entries = untilEnd(live, read);

                live.requireState("large", entries);
                assertThat(read.progress().rolledBackDeliveries()).isZero();
                assertThat(read.progress().spilledBytes()).isZero();
            }
            assertThat(log.warnings()).isEmpty();
            assertThat(directory).isEmptyDirectory();
        }
    }

    /** In all that is visible, what was in a file is what comes directly. */
    @ParameterizedTest
    @EnumSource
    void whatWasInAFileIsTheSame(Source source) throws Exception {
        try (LiveServer live = source.start()) {
            BinlogEnd start = live.server().rotateBinlog();
            live.run("use large", "begin", insert("t", 1, 700_000), "update t set v = concat(v, 'x')", "commit");
            live.run(
                    "use large",
                    "begin",
                    insert("t", 2, 90),
                    "savepoint s",
                    insert("u", 2, 5),
                    "delete from t",
                    "commit");
            live.run("use large", "create table made as select * from u", "drop table made");
            Predicate<Entry> end = live.markTheEnd();
            List<Entry> direct;
            try (LiveSource read = live.source(live.server().port(), start, null, StreamOptions.DEFAULT)) {
                direct = new ArrayList<>(read.readUntil(end));
            }
            try (LiveSource read = live.source(live.server().port(), start, null, spilling(0, ROOMY))) {
                assertThat(bytes(read.readUntil(end))).isEqualTo(bytes(direct));
                assertThat(read.cursor()).isNotNull();
            }
            assertThat(bytes(direct)).hasSizeGreaterThan(6);
        }
    }

    /** A connection that breaks within transactions continues them, and none of their rows is delivered before they end. */
    @ParameterizedTest
    @CsvSource({"MARIADB_10_11,true,4,60000", "MARIADB_11_8_COMPRESSED,false,3,8000"})
    void aTransactionIsContinuedAfterTheConnectionBroke(Source source, boolean byGtid, long seed, int maxBytes)
            throws Exception {
        requireContinued(source, byGtid, seed, 4, maxBytes);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"MYSQL_5_7,false,1,60000", "MARIADB_10_11,false,2,60000"})
    void aTransactionIsContinuedByPositionAfterTheConnectionBroke(
            Source source, boolean byGtid, long seed, int maxBytes) throws Exception {
        requireContinued(source, byGtid, seed, 8, maxBytes);
    }

    private void requireContinued(Source source, boolean byGtid, long seed, int cuts, int maxBytes) throws Exception {
        try (LiveServer live = source.start()) {
            BinlogEnd start = live.server().rotateBinlog();
            String gtids = byGtid ? live.server().query("select @@gtid_binlog_pos") : null;
            runAll(live);
            try (CuttingProxy proxy = new CuttingProxy(live.server().port(), seed, cuts, maxBytes);
                    LiveSource read = live.source(proxy.port(), start, gtids, spilling(1 << 12, ROOMY))) {
                List<Entry> entries = untilEnd(live, read);

                live.requireState("large", entries);
                assertThat(proxy.cutsLeft()).isZero();
                assertThat(read.progress().rolledBackDeliveries()).isZero();
            }
            assertThat(directory).isEmptyDirectory();
        }
    }

    /** While a transaction comes, progress is visible, and its file is deleted if the source is stopped. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7", "MARIADB_10_11"})
    void aStopWithinATransactionDeletesItsFile(Source source) throws Exception {
        try (LiveServer live = source.start()) {
            live.run("use large", "insert into t values (1, '')");
            BinlogEnd start = live.server().rotateBinlog();
            live.run("use large", "insert into u values (7, '')");
            BinlogEnd before = live.server().binlogEnd();
            List<String> statements = new ArrayList<>(List.of("use large", "begin"));
            for (int id = 2; id < 32; id++) {
                statements.add(insert("t", id, 100_000));
            }
            statements.addAll(List.of(DROP, "commit"));
            live.run(statements.toArray(String[]::new));
            Predicate<Entry> end = live.markTheEnd();
            try (StallingProxy proxy = new StallingProxy(live.server().port(), 1_500_000);
                    LiveSource read = live.source(proxy.port(), start, null, spilling(1 << 16, ROOMY))) {
                read.readUntil(entry ->
                        entry.kind() == EntryKind.ROWS && entry.tableName().equals("u"));
                await().until(() -> read.progress().spilledBytes() > 1_000_000);

                assertThat(held()).hasSize(1);
                assertThat(read.progress().receivedBytes()).isGreaterThan(1_000_000);
                BinlogPosition begin = new BinlogPosition(start.file(), start.offset());
                await().until(() -> {
                    read.next();
                    return !read.cursor().position().equals(begin);
                });
                BinlogPosition position = read.cursor().position();
                assertThat(position.file()).isEqualTo(before.file());
                assertThat(position.offset()) // MariaDB may have logged between the transactions up to where it
                        // could recover
                        .isBetween(before.offset(), before.offset() + 100);
            }
            assertThat(directory).isEmptyDirectory();
            try (LiveSource read = live.source(live.server().port(), start, null, spilling(1 << 16, ROOMY))) {
                assertThat(rowsOf("t", read.readUntil(end))).isEqualTo(30);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7", "MARIADB_10_11"})
    void aTransactionThatExceedsTheLimitStopsTheStream(Source source) throws Exception {
        try (LiveServer live = source.start()) {
            BinlogEnd start = live.server().rotateBinlog();
            live.run("use large", "begin", insert("t", 1, 900_000), DROP, "commit");
            try (LiveSource read = live.source(live.server().port(), start, null, spilling(1 << 16, 400_000))) {
                await().until(() -> read.kind() == SourceFailure.TRANSACTION_NOT_HELD);

                assertThat(read.failure()).hasMessageContaining("it may have 400000 bytes at most");
                assertThat(directory).isEmptyDirectory();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7", "MARIADB_10_11"})
    void aFullDiskStopsTheStream(Source source) throws Exception {
        Configuration small = Configuration.unix().toBuilder()
                .setAttributeViews("basic", "owner", "posix")
                .setBlockSize(4096)
                .setMaxSize(256 << 10)
                .build();
        try (LiveServer live = source.start();
                FileSystem disk = Jimfs.newFileSystem(small)) {
            BinlogEnd start = live.server().rotateBinlog();
            live.run("use large", "begin", insert("t", 1, 900_000), DROP, "commit");
            StreamOptions options =
                    StreamOptions.DEFAULT.with(new TransactionSpill(disk.getPath("/held"), 1 << 16, ROOMY));
            try (LiveSource read = live.source(live.server().port(), start, null, options)) {
                await().until(() -> read.kind() == SourceFailure.TRANSACTION_NOT_HELD);

                assertThat(read.failure()).hasMessageContaining("/held").hasMessageContaining("disk space");
            }
            assertThat(disk.getPath("/held")).isEmptyDirectory();
        }
    }

    /** No file may have a byte: these transactions are delivered while they come, and so is what no reader wants. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31"})
    void transactionsThatCannotBeRolledBackAreNotHeld(ServerRelease release) throws Exception {
        try (LiveServer live = new LiveServer(MySqlOptions.defaults().release(release))) {
            live.run("create database large", "create table large.t (id int primary key, v longtext)");
            BinlogEnd start = live.server().rotateBinlog();
            live.run("use large", "begin", insert("t", 1, 900_000), "savepoint s", insert("t", 2, 900_000), "commit");
            try (LiveSource read = live.source(live.server().port(), start, null, spilling(0, 0))) {
                live.requireState("large", untilEnd(live, read));
            }
        }
    }

    /** An XA transaction that is held until it is committed is held again, as the rows after its savepoints may be rolled back. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7", "MARIADB_10_11"})
    void rowsOfALargeXaTransactionThatWereRolledBackDoNotCome(Source source) throws Exception {
        try (LiveServer live = source.start()) {
            BinlogEnd start = live.server().rotateBinlog();
            for (String xid : List.of("a", "b")) {
                int id = xid.equals("a") ? 1 : 10;
                live.run(
                        "use large",
                        "xa start '%s'".formatted(xid),
                        insert("t", id, 500_000),
                        "savepoint s",
                        insert("t", id + 1, 500_000),
                        insert("u", id + 1, 500_000),
                        DROP,
                        "rollback to s",
                        insert("t", id + 2, 500_000),
                        "xa end '%s'".formatted(xid),
                        "xa prepare '%s'".formatted(xid),
                        "xa %s '%s'".formatted(xid.equals("a") ? "commit" : "rollback", xid));
            }
            StreamOptions options = spilling(1 << 16, ROOMY).with(new XaHolding(directory, 1 << 16));
            try (LiveSource read = live.source(live.server().port(), start, null, options)) {
                live.requireState("large", untilEnd(live, read));
                assertThat(read.progress().rolledBackDeliveries()).isZero();
            }
            assertThat(directory).isEmptyDirectory();
        }
    }

    /** Transactions of all kinds, in part rolled back. */
    private static void runAll(LiveServer live) throws Exception {
        for (List<String> transaction : List.of(
                List.of(insert("t", 1, 300_000), insert("t", 2, 300_000), DROP, "rollback"),
                List.of(insert("t", 3, 300_000), insert("hidden", 3, 300_000), DROP, "commit"),
                List.of(
                        insert("t", 4, 300_000),
                        "savepoint a",
                        insert("t", 5, 300_000),
                        insert("u", 5, 300_000),
                        "savepoint b",
                        insert("u", 6, 300_000),
                        DROP,
                        "rollback to b",
                        insert("u", 7, 300_000),
                        "rollback to a",
                        insert("u", 8, 300_000),
                        "savepoint c",
                        insert("u", 9, 20),
                        "rollback to c",
                        insert("u", 10, 20)),
                List.of(
                        insert("t", 11, 300_000),
                        "savepoint a",
                        insert("t", 12, 300_000),
                        "insert into n values (12)",
                        "rollback to a",
                        insert("t", 13, 300_000)),
                List.of(insert("t", 14, 900_000), "savepoint a", insert("t", 15, 10), DROP, "rollback to a"),
                List.of(insert("t", 16, 900_000), "savepoint a", insert("t", 17, 10), DROP, "rollback"),
                List.of(
                        "update t set v = repeat('y', 200000)",
                        "savepoint a",
                        "delete from t",
                        DROP,
                        "rollback to a"))) {
            List<String> statements = new ArrayList<>(List.of("use large", "begin"));
            statements.addAll(transaction);
            statements.add("commit");
            live.run(statements.toArray(String[]::new));
        }
    }

    private static String insert(String table, int id, int bytes) {
        return "insert into %s values (%d, rpad('', %d, md5(%d)))".formatted(table, id, bytes, id);
    }

    private StreamOptions spilling(int memoryBytes, long maxBytes) {
        return StreamOptions.DEFAULT.with(new TransactionSpill(directory, memoryBytes, maxBytes));
    }

    private static List<Entry> untilEnd(LiveServer live, LiveSource read) throws Exception {
        List<Entry> entries = new ArrayList<>(read.readUntil(live.markTheEnd()));
        entries.remove(entries.size() - 1);
        return entries;
    }

    private static List<String> bytes(List<Entry> entries) {
        return entries.stream()
                .map(entry -> {
                    ByteWriter out = new ByteWriter(256);
                    Encodings.writeProtobuf(entry, out);
                    return HexFormat.of().formatHex(out.toByteArray());
                })
                .toList();
    }

    private static long rowsOf(String table, List<Entry> entries) {
        return entries.stream()
                .filter(entry ->
                        entry.kind() == EntryKind.ROWS && entry.tableName().equals(table))
                .count();
    }

    private List<Path> held() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /** A proxy that stops forwarding after so many of the server's bytes, and leaves the connection open. */
    private static final class StallingProxy extends ForwardingProxy {
        private final CountDownLatch ended = new CountDownLatch(1);
        private final int bytes;

        StallingProxy(int serverPort, int bytes) {
            super(anyPort(), () -> serverPort, 4096);
            this.bytes = bytes;
            start();
        }

        @Override
        protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
            run(() -> pump(client, server, unchanged(server.getOutputStream())));
            int[] sent = new int[1];
            pump(server, client, (buffer, length) -> {
                sent[0] += length;
                if (sent[0] > bytes) {
                    return awaitEnd();
                }
                client.getOutputStream().write(buffer, 0, length);
                return true;
            });
        }

        private boolean awaitEnd() throws IOException {
            try {
                ended.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return false;
        }

        @Override
        public void close() {
            ended.countDown();
            super.close();
        }
    }
}
