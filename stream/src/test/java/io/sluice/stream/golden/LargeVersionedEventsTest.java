package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.LargeEventPolicy;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.reader.ReaderOptions;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Events of a system-versioned table that are too large: their rows, which say what the changes are, are not read. */
class LargeVersionedEventsTest {
    private static final int CODE = 4;
    private static final Set<Integer> TEXTS = Set.of(EventCode.QUERY, EventCode.MARIADB_ANNOTATE_ROWS);

    /** Has all events come in pieces that may do so, as large ones do. */
    private static final class AlwaysCut extends Random {
        private static final long serialVersionUID = 1L;

        @Override
        public int nextInt(int bound) {
            return bound - 1;
        }
    }

    /** The statements are an insert, an update, and a delete, which is logged as an update. */
    @Test
    void statesThatTheRowsMayBeOldVersions() throws Exception {
        List<UnreadRowsEntry> unread = unread(Set.of());

        assertThat(unread)
                .extracting(UnreadRowsEntry::eventType)
                .containsExactly(EventType.INSERT, EventType.UPDATE, EventType.UPDATE);
        assertThat(unread.get(0).tooLarge()).hasMessageContaining("all its rows may be old versions");
        assertThat(unread.get(1).tooLarge()).hasMessageContaining("rows may have been deleted by it");
    }

    @Test
    void insertsThatAreLeftOutCanBeNothingElse() throws Exception {
        assertThat(unread(Set.of(Omitted.INSERTS)))
                .extracting(UnreadRowsEntry::eventType)
                .containsExactly(EventType.UPDATE, EventType.UPDATE);
    }

    @Test
    void anUpdateMayBeADeleteThatIsDelivered() throws Exception {
        assertThat(unread(Set.of(Omitted.INSERTS, Omitted.UPDATES)))
                .extracting(UnreadRowsEntry::eventType)
                .containsExactly(EventType.UPDATE, EventType.UPDATE);
        assertThat(unread(Set.of(Omitted.INSERTS, Omitted.UPDATES, Omitted.DELETES)))
                .isEmpty();
    }

    private static List<UnreadRowsEntry> unread(Set<Omitted> omitted) throws Exception {
        GoldenCase golden = GoldenCase.all(List.of("mariadb-10.11"), List.of("12-mariadb-versioned"))
                .get(0);
        Map<TableName, String> start = golden.startSchemas();
        TableDefinitions end = golden.endSchemas();
        EventReader reader = new EventReader(
                SourceServer.at("localhost", 3306),
                golden.start(),
                null,
                StreamOptions.DEFAULT.with(new LargeEventPolicy(1, true)).without(omitted),
                new SchemaTracker(table -> {
                    String create = start.get(table);
                    return create == null ? end.createStatement(table) : create;
                }),
                new TableFilter("shelf_mver\\.versioned", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
        List<byte[]> withoutTexts = Compression.events(golden).stream()
                .filter(event -> !TEXTS.contains(event[CODE] & 0xff)) // which must be small enough to be read
                .toList();
        List<Entry> entries;
        try (EntryRing ring = new EntryRing(new RingConfig(1 << 10, 1 << 10, false));
                StreamPipeline pipeline = new StreamPipeline(reader, ring, null, 4, false, () -> {}, Time.SYSTEM)) {
            pipeline.read(new CutEvents(withoutTexts, new AlwaysCut()));
            pipeline.drain();
            entries = GoldenRun.taken(ring);
        }
        return entries.stream()
                .filter(UnreadRowsEntry.class::isInstance)
                .map(UnreadRowsEntry.class::cast)
                .toList();
    }
}
