package io.sluice.stream.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.row.MappedTable;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import io.sluice.stream.xa.HeldSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpilledEntriesTest {
    private static final MappedTable ORDERS = new MappedTable("shop", "orders", List.of());

    private static final LogFile FILE = new LogFile(SourceServer.at("db", 3306), "binlog.000001");

    @TempDir
    private Path directory;

    /** As one of MariaDB's that is compressed in the binlog. */
    @Test
    void theSizeOfAnEventThatIsUnreadMayBeMoreThanTwoGigabytes() throws Exception {
        SpilledEntries spilled = new SpilledEntries(new HeldSpace(directory, "shop-", 0), 1 << 20);
        UnreadRowsEntry undone = new UnreadRowsEntry(origin(0), EventType.INSERT, ORDERS, 6_000_000_000L, 1 << 28);
        UnreadRowsEntry unread = new UnreadRowsEntry(origin(1), EventType.UPDATE, ORDERS, 5_000_000_000L, 1 << 28);
        long savepoint = spilled.savepoint();
        spilled.append(undone, true);
        spilled.undoAfter(savepoint);
        spilled.append(unread, true);
        spilled.append(TransactionBoundary.end(origin(2), 7), false);
        spilled.seal();
        List<Entry> read = new ArrayList<>();

        while (spilled.read(new ByteWriter(64), new EventBytes(), read, 1 << 10)) {
            // until there are no more
        }

        assertThat(read).hasSize(2);
        assertThat(read.get(0)).isInstanceOfSatisfying(UnreadRowsEntry.class, entry -> {
            assertThat(entry.bytes()).isEqualTo(5_000_000_000L);
            assertThat(entry.largest()).isEqualTo(1 << 28);
            assertThat(entry.eventType()).isEqualTo(EventType.UPDATE);
            assertThat(entry.tooLarge()).hasMessageContaining("event is 5000000000 bytes");
        });
        assertThat(read.get(1))
                .isInstanceOfSatisfying(
                        TransactionBoundary.class,
                        end -> assertThat(end.number()).isEqualTo(7));
    }

    private static Origin origin(int sequence) {
        return new Origin(FILE, 4, 1, 1_700_000_000_000L, 100, sequence, null, false);
    }
}
