package io.sluice.stream.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.row.MappedTable;
import io.sluice.format.value.PartialJson;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import io.sluice.stream.xa.HeldSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @EnumSource
    @NullSource
    void anEntryIsTheSameAfterItWasInTheFile(@Nullable PartialJson partialJson) throws Exception {
        SpilledEntries spilled = new SpilledEntries(new HeldSpace(directory, "shop-", 0), 1 << 20);
        List<StatementEntry> statements = List.of(
                new StatementEntry(origin(0), EventType.QUERY, "", "", null, "insert into orders values (1)", ""),
                new StatementEntry(origin(1), EventType.QUERY, "", null, false, "analyze table orders", "shop"),
                new StatementEntry(origin(2), EventType.CREATE, "shop", "t", true, "create table t (id int)", "shop"));
        for (StatementEntry next : statements) {
            spilled.append(next, false);
        }
        RowRules rules = new RowRules(false, true);
        byte[] images = {0, 1, 2, 3, 0};
        spilled.append(
                new RowsEntry(
                        origin(3), EventType.DELETE, ORDERS, 7, EventBytes.of(images), 1, 4, partialJson, 5, rules),
                true);
        spilled.seal();
        List<Entry> read = new ArrayList<>();
        ByteWriter events = new ByteWriter(64);
        EventBytes bytes = new EventBytes();

        assertThat(spilled.read(events, bytes, read, 1 << 20)).isFalse();
        bytes.settle(events.array());

        assertThat(read).hasSize(4);
        for (int i = 0; i < statements.size(); i++) {
            StatementEntry before = statements.get(i);
            assertThat(read.get(i)).isInstanceOfSatisfying(StatementEntry.class, after -> {
                assertThat(after.ddl()).isEqualTo(before.ddl());
                assertThat(after.eventType()).isEqualTo(before.eventType());
                assertThat(after.schema()).isEqualTo(before.schema());
                assertThat(after.table()).isEqualTo(before.table());
                assertThat(after.sql()).isEqualTo(before.sql());
                assertThat(after.sessionSchema()).isEqualTo(before.sessionSchema());
                assertThat(after.changeId()).isEqualTo(before.changeId());
            });
        }
        assertThat(read.get(3)).isInstanceOfSatisfying(RowsEntry.class, rows -> {
            assertThat(rows.eventType()).isEqualTo(EventType.DELETE);
            assertThat(rows.tableId()).isEqualTo(7);
            assertThat(rows.firstRow()).as("in its event").isEqualTo(5);
            assertThat(rows.partialJson()).isEqualTo(partialJson);
            assertThat(rows.rules()).isEqualTo(rules);
            EventBody body = rows.images();
            assertThat(Arrays.copyOfRange(body.array(), body.offset(), body.end()))
                    .containsExactly(1, 2, 3);
        });
    }

    /** What is undone begins in the part of the file that was read at once, and ends after it. */
    @Test
    void whatFollowsALargeEntryThatIsUndoneIsReadAsItWasWritten() throws Exception {
        SpilledEntries spilled = new SpilledEntries(new HeldSpace(directory, "shop-", 0), 1 << 20);
        byte[] last = {1, 2, 3};
        spilled.append(rows(0, new byte[60_000]), true);
        long savepoint = spilled.savepoint();
        spilled.append(rows(1, new byte[200_000]), true);
        spilled.undoAfter(savepoint);
        spilled.append(rows(2, last), true);
        spilled.seal();
        assertThat(spilled.path()).isNotNull();
        List<Entry> read = new ArrayList<>();
        ByteWriter events = new ByteWriter(64);
        EventBytes bytes = new EventBytes();

        assertThat(spilled.read(events, bytes, read, 1 << 20)).isFalse();
        bytes.settle(events.array());

        assertThat(read).hasSize(2);
        EventBody images = ((RowsEntry) read.get(1)).images();
        assertThat(Arrays.copyOfRange(images.array(), images.offset(), images.end()))
                .isEqualTo(last);
    }

    @Test
    void tablesThatAlternateStayApart() throws Exception {
        SpilledEntries spilled = new SpilledEntries(new HeldSpace(directory, "shop-", 0), 1 << 20);
        MappedTable items = new MappedTable("shop", "items", List.of());
        List<MappedTable> tables = List.of(ORDERS, items, ORDERS, ORDERS, items);
        for (MappedTable table : tables) {
            spilled.append(rows(0, table, new byte[] {1}), true);
        }
        spilled.seal();
        List<Entry> read = new ArrayList<>();

        assertThat(spilled.read(new ByteWriter(64), new EventBytes(), read, 1 << 20))
                .isFalse();

        assertThat(read).extracting(Entry::tableName).containsExactly("orders", "items", "orders", "orders", "items");
    }

    /** It needs room of its own. */
    @Test
    void aLargeEntryIsTheFirstOfItsChunk() throws Exception {
        SpilledEntries spilled = new SpilledEntries(new HeldSpace(directory, "shop-", 0), 1 << 24);
        int large = EventSource.LARGEST_WHOLE + 1;
        spilled.append(rows(0, new byte[1]), true);
        spilled.append(rows(1, new byte[large]), true);
        spilled.append(rows(2, new byte[1]), true);
        spilled.seal();
        List<Entry> read = new ArrayList<>();
        ByteWriter events = new ByteWriter(64);

        assertThat(spilled.nextLargeBytes()).isZero();
        assertThat(spilled.read(events, new EventBytes(), read, 1 << 20)).isTrue();
        assertThat(read).hasSize(1);
        assertThat(spilled.nextLargeBytes()).isEqualTo(large);
        assertThat(spilled.read(events, new EventBytes(), read, 1 << 20)).isTrue();
        assertThat(read).hasSize(2);
        assertThat(spilled.read(events, new EventBytes(), read, 1 << 20)).isFalse();
        assertThat(read).hasSize(3);
    }

    /** What a savepoint states is written over in the file, in the buffer, or where the one ends and the other begins. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 4, 7, 8, 9})
    void whatIsUndoneIsStatedWhereverItsSavepointIs(int missing) throws Exception {
        SpilledEntries spilled = new SpilledEntries(new HeldSpace(directory, "shop-", 0), 1 << 24);
        int entry = 69;
        spilled.append(rows(0, new byte[(1 << 17) - entry - (entry - Long.BYTES) - missing]), true);
        long savepoint = spilled.savepoint();
        spilled.append(rows(1, new byte[10]), true);
        spilled.undoAfter(savepoint);
        spilled.append(rows(2, new byte[1 << 17]), true);
        spilled.seal();
        List<Entry> read = new ArrayList<>();

        assertThat(spilled.read(new ByteWriter(64), new EventBytes(), read, 1 << 20))
                .isFalse();

        assertThat(read)
                .extracting(row -> ((RowsEntry) row).origin().sequence())
                .containsExactly(0, 2);
    }

    private static RowsEntry rows(int sequence, byte[] images) {
        return rows(sequence, ORDERS, images);
    }

    private static RowsEntry rows(int sequence, MappedTable table, byte[] images) {
        return new RowsEntry(
                origin(sequence),
                EventType.INSERT,
                table,
                7,
                EventBytes.of(images),
                0,
                images.length,
                null,
                0,
                new RowRules(false, true));
    }

    private static Origin origin(int sequence) {
        return new Origin(FILE, 4, 1, 1_700_000_000_000L, 100, sequence, null, false);
    }
}
