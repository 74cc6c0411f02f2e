package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.LastEvent;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.ScanOnly;
import io.sluice.stream.source.SyntheticScan;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnonymousTransactionsTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final long LARGE = 5L << 30;
    private static final String FIRST = "binlog.000001";
    private static final String SECOND = "binlog.000002";

    private final SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 1, SERVER, 1_700_000_000, false);

    /** Whether it ends a dump at a transaction without a GTID, as with {@code gtid_mode=ON}. */
    private boolean isRefusing = true;

    /** Where the event of the first file starts that is as long as {@link #LARGE}; past its end if there is none. */
    private long largeFrom = Long.MAX_VALUE;

    private int scans;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterAPositionBeyondFourGibAreNotSkipped(boolean refusing) {
        isRefusing = refusing;
        largeFrom = binlog.end();
        transaction();
        BinlogPosition afterTheLargeOne = new BinlogPosition(FIRST, shifted(FIRST, binlog.end()));
        anonymous();
        binlog.rotate();
        transaction();

        assertSkips(DumpStart.after(afterTheLargeOne, upTo(1), new LastEvent(0, 1)), FIRST);
    }

    @Test
    void theEndOfAFileBeyondFourGibIsNotScanned() throws IOException {
        largeFrom = binlog.end();
        transaction();
        BinlogPosition afterTheLargeOne = new BinlogPosition(FIRST, shifted(FIRST, binlog.end()));
        binlog.rotate();
        transaction();
        binlog.rotate();

        assertPasses(DumpStart.after(afterTheLargeOne, upTo(1), new LastEvent(0, 1)));
        assertThat(scans).as("heads of files").isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void inFilesBeforeTheDumpAreNotSkippedAtAnotherServer(boolean refusing) throws IOException {
        isRefusing = refusing;
        transaction();
        binlog.rotate();
        anonymous();
        binlog.rotate();
        binlog.rotate();
        transaction();

        assertSkips(DumpStart.after(null, upTo(1), new LastEvent(0, 1)), SECOND);
        assertSkips(DumpStart.after(BinlogPosition.UNKNOWN, upTo(1), new LastEvent(0, 1)), SECOND);
        assertSkips(DumpStart.after(new BinlogPosition("purged.000001", 4), upTo(1), new LastEvent(0, 1)), SECOND);
        assertPasses(DumpStart.after(null, upTo(2), new LastEvent(0, 1))); // a later one was read
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterTheLastOneThatWasReadInItsFileAreNotSkippedAtAnotherServer(boolean refusing) throws IOException {
        isRefusing = refusing;
        transaction();
        transaction();
        anonymous();
        binlog.rotate();

        assertSkips(DumpStart.after(null, upTo(2), new LastEvent(0, 1)), FIRST);
        assertPasses(DumpStart.after(null, upTo(1), new LastEvent(0, 1))); // the dump begins in that file
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void beforeOneThatWasReadCountAsRead(boolean refusing) throws IOException {
        isRefusing = refusing;
        anonymous();
        transaction();
        binlog.rotate();
        transaction();

        assertPasses(DumpStart.after(null, upTo(1), new LastEvent(0, 1)));
    }

    /** Where reading was to begin is not known, but it was after the server had got GTIDs. */
    @Test
    void beforeTheFirstGtidCountAsReadIfNoneWasRead() throws IOException {
        anonymous();
        binlog.rotate();
        transaction();

        assertPasses(DumpStart.after(null, GtidSet.parse(""), new LastEvent(0, 1)));
    }

    private static GtidSet upTo(int number) {
        return GtidSet.parse(SERVER + ":1-" + number);
    }

    private void transaction() {
        binlog.open(0);
        binlog.query("shop", "create table t (id int)");
        binlog.close();
    }

    private void anonymous() {
        binlog.append(SyntheticBinlog.ANONYMOUS_GTID, new byte[42]);
        binlog.query("shop", "create table u (id int)");
    }

    private void assertSkips(DumpStart start, String file) {
        assertThatThrownBy(() -> new DumpCheck("shop").require(start, 0, facts(), new Scan()))
                .isInstanceOfSatisfying(
                        SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.MISCONFIGURED))
                .hasMessageContaining("transactions from " + file)
                .hasMessageContaining("have no GTID");
    }

    private void assertPasses(DumpStart start) throws IOException {
        assertThat(new DumpCheck("shop").require(start, 0, facts(), new Scan())).isEqualTo(start);
    }

    private OneBinlog server() {
        return new OneBinlog(new ServerAddress("db", 3306), binlog);
    }

    private ServerFacts facts() {
        return (ServerFacts) Proxy.newProxyInstance(
                ServerFacts.class.getClassLoader(),
                new Class<?>[] {ServerFacts.class},
                (proxy, method, arguments) ->
                        method.getName().equals("files") ? files() : method.invoke(server(), arguments));
    }

    private List<ServerFacts.File> files() {
        return server().files().stream()
                .map(file -> new ServerFacts.File(file.name(), shifted(file.name(), file.bytes())))
                .toList();
    }

    private long shifted(String file, long offset) {
        return file.equals(FIRST) && offset > largeFrom ? offset + LARGE : offset;
    }

    /** Dumps as a server does. */
    private final class Scan extends ScanOnly {
        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            scan(new BinlogPosition(file, DumpRequest.FIRST_POSITION), visitor);
        }

        @Override
        public void scan(BinlogPosition from, Visitor visitor) throws IOException {
            String file = from.file();
            scans++;
            SyntheticScan.scan(
                    binlog,
                    file,
                    (header, start) -> isRefusing
                            && shifted(file, start) >= from.offset()
                            && header.code() == EventCode.ANONYMOUS_GTID,
                    (header, body, start, end) -> shifted(file, start) < from.offset()
                            || visitor.visit(header, body, shifted(file, start), shifted(file, end)));
        }
    }
}
