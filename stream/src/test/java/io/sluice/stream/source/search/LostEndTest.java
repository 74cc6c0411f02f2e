package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.failure.Reaction;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.LastEvent;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.FileEnd;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LostEndTest {
    private static final long BEGUN = 1_700_000_000;

    private final SyntheticBinlog binlog = new SyntheticBinlog(
            Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), BEGUN, false);
    private final OneBinlog server = new OneBinlog(new ServerAddress("db", 3306), binlog);

    @Test
    void aFileThatEndsBeforeWhatWasReadOfItHasLostItsEnd() {
        BinlogPosition read = beyond();
        binlog.crash();

        LostEndException lost = failure(LostEndException.class, read, BEGUN);

        assertThat(lost.failure()).isEqualTo(SourceFailure.DIVERGED);
        assertThat(lost.isCertain()).isTrue();
        assertThat(lost.start()).isEqualTo(new BinlogPosition("binlog.000002", 4));
        assertThat(lost).hasMessageContaining("has lost the end of " + read.file());
        assertThat(lost.remedy()).contains("--to binlog.000002:4 ", "sync_binlog=1");
    }

    @Test
    void aFileThatIsNotKnownToBeTheOneThatWasReadMayBeAnother() {
        BinlogPosition read = beyond();
        binlog.crash();

        LostEndException lost = failure(LostEndException.class, read, 0);

        assertThat(lost.failure()).isEqualTo(SourceFailure.PURGED);
        assertThat(lost.isCertain()).isFalse();
        assertThat(lost).hasMessageContaining("is beyond the end of the file");
        assertThat(lost.remedy()).contains("--to binlog.000002:4 ", "--time T");
    }

    @Test
    void aFileThatWasBegunAtAnotherTimeIsAnother() {
        BinlogPosition read = beyond();
        binlog.crash();

        assertThat(failure(SourceException.class, read, BEGUN - 1))
                .isNotInstanceOf(LostEndException.class)
                .hasMessageContaining("is another file than the one that was read");
    }

    /** What is beyond its end may come. */
    @Test
    void theNewestFileHasLostNothing() {
        assertThatCode(() -> require(beyond(), BEGUN)).doesNotThrowAnyException();
    }

    @Test
    void aFileThatWasReadToItsEndHasLostNothing() {
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), binlog.end());
        binlog.crash();

        assertThatCode(() -> require(end, BEGUN)).doesNotThrowAnyException();
    }

    /** It cannot open it at that moment, and the dump fails by that if it still cannot. */
    @Test
    void aFileThatAServerListsAsEmptyIsNotKnownToHaveLostAnything() {
        BinlogPosition read = beyond();
        binlog.crash();

        assertThatCode(() -> LostEnd.require(at(read, BEGUN), listing(0, 0), server))
                .doesNotThrowAnyException();
        assertThatCode(() -> LostEnd.require(at(read, 0), listing(0, 0), server))
                .doesNotThrowAnyException();
    }

    @Test
    void aFileThatReachesThePositionWhenItIsListedAgainHasLostNothing() {
        BinlogPosition read = beyond();
        binlog.crash();

        assertThatCode(() -> LostEnd.require(at(read, BEGUN), listing(4, read.offset()), server))
                .doesNotThrowAnyException();
        assertThatCode(() -> LostEnd.require(at(read, 0), listing(4, read.offset()), server))
                .doesNotThrowAnyException();
    }

    /** A proxy may lead the query for the list to another server than the dump. */
    @ParameterizedTest
    @ValueSource(longs = {BEGUN, 0})
    void aListOfFilesThatIsNotOfTheServerThatSendsThemSaysNothing(long begun) {
        BinlogPosition read = beyond();
        long end = binlog.end();
        binlog.crash();

        assertThat(ofSeveralServers(read, begun, listing(end - 1, end - 1), server))
                .hasMessageContaining("continues after that");
        assertThat(ofSeveralServers(read, begun, listing(end - 1, end - 1), new Shorter(server)))
                .hasMessageContaining("ends before that");
    }

    private static SourceException ofSeveralServers(
            BinlogPosition read, long begun, ServerFacts facts, BinlogScan scan) {
        SourceException failure =
                catchThrowableOfType(SourceException.class, () -> LostEnd.require(at(read, begun), facts, scan));
        assertThat(failure).isNotInstanceOf(LostEndException.class);
        assertThat(failure.failure()).isEqualTo(SourceFailure.OTHER_SERVER);
        assertThat(failure.failure().reaction()).isEqualTo(Reaction.RETRY);
        return failure;
    }

    /** A server whose file ends before what another one lists. */
    private record Shorter(BinlogScan scan) implements BinlogScan {
        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            scan.scan(file, visitor);
        }

        @Override
        public FileEnd end(BinlogPosition at) throws IOException {
            throw new ServerErrorException(
                    "reading " + at,
                    1236,
                    "HY000",
                    "Client requested source to start replication from position > file size",
                    "");
        }

        @Override
        public EventSource read(BinlogPosition from) throws IOException {
            return scan.read(from);
        }

        @Override
        public void abort() {
            scan.abort();
        }
    }

    /** The rows of an XA transaction that is not decided come again, unless they are in the lost end, too. */
    @Test
    void readingContinuesBeforeAnUndecidedXaTransactionThatIsStillThere() {
        BinlogPosition read = beyond();
        long end = binlog.end();
        binlog.crash();
        LostEndException lost = failure(LostEndException.class, read, BEGUN);
        BinlogPosition undecided = new BinlogPosition(read.file(), end - 1);

        assertThat(lost.isContinuous()).isTrue();
        LostEndException before = lost.beforeUndecided(undecided);
        assertThat(before.start()).isEqualTo(undecided);
        assertThat(before.isContinuous()).isFalse();
        assertThat(before.isCertain()).isTrue();
        assertThat(before).hasMessage(lost.getMessage());
        assertThat(before.remedy()).contains("XA transaction", "--to " + undecided + " --restart");
        assertThat(lost.beforeUndecided(new BinlogPosition(read.file(), end))).isSameAs(lost);
        assertThat(lost.beforeUndecided(new BinlogPosition("binlog.000000", 4)))
                .as("purged")
                .isSameAs(lost);
    }

    /** The facts of the server, which first lists the oldest file with one size, and then with another one. */
    private ServerFacts listing(long first, long then) {
        Iterator<Long> sizes = List.of(first, then).iterator();
        return (ServerFacts) Proxy.newProxyInstance(
                ServerFacts.class.getClassLoader(),
                new Class<?>[] {ServerFacts.class},
                (proxy, method, arguments) -> method.getName().equals("files")
                        ? List.of(
                                new ServerFacts.File("binlog.000001", sizes.next()),
                                server.files().get(1))
                        : method.invoke(server, arguments));
    }

    private BinlogPosition beyond() {
        return new BinlogPosition(binlog.newestFile(), binlog.end() + 1);
    }

    private <E extends Exception> E failure(Class<E> kind, BinlogPosition position, long begunSeconds) {
        return catchThrowableOfType(kind, () -> require(position, begunSeconds));
    }

    private void require(BinlogPosition position, long begunSeconds) throws Exception {
        LostEnd.require(at(position, begunSeconds), server, server);
    }

    private static DumpStart at(BinlogPosition position, long begunSeconds) {
        return DumpStart.at(position, new LastEvent(0, 7)).inFileBegunAt(begunSeconds);
    }
}
