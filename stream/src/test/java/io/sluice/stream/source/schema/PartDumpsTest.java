package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.stream.reader.DdlReplay;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.time.HandTime;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PartDumpsTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");

    private final HandTime time = new HandTime();
    private final Statements statements = new Statements();

    /** The end of the binlog that is stated is ahead of what is sent, while transactions are synced. */
    @ParameterizedTest
    @EnumSource(Flavour.class)
    void whatIsNotSentYetIsReadByAnotherDump(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);
        read(new EarlyEnds(binlog), flavour, begin(binlog), end(binlog));
        List<String> whole = List.copyOf(statements.gtidsAndTexts);
        assertThat(whole).hasSize(3);
        for (int events = 0; events < dump(binlog).size(); events++) {
            statements.gtidsAndTexts.clear();
            EarlyEnds scan = new EarlyEnds(binlog, events, 0);

            read(scan, flavour, begin(binlog), end(binlog));

            assertThat(statements.gtidsAndTexts)
                    .as("a dump that ends after %d events", events)
                    .isEqualTo(whole);
            assertThat(scan.requests).hasSize(3);
        }
    }

    /** A server that shuts down, or kills the session, ends a dump as if there were no more. */
    @Test
    void aBinlogThatStaysShorterHasNotTheWholePart() {
        SyntheticBinlog binlog = binlog(Flavour.MYSQL_GTID);
        BinlogPosition end = end(binlog);
        BinlogPosition until = new BinlogPosition(end.file(), end.offset() + 100);
        EarlyEnds scan = new EarlyEnds(binlog);
        long before = time.millis();

        assertThatThrownBy(() -> read(scan, Flavour.MYSQL_GTID, begin(binlog), until))
                .isInstanceOf(EOFException.class)
                .hasMessage("the source has ended the binlog at %s, before %s", end, until);

        assertThat(scan.requests).hasSize(1 + PartDumps.MOST_WITHOUT_PROGRESS);
        assertThat(time.millis()).as("waits between the dumps").isGreaterThan(before);
    }

    @Test
    void aServerThatIsGoneAfterADumpIsUnreachable() {
        SyntheticBinlog binlog = binlog(Flavour.MYSQL_GTID);
        EarlyEnds scan = new EarlyEnds(binlog, 5);
        scan.isGone = true;

        assertThatThrownBy(() -> read(scan, Flavour.MYSQL_GTID, begin(binlog), end(binlog)))
                .isInstanceOf(ConnectException.class);

        assertThat(scan.requests).hasSize(2);
    }

    private void read(EarlyEnds scan, Flavour flavour, BinlogPosition from, BinlogPosition until) throws IOException {
        SchemaTracker tracker = new SchemaTracker(name -> null, SourceTraits.DEFAULT, statements);
        GtidSet none = flavour.isMariaDb() ? MariaDbGtidSet.EMPTY : MySqlGtidSet.EMPTY;
        try (DdlReplay replay =
                new DdlReplay(SourceServer.at("db", 3306), from, flavour.hasGtids() ? none : null, tracker)) {
            new PartDumps(scan, true, time).read(replay, until, reached -> {});
        }
    }

    private static SyntheticBinlog binlog(Flavour flavour) {
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, SERVER, 1_700_000_000, true);
        transaction(binlog, "CREATE TABLE orders (a int)");
        transaction(binlog, "ALTER TABLE orders ADD b int");
        binlog.rotate();
        transaction(binlog, "ALTER TABLE orders DROP a");
        return binlog;
    }

    private static void transaction(SyntheticBinlog binlog, String sql) {
        binlog.open(SyntheticBinlog.MARIADB_DDL | SyntheticBinlog.MARIADB_STANDALONE);
        binlog.query("shop", sql);
        binlog.close();
    }

    private static BinlogPosition begin(SyntheticBinlog binlog) {
        return new BinlogPosition(binlog.fileNames().get(0), BinlogPosition.FIRST_OFFSET);
    }

    private static BinlogPosition end(SyntheticBinlog binlog) {
        return new BinlogPosition(binlog.newestFile(), binlog.end());
    }

    private static List<byte[]> dump(SyntheticBinlog binlog) {
        return binlog.dump(begin(binlog).file(), begin(binlog).offset());
    }

    /** A binlog whose first dumps end after a number of events each. */
    private static final class EarlyEnds implements BinlogScan {
        final List<BinlogPosition> requests = new ArrayList<>();
        private final SyntheticBinlog binlog;
        private final Deque<Integer> ends = new ArrayDeque<>();
        boolean isGone;

        EarlyEnds(SyntheticBinlog binlog, Integer... ends) {
            this.binlog = binlog;
            this.ends.addAll(List.of(ends));
        }

        @Override
        public EventSource read(BinlogPosition from) throws IOException {
            requests.add(from);
            Integer most = ends.poll();
            if (isGone && most == null) {
                throw new ConnectException("refused");
            }
            List<byte[]> all = binlog.dump(from.file(), from.offset());
            return new Events(new ArrayDeque<>(most == null ? all : all.subList(0, most)));
        }

        @Override
        public void scan(String file, Visitor visitor) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void abort() {}
    }

    private record Events(Deque<byte[]> left) implements EventSource {
        @Override
        public int next(ByteWriter out) {
            byte[] event = left.poll();
            if (event == null) {
                return -1;
            }
            out.write(event);
            return event.length;
        }

        @Override
        public boolean hasBuffered() {
            return !left.isEmpty();
        }

        @Override
        public void close() {}
    }

    /** The statements that were applied, in order, with their GTIDs. */
    private static final class Statements implements SchemaRecorder {
        final List<String> gtidsAndTexts = new ArrayList<>();

        @Override
        public boolean recordStatement(EventPosition at, Ddl ddl, StateSupplier before) {
            gtidsAndTexts.add(at.gtid() + " " + ddl.sql());
            return false;
        }

        @Override
        public void recordUnread(EventPosition at, Ddl ddl) {
            throw new AssertionError(ddl.sql());
        }
    }
}
