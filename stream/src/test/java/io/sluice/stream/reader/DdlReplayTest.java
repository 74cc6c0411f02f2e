package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.testkit.binlog.RandomTransactions;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticBinlog.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DdlReplayTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final int SEEDS = 5;

    @ParameterizedTest
    @EnumSource(Flavour.class)
    void whatIsAfterThePartIsNotReadWhateverHasCome(Flavour flavour) throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, SERVER, 1_700_000_000, seed % 2 == 0);
            new RandomTransactions(binlog, new Random(seed)).write(RandomTransactions.formsOf(flavour), 12);
            BinlogPosition begin = new BinlogPosition(binlog.fileNames().get(0), BinlogPosition.FIRST_OFFSET);
            for (Transaction next : binlog.transactions()) {
                BinlogPosition until = new BinlogPosition(next.file(), next.start());
                Come all = new Come(binlog.dump(begin.file(), begin.offset()), true);
                Come single = new Come(binlog.dump(begin.file(), begin.offset()), false);
                List<BinlogPosition> reached = replay(begin, until, all);
                assertThat(reached)
                        .as("seed %d until %s", seed, until)
                        .last()
                        .isEqualTo(replay(begin, until, single).stream().reduce(begin, (first, second) -> second));
                assertThat(all.next).as("seed %d until %s", seed, until).isEqualTo(single.next);
            }
        }
    }

    /** A connection gives the first bytes of one that is so large, and the rest when there is room for it. */
    @Test
    void aLargeStatementIsApplied() throws Exception {
        SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_ANONYMOUS, 7, SERVER, 1_700_000_000, true);
        BinlogPosition begin = new BinlogPosition(binlog.newestFile(), BinlogPosition.FIRST_OFFSET);
        binlog.open(0);
        binlog.query("shop", "CREATE TABLE large (id INT /* " + "x".repeat(EventSource.LARGEST_WHOLE) + " */)");
        binlog.close();
        binlog.open(0);
        binlog.query("shop", "CREATE TABLE small (id INT)");
        BinlogPosition end = new BinlogPosition(begin.file(), binlog.close().end());
        SchemaTracker tracker = new SchemaTracker(name -> null, SourceTraits.DEFAULT, SchemaRecorder.NONE);

        try (DdlReplay replay = new DdlReplay(SourceServer.at("127.0.0.1", 3306), begin, null, tracker)) {
            assertThat(replay.run(new CutEvents(binlog.dump(begin.file(), 4)), true, end, reached -> {}))
                    .isEqualTo(end);
        }

        for (String table : List.of("large", "small")) {
            assertThat(tracker.catalog().table(new TableName("shop", table)))
                    .as(table)
                    .isNotNull();
        }
    }

    private static List<BinlogPosition> replay(BinlogPosition from, BinlogPosition until, EventSource source)
            throws IOException {
        List<BinlogPosition> reached = new ArrayList<>(List.of(from));
        SchemaTracker tracker = new SchemaTracker(name -> null, SourceTraits.DEFAULT, SchemaRecorder.NONE);
        try (DdlReplay replay = new DdlReplay(SourceServer.at("127.0.0.1", 3306), from, null, tracker)) {
            replay.run(source, false, until, reached::add);
        }
        return reached;
    }

    /** Events that have all come, or of which each comes when it is asked for. */
    private static final class Come implements EventSource {
        private final List<byte[]> events;
        private final boolean all;
        private int next;

        Come(List<byte[]> events, boolean all) {
            this.events = events;
            this.all = all;
        }

        @Override
        public int next(ByteWriter out) {
            byte[] event = events.get(next++);
            out.write(event);
            return event.length;
        }

        @Override
        public boolean hasBuffered() {
            return all && next < events.size();
        }

        @Override
        public void close() {}
    }
}
