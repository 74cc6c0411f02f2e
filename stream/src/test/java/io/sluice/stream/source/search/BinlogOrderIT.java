package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.history.HistoryConfigs;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.MySqlServers;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two servers that number on their own in one domain of MariaDB. */
class BinlogOrderIT {
    private static final List<String> TRANSACTIONS = List.of(
            "0-2-50", "5-1-7", "0-1-900", "0-2-51", "0-2-52", "5-2-3", "0-1-901", "0-2-53", "0-1-902", "0-2-54");

    private static MySqlServer server;
    private static SourceConnection connection;

    @BeforeAll
    static void start() throws IOException {
        server = MySqlServer.start(
                MySqlOptions.defaults().release(ServerRelease.MARIADB_11_8).with("log-slave-updates", "ON"));
        server.execute("create database writers", "create table writers.t (id int primary key)");
        int id = 0;
        for (String gtid : TRANSACTIONS) {
            write(server, gtid, ++id);
            if (id % 4 == 0) {
                server.rotateBinlog();
            }
        }
        connection = connect(server, "root", "");
    }

    private static void write(MySqlServer to, String gtid, int id) {
        String[] parts = gtid.split("-");
        to.execute(
                "set session gtid_domain_id = %s, server_id = %s, gtid_seq_no = %s"
                        .formatted(parts[0], parts[1], parts[2]),
                "insert into writers.t values (%d)".formatted(id));
    }

    private static SourceConnection connect(MySqlServer to, String user, String password) throws IOException {
        return new MySqlServers()
                .connect(new SourceHost(
                        ConnectOptions.of(new ServerAddress(to.host(), to.port()), user, password),
                        new ConfiguredStart.Newest()));
    }

    /** Starts the server again with what it has got meanwhile without logging it. */
    private static void restartWith(String replicated) throws IOException {
        server.execute("set global gtid_slave_pos = '%s'".formatted(replicated));
        connection.close();
        server.restart();
        connection = connect(server, "root", "");
    }

    @AfterAll
    static void stop() throws IOException {
        connection.close();
        server.close();
    }

    @Test
    void placesTellWhatIsBeforeASet() throws IOException {
        BinlogOrder order = new BinlogOrder("shop", connection.facts(), connection.scan());
        for (String named : TRANSACTIONS) {
            for (String asked : TRANSACTIONS) {
                boolean isOfDomain = asked.charAt(0) == named.charAt(0);
                assertThat(order.isWithin(MariaDbGtidSet.parse(named), MariaDbGtid.parse(asked)))
                        .as("%s in %s", asked, named)
                        .isEqualTo(isOfDomain && TRANSACTIONS.indexOf(asked) <= TRANSACTIONS.indexOf(named));
            }
        }
    }

    @Test
    void aTransactionThatTheServerDoesNotHaveIsLeftToTheNumbers() throws IOException {
        BinlogOrder order = new BinlogOrder("shop", connection.facts(), connection.scan());

        assertThat(order.isWithin(MariaDbGtidSet.parse("0-2-54"), MariaDbGtid.parse("0-1-903")))
                .isFalse();
        assertThat(order.isWithin(MariaDbGtidSet.parse("0-1-902"), MariaDbGtid.parse("0-2-55")))
                .isNull();
    }

    @Test
    void aTransactionThatTheServerHasReplicatedButNotLoggedMayBeBefore() throws IOException {
        write(server, "7-2-50", 1001);
        restartWith("7-2-60"); // as after a time without log_slave_updates
        write(server, "7-1-900", 1002);
        BinlogOrder order = new BinlogOrder("shop", connection.facts(), connection.scan());

        assertThat(order.isWithin(MariaDbGtidSet.parse("7-1-900"), MariaDbGtid.parse("7-2-60")))
                .isNull();
        assertThat(order.isWithin(MariaDbGtidSet.parse("7-1-900"), MariaDbGtid.parse("7-2-61")))
                .isFalse();
    }

    /** Its data are of a backup of server 2, its older binlog was kept. */
    @Test
    void whatAnOlderBinlogLacksMayBeInTheBackup() throws IOException {
        int id = 3000;
        write(server, "8-1-390", ++id);
        write(server, "8-1-400", ++id);
        restartWith("8-2-1500");
        write(server, "8-2-1501", ++id);
        write(server, "8-2-1550", ++id);
        server.execute("set global gtid_slave_pos = '8-2-1550'");
        BinlogOrder order = new BinlogOrder("shop", connection.facts(), connection.scan());

        assertThat(order.isWithin(MariaDbGtidSet.parse("8-2-1550"), MariaDbGtid.parse("8-1-500")))
                .isNull();
        assertThat(order.isWithin(MariaDbGtidSet.parse("8-2-1550"), MariaDbGtid.parse("8-1-400")))
                .isTrue();
    }

    /** It has replicated on since. */
    @Test
    void whatAnOlderBinlogLacksMayBeInTheBackupAlsoLater() throws IOException {
        int id = 3100;
        for (String gtid : List.of("10-1-30", "10-2-31", "10-2-32", "10-1-33")) {
            write(server, gtid, ++id);
            if (id % 2 == 0) {
                server.rotateBinlog();
            }
        }
        restartWith("10-2-39");
        write(server, "10-2-40", ++id);
        server.rotateBinlog();
        write(server, "10-2-41", ++id);
        server.execute("set global gtid_slave_pos = '10-2-41'");
        BinlogOrder order = new BinlogOrder("shop", connection.facts(), connection.scan());

        for (String asked : List.of("10-1-34", "10-1-36", "10-1-40")) {
            assertThat(order.isWithin(MariaDbGtidSet.parse("10-2-41"), MariaDbGtid.parse(asked)))
                    .as(asked)
                    .isNull();
            assertThat(order.isWithin(MariaDbGtidSet.parse("10-2-32"), MariaDbGtid.parse(asked)))
                    .as(asked)
                    .isFalse();
        }
    }

    /** The server has it neither in its binlog nor in its tables: it was executed on server 1 shortly before that was lost. */
    @Test
    void aStatementThatWasLostWithAnotherServerIsNotAppliedToASnapshotOfThisOne(@TempDir Path folder)
            throws IOException {
        write(server, "14-1-100", 3401);
        write(server, "14-2-200", 3402);
        server.restart();
        connection.close();
        connection = connect(server, "root", "");
        write(server, "14-2-300", 3403);
        String source = connection.facts().identity();
        TableName table = new TableName("writers", "t");
        try (SchemaHistory history = SchemaHistory.open(
                HistoryConfigs.of("shop", HistoryLocation.parse("jdbc:h2:h2", folder)), Time.SYSTEM)) {
            SchemaTracker tracker = new SchemaTracker(name -> null, SourceTraits.DEFAULT, history);
            history.setSource("lost");
            tracker.catalog().define(table, "create table t (a int, b int)");
            history.begin(tracker.catalog().state());
            history.beginAt(after("lost", 100, "14-1-100"), tracker.catalog().state());
            SchemaState ofThisServer = tracker.catalog().state();
            tracker.catalog().moveTo(new EventPosition("bin.000001", 150, 50, 1, 150_000, "14-1-150"));
            tracker.statements().apply("alter table t drop column b", "writers");
            history.setSource(source);
            history.snapshot(after(source, 200, "14-2-200"), ofThisServer);
            BinlogOrder order = new BinlogOrder("shop", connection.facts(), connection.scan());

            SchemaTracker restored = new SchemaTracker(name -> null, SourceTraits.DEFAULT, history);
            history.restore(restored, after(source, 300, "14-2-300").ordered(order::isWithin));

            assertThat(restored.catalog().table(table).columns())
                    .extracting(ColumnSchema::name)
                    .containsExactly("a", "b");
        }
    }

    private static StreamStart after(String source, long offset, String executed) {
        return StreamStart.at(source, "bin.000001", offset, 2, offset * 1000)
                .after(MariaDbGtidSet.parse(executed), true);
    }

    @Test
    void aFileIsReadAgainForTransactionsBeyondTheLimit() throws IOException {
        int id = 4000;
        server.rotateBinlog();
        List<String> written = List.of("6-1-10", "6-2-5", "6-1-11", "6-2-6", "6-1-12", "6-2-7");
        for (String gtid : written) {
            write(server, gtid, ++id);
        }
        List<String> read = new ArrayList<>();
        BinlogOrder order = new BinlogOrder("shop", connection.facts(), counting(read), 3);

        for (String named : written) {
            for (String asked : written) {
                assertThat(order.isWithin(MariaDbGtidSet.parse(named), MariaDbGtid.parse(asked)))
                        .as("%s in %s", asked, named)
                        .isEqualTo(written.indexOf(asked) <= written.indexOf(named));
            }
        }
        int sofar = read.size();
        assertThat(order.isWithin(MariaDbGtidSet.parse("6-1-12"), MariaDbGtid.parse("6-2-7")))
                .isFalse();
        assertThat(read).as("an answer is kept").hasSize(sofar);
        assertThat(order.isWithin(MariaDbGtidSet.parse("6-1-12"), MariaDbGtid.parse("6-2-4")))
                .as("left to the numbers")
                .isNull();
    }

    @Test
    void aFileIsNotReadForEachOfManyQuestionsBeyondTheLimit() throws IOException {
        int id = 4300;
        server.rotateBinlog();
        int pairs = 2 * FileRuns.MAX_READS;
        for (int i = 1; i <= pairs; i++) {
            write(server, "17-1-" + (1000 + i), ++id);
            write(server, "17-2-" + i, ++id);
        }
        List<String> read = new ArrayList<>();
        List<Boolean> answers = new ArrayList<>();
        try (LogLines log = LogLines.of(FileRuns.class)) {
            BinlogOrder order = new BinlogOrder("shop", connection.facts(), counting(read), 1);
            for (int i = 2; i <= pairs; i++) {
                answers.add(order.isWithin(MariaDbGtidSet.parse("17-2-" + i), MariaDbGtid.parse("17-1-" + (1000 + i))));
            }

            assertThat(answers).startsWith(true).endsWith((Boolean) null).doesNotContain(false);
            assertThat(read.stream().filter(server.binlogEnd().file()::equals).count())
                    .isLessThan(FileRuns.MAX_READS + 4L);
            assertThat(log.texts(Level.WARN)).singleElement().asString().contains("the numbers of GTIDs decide");
        }
    }

    /** The binlog never had 15-1-150, and the domain has the number of 15-1-400 before 15-2-200. */
    @Test
    void aWarningTellsThatANumberDecidesWhereServersNumberOnTheirOwn() throws IOException {
        int id = 4200;
        for (String gtid : List.of("15-3-400", "15-1-100", "15-2-200", "16-1-100", "16-2-200")) {
            write(server, gtid, ++id);
        }
        try (LogLines log = LogLines.of(BinlogOrder.class)) {
            BinlogOrder order = new BinlogOrder("shop", connection.facts(), connection.scan());
            assertThat(order.isWithin(MariaDbGtidSet.parse("16-2-200"), MariaDbGtid.parse("16-1-150")))
                    .as("as after an ordinary fail-over")
                    .isNull();
            assertThat(log.texts(Level.WARN)).isEmpty();

            for (int i = 0; i < 2; i++) {
                assertThat(order.isWithin(MariaDbGtidSet.parse("15-2-200"), MariaDbGtid.parse("15-1-150")))
                        .isNull();
            }

            assertThat(log.texts(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("domain 15", "ddl=15-1-150", "position=15-2-200", "canal.instance.schema.reload");
        }
    }

    @Test
    void whatIsLeftOfTheLimitIsForTheNextFile() throws IOException {
        int id = 4100;
        for (String gtid : List.of("11-1-10", "11-2-5", "11-1-11", "11-2-6", "11-1-12")) {
            if (id % 2 == 0) {
                server.rotateBinlog();
            }
            write(server, gtid, ++id);
        }
        BinlogOrder order = new BinlogOrder("shop", connection.facts(), connection.scan(), 3);

        assertThat(order.isWithin(MariaDbGtidSet.parse("11-1-10"), MariaDbGtid.parse("11-2-5")))
                .isFalse();
        assertThat(order.isWithin(MariaDbGtidSet.parse("11-1-11"), MariaDbGtid.parse("11-2-6")))
                .isFalse();
    }

    @Test
    void aServerThatDoesNotLogWhatItReplicatesMayHaveWhatItsBinlogLacks() throws IOException {
        try (MySqlServer silent = MySqlServer.start(
                MySqlOptions.defaults().release(ServerRelease.MARIADB_11_8).with("log-slave-updates", "OFF"))) {
            silent.execute("create database writers", "create table writers.t (id int primary key)");
            write(silent, "0-1-100", 1);
            write(silent, "0-2-106", 2);
            write(silent, "0-2-110", 3);
            try (SourceConnection own = connect(silent, "root", "")) {
                BinlogOrder order = new BinlogOrder("shop", own.facts(), own.scan());

                assertThat(order.isWithin(MariaDbGtidSet.parse("0-2-110"), MariaDbGtid.parse("0-1-105")))
                        .isNull();
                assertThat(order.isWithin(MariaDbGtidSet.parse("0-2-110"), MariaDbGtid.parse("0-1-100")))
                        .isTrue();
            }
        }
    }

    /** What came before a server was made of a backup, or was not logged for a time. */
    @ParameterizedTest
    @CsvSource({
        "0-2-50, 0-1-5",
        "0-2-54, 0-1-5",
        "0-1-5, 0-2-50",
        "0-1-5, 0-2-3",
        "0-1-901, 0-2-3",
        "9-2-1550, 9-1-500",
        "9-1-480, 9-2-1400",
        "9-2-1400, 9-1-500",
        "9-2-1510, 9-1-1590",
        "9-1-1655, 9-2-1505"
    })
    void numbersDecideOnWhatTheBinlogNeverHad(String named, String asked) throws IOException {
        if (named.startsWith("9-")) {
            rebuild();
        }
        BinlogOrder order = new BinlogOrder("shop", connection.facts(), connection.scan());

        Boolean isWithin = order.isWithin(MariaDbGtidSet.parse(named), MariaDbGtid.parse(asked));

        if (isWithin != null) {
            assertThat(isWithin)
                    .isEqualTo(MariaDbGtid.parse(asked).sequence()
                            <= MariaDbGtid.parse(named).sequence());
        }
    }

    /** Writes what a server has that was made of a backup of server 2, replicates from it, and takes its place as server 1. */
    private static void rebuild() {
        if (connectionHas("9-2-1600")) {
            return;
        }
        int id = 2000;
        for (String gtid : List.of("9-2-1501", "9-2-1550", "9-2-1600", "9-1-1601", "9-1-1650", "9-1-1660")) {
            write(server, gtid, ++id);
        }
    }

    private static boolean connectionHas(String gtid) {
        return server.query("select @@global.gtid_binlog_state").contains(gtid);
    }

    @Test
    void anAccountThatMayNotListTheFilesIsRefusedOnce() throws IOException {
        server.execute("create user reader identified by 'secret'", "grant replication slave on *.* to reader");
        try (SourceConnection own = connect(server, "reader", "secret");
                LogLines log = LogLines.of(BinlogOrder.class)) {
            BinlogOrder order = new BinlogOrder("shop", own.facts(), own.scan());

            for (String asked : List.of("0-1-900", "0-1-901", "0-1-902")) {
                assertThat(order.isWithin(MariaDbGtidSet.parse("0-2-52"), MariaDbGtid.parse(asked)))
                        .isNull();
            }

            assertThat(log.texts(Level.WARN)).singleElement().asString().contains("GRANT", "REPLICATION CLIENT");
        }
    }

    @Test
    void placesOfDomainsAreComparedWithoutThePrivilegeToListTheFiles() throws IOException {
        server.execute("create user streamer identified by 'secret'", "grant replication slave on *.* to streamer");
        try (SourceConnection own = connect(server, "streamer", "secret")) {
            BinlogOrder order = new BinlogOrder("shop", own.facts(), own.scan());
            BinlogPosition first =
                    new BinlogPosition(connection.facts().files().get(0).name(), 4);

            assertThat(order.isBefore(MariaDbGtidSet.parse("0-2-54,5-2-3"), first))
                    .isFalse();
        }
    }

    @Test
    void nothingIsKnownOfWhatTheBinlogNeverHad() throws IOException {
        BinlogOrder order = new BinlogOrder("shop", connection.facts(), connection.scan());

        assertThat(order.isWithin(MariaDbGtidSet.parse("0-2-60"), MariaDbGtid.parse("0-1-900")))
                .isNull();
        assertThat(order.isWithin(MariaDbGtidSet.parse("0-2-50"), MariaDbGtid.parse("0-3-1")))
                .isNull();
    }

    /** Heads aside, which tell what follows the numbers if the files differ. */
    @Test
    void aFileIsReadOnlyIfItHasBothOrContradictsTheNumbersAndAtMostTwice() throws IOException {
        List<String> read = new ArrayList<>();
        BinlogOrder order = new BinlogOrder("shop", connection.facts(), counting(read));
        int files = connection.facts().files().size();

        order.isWithin(MariaDbGtidSet.parse("0-1-902"), MariaDbGtid.parse("0-2-50"));
        assertThat(read).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(files);
        for (String asked : TRANSACTIONS) {
            for (String named : TRANSACTIONS) {
                order.isWithin(MariaDbGtidSet.parse(named), MariaDbGtid.parse(asked));
            }
        }

        assertThat(read).hasSizeLessThanOrEqualTo(3 * files);
    }

    private static BinlogScan counting(List<String> read) {
        BinlogScan scan = connection.scan();
        return new BinlogScan() {
            @Override
            public void scan(String file, Visitor visitor) throws IOException {
                read.add(file);
                scan.scan(file, visitor);
            }

            @Override
            public EventSource read(BinlogPosition from) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void abort() {
                scan.abort();
            }
        };
    }
}
