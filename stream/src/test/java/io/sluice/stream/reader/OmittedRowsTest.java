package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Change;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams that deliver no rows. */
class OmittedRowsTest {
    private static final SyntheticTable DROPPED = new SyntheticTable("shop", "dropped", List.of("id", "note"));

    private final List<TableName> asked = new ArrayList<>();
    private final SchemaTracker tracker = new SchemaTracker(name -> {
        asked.add(name);
        return null;
    });
    private final SyntheticBinlog binlog =
            new SyntheticBinlog(Flavour.MYSQL_ANONYMOUS, 7, new UUID(1, 2), 1_700_000_000, true);

    static Stream<Set<Omitted>> withoutRows() {
        return Stream.of(Set.of(Omitted.ROWS), Set.of(Omitted.INSERTS, Omitted.UPDATES, Omitted.DELETES));
    }

    @ParameterizedTest
    @MethodSource("withoutRows")
    void aTableWithoutAKnownSchemaDoesNotStopThem(Set<Omitted> omitted) throws Exception {
        transaction(Change.INSERT, List.of(List.of(1, "one")));
        transaction(Change.UPDATE, List.of(List.of(1, "one"), List.of(1, "two")));
        transaction(Change.DELETE, List.of(List.of(1, "two")));
        binlog.open(0);
        binlog.query("shop", "DROP TABLE dropped");
        binlog.close();

        List<Entry> entries = read(StreamOptions.DEFAULT.without(omitted));

        assertThat(entries)
                .filteredOn(entry -> "dropped".equals(entry.tableName()))
                .map(Entry::eventType)
                .containsExactly(EventType.ERASE);
        assertThat(asked).isEmpty();
        assertThat(tracker.counts().eventsLeftOut()).isZero();
    }

    private void transaction(Change change, List<List<Object>> images) {
        binlog.open(0);
        binlog.query("shop", "BEGIN");
        binlog.rows(DROPPED, change, images);
        binlog.xid();
        binlog.close();
    }

    private List<Entry> read(StreamOptions options) throws Exception {
        EventReader reader = new EventReader(
                SourceServer.at("db", 3306),
                new BinlogPosition(binlog.newestFile(), 4),
                null,
                options,
                tracker,
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
        reader.onReconnect(true, false);
        EventSource dump = new ListedEvents(binlog.dump(binlog.newestFile(), 4));
        List<Entry> entries = new ArrayList<>();
        boolean more = true;
        while (more) {
            Chunk chunk = new Chunk(new ChunkBuffers(), reader.expectedChunkBytes());
            more = reader.read(dump, chunk);
            entries.addAll(chunk.entries());
        }
        return entries;
    }
}
