package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrors;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.ScanOnly;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OffsetCheckTest {
    private static final long BEGUN = 1_700_000_000;

    private final SyntheticBinlog binlog = new SyntheticBinlog(
            Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), BEGUN, false);
    private final OneBinlog server = new OneBinlog(new ServerAddress("db", 3306), binlog);

    @Test
    void anOffsetAtWhichAnEventBeginsIsRight() throws Exception {
        assertThat(failure(new BinlogPosition(binlog.newestFile(), binlog.end()), 0))
                .isNull();
    }

    @Test
    void anOffsetBeyondTheEndIsNotWithinAnEvent() throws Exception {
        assertThat(failure(new BinlogPosition(binlog.newestFile(), binlog.end() + 1), 0))
                .isNull();
    }

    @Test
    void allFilesOfABinlogThatWasResetAreLaterThanWhatWasRead() throws Exception {
        SourceException failure = failure(within(), (BEGUN - 1) * 1000);

        assertThat(failure.failure()).isEqualTo(SourceFailure.PURGED);
    }

    /** Times are in seconds. */
    @Test
    void aFileThatWasBegunInTheSecondOfTheLastEventMayBeThatWhichWasRead() throws Exception {
        assertThat(failure(within(), BEGUN * 1000)).message().doesNotContain("begun at");

        binlog.advance(60);
        binlog.rotate();
        SourceException failure = failure(within(), BEGUN * 1000);

        assertThat(failure.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
        assertThat(failure).hasMessageContaining("begun at");
    }

    /** Its time is that of the position before. */
    @Test
    void aPositionThatWasEditedToALaterFileIsNotPurged() throws Exception {
        binlog.advance(60);
        binlog.rotate();

        SourceException failure = failure(within(), (BEGUN + 1) * 1000);

        assertThat(failure.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
        assertThat(failure).hasMessageContaining("if the position was not edited, the binlog was reset or restored");
    }

    @Test
    void whatCannotBeToldIsNotPurged() throws Exception {
        ServerFacts unlisted = (ServerFacts) Proxy.newProxyInstance(
                ServerFacts.class.getClassLoader(), new Class<?>[] {ServerFacts.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("files")) {
                        throw ServerErrors.denied("REPLICATION CLIENT");
                    }
                    return method.invoke(server, arguments);
                });

        SourceException failure = new OffsetCheck().failure(within(), (BEGUN - 1) * 1000, unlisted, server);

        assertThat(failure.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
    }

    /** A file that is listed may be gone when it is asked for. */
    @Test
    void theOldestFileThatIsPurgedMeanwhileTellsNothing() throws Exception {
        BinlogScan purging = new ScanOnly() {
            private int scans;

            @Override
            public void scan(String file, Visitor visitor) throws IOException {
                if (++scans > 1) {
                    throw ServerErrors.unreadable("Could not find first log file name in binary log index file");
                }
                server.scan(file, visitor);
            }
        };

        SourceException failure = new OffsetCheck().failure(within(), (BEGUN - 1) * 1000, server, purging);

        assertThat(failure.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
    }

    /** A gibibyte takes minutes, and the attempts that follow a failure of something else need not read it again. */
    @Test
    void whatWasFoundIsKeptForTheSameFileOfTheSameServer() throws Exception {
        OffsetCheck check = new OffsetCheck();
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), binlog.end());
        CountedScan scan = new CountedScan();

        assertThat(check.failure(end, 0, server, scan)).isNull();
        assertThat(scan.looked()).as("the first time").isGreaterThan(1);
        assertThat(check.failure(end, 0, server, scan)).isNull();
        assertThat(scan.looked()).as("the head alone").isEqualTo(1);

        OneBinlog other = new OneBinlog(server.address(), binlog, OneBinlog.Role.of("another"));
        assertThat(check.failure(end, 0, other, scan)).isNull();
        assertThat(scan.looked()).as("another server").isGreaterThan(1);
        assertThat(check.failure(within(), 0, other, scan)).isNotNull();
        assertThat(scan.looked()).as("another offset").isGreaterThan(1);
        assertThat(check.failure(within(), 0, other, scan)).isNotNull();
        assertThat(scan.looked()).as("a wrong one, again").isEqualTo(1);

        scan.begunLater = 1;
        assertThat(check.failure(within(), 0, other, scan)).isNotNull();
        assertThat(scan.looked()).as("another file of that name").isGreaterThan(1);
    }

    /** What comes next may be there, or not, when it is looked up again. */
    @Test
    void thatAFileEndsIsNotKept() throws Exception {
        OffsetCheck check = new OffsetCheck();
        BinlogPosition beyond = new BinlogPosition(binlog.newestFile(), binlog.end() + 1);
        assertThat(check.failure(beyond, 0, server, server)).isNull();

        binlog.open(0);
        binlog.query("shop", "CREATE TABLE t (id int)");
        binlog.close();

        assertThat(check.failure(beyond, 0, server, server)).isNotNull();
    }

    /** Counts the events that are looked at, of files that may have been begun later. */
    private final class CountedScan extends ScanOnly {
        private int events;
        private int begunLater;

        @Override
        public void scan(String file, Visitor visitor) {
            server.scan(file, (header, body, start, end) -> {
                events++;
                EventHeader later = new EventHeader(
                        header.timestampSeconds() + begunLater,
                        header.code(),
                        header.serverId(),
                        header.length(),
                        header.nextOffset(),
                        header.flags());
                return visitor.visit(later, body, start, end);
            });
        }

        int looked() {
            int count = events;
            events = 0;
            return count;
        }
    }

    private BinlogPosition within() {
        return new BinlogPosition(binlog.newestFile(), binlog.end() - 1);
    }

    private SourceException failure(BinlogPosition position, long readMillis) throws IOException {
        return new OffsetCheck().failure(position, readMillis, server, server);
    }
}
