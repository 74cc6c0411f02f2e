package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.LastEvent;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostCheckTest {
    /** A reader of a cluster that has executed less is not one with another history. */
    @Test
    void aServerWithoutABinlogIsAFailureOfItsOwn() {
        ServerFacts reader = withEnd(() -> {
            throw new SourceException(SourceFailure.NO_BINLOG, "db:3306 writes no binlog");
        });

        assertThatThrownBy(() -> HostCheck.requireBinlog(reader))
                .isInstanceOfSatisfying(
                        SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.NO_BINLOG));
    }

    /** As where a proxy leads a SELECT to another server than the dump. */
    @Test
    void aServerThatShowsTheEndOfABinlogHasOne() {
        OneBinlog server = withoutBinlog();

        assertThatCode(() -> HostCheck.requireBinlog(server)).doesNotThrowAnyException();
    }

    @Test
    void aServerThatMayNotBeAskedForTheEndHasNoBinlogIfItsVariableSaysSo() {
        ServerFacts reader = withEnd(() -> {
            throw new ServerErrorException("SHOW MASTER STATUS", 1227, "42000", "Access denied", "");
        });

        assertThatThrownBy(() -> HostCheck.requireBinlog(reader))
                .isInstanceOfSatisfying(
                        SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.NO_BINLOG));
    }

    /** As after an upgrade with a configuration that names the binlog otherwise. */
    @Test
    void aMariaDbWithoutTransactionsMayHaveBegunAnotherBinlog() {
        OneBinlog server = new OneBinlog(
                new ServerAddress("db", 3306),
                new SyntheticBinlog(Flavour.MARIADB, 7, new UUID(1, 2), 1_700_000_000, false));

        assertThatThrownBy(() -> HostCheck.require(MariaDbGtidSet.parse("0-1-67"), server))
                .isInstanceOfSatisfying(
                        SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.DIVERGED))
                .hasMessageContaining(
                        "does not have the transactions 0-1-67, which were read already; it has executed none, and")
                .hasMessageContaining("if its log_bin has another name than before");
    }

    /** Applications write as soon as the server is up. */
    @Test
    void aMariaDbThatHasWrittenToAnotherBinlogIsRecognizedByTheNameOfItsFiles() {
        SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MARIADB, 7, new UUID(1, 2), 1_700_000_000, false);
        binlog.open(0);
        binlog.xid();
        binlog.close();
        OneBinlog server = new OneBinlog(new ServerAddress("db", 3306), binlog);
        MariaDbGtidSet read = MariaDbGtidSet.parse("0-1-67");

        assertThatThrownBy(() -> HostCheck.require(read, new BinlogPosition("old-bin.000007", 400), server))
                .hasMessageContaining(
                        "its log_bin has another name than before (%s, and old-bin.000007:400 was read): if nothing was written since, set that back"
                                .formatted(binlog.newestFile()));
        assertThatThrownBy(() -> HostCheck.require(read, new BinlogPosition(binlog.newestFile(), 400), server))
                .hasMessageNotContaining("log_bin");
    }

    /** It has none in its binlog with log_slave_updates=OFF, or as it is new; from its oldest position changes would be left out. */
    @Test
    void aReplicaWithoutTransactionsIsNotToBeReadFromItsOldestPosition() {
        OneBinlog replica = new OneBinlog(
                new ServerAddress("db", 3306),
                new SyntheticBinlog(Flavour.MARIADB, 7, new UUID(1, 2), 1_700_000_000, false),
                new OneBinlog.Role(true, ServerFacts.Replication.RUNNING, true, false, ""));

        assertThatThrownBy(() -> HostCheck.require(MariaDbGtidSet.parse("0-1-67"), replica))
                .isInstanceOfSatisfying(
                        SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.LAGGING))
                .hasMessageContaining("log_slave_updates=OFF")
                .hasMessageNotContaining("log_bin");
    }

    private static OneBinlog withoutBinlog() {
        return new OneBinlog(
                new ServerAddress("db", 3306),
                new SyntheticBinlog(Flavour.MYSQL_GTID, 7, new UUID(1, 2), 1_700_000_000, false),
                new OneBinlog.Role(false, ServerFacts.Replication.NONE, false, true, ""));
    }

    /** A server with log_bin=OFF that answers so when it is asked for the end of its binlog. */
    private static ServerFacts withEnd(Callable<ServerFacts.End> end) {
        OneBinlog server = withoutBinlog();
        return (ServerFacts) Proxy.newProxyInstance(
                ServerFacts.class.getClassLoader(),
                new Class<?>[] {ServerFacts.class},
                (proxy, method, arguments) ->
                        method.getName().equals("end") ? end.call() : method.invoke(server, arguments));
    }

    /** Such a set has hundreds of thousands of characters, and the message is shown by alarms and pages. */
    @Test
    void aStartPointWithManyIntervalsIsShortenedInMessages() throws IOException {
        String intervals = IntStream.range(1, 5000).mapToObj(i -> ":" + 2 * i).collect(Collectors.joining());
        MySqlGtidSet read = MySqlGtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562" + intervals);
        ServerErrorException refusal = new ServerErrorException("reading the binlog", 1236, "HY000", "purged", "");

        SourceException failure =
                HostCheck.purged(DumpStart.after(null, read, new LastEvent(0, 7)), refusal, withoutBinlog());

        assertThat(failure)
                .hasMessageContaining("needed next, from after 3e11fa47-71ca-11e1-9e33-c80aa9429562:2:4:6:")
                .hasMessageContaining(":… on: ");
        assertThat(failure.getMessage()).hasSizeLessThan(1000);
    }
}
