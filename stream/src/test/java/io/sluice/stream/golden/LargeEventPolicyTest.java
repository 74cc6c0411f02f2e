package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.split.RowCut;
import io.sluice.format.value.ColumnTypes;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.options.LargeEventPolicy;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.reader.ReaderOptions;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Events that are larger than what may be read of one. */
@ParameterizedClass
@EnumSource(LargeEventPolicyTest.Recorded.class)
class LargeEventPolicyTest {
    /** Cases with their limits; rows of the compressed ones are larger without compression alone. */
    enum Recorded {
        PLAIN("mysql-8.0.31", "04-large", 4000),
        COMPRESSED("mariadb-11.8", "12-mariadb-compressed-log", 1000);

        private final String server;
        private final String group;
        private final int largest;

        Recorded(String server, String group, int largest) {
            this.server = server;
            this.group = group;
            this.largest = largest;
        }
    }

    @Parameter
    private Recorded recorded;

    private GoldenCase golden;
    private List<byte[]> events;
    private int largest;

    @BeforeEach
    void openCase() throws Exception {
        largest = recorded.largest;
        golden = GoldenCase.all(List.of(recorded.server), List.of(recorded.group))
                .get(0);
        events = Compression.events(golden);
    }

    @Test
    void becomeUnreadEntriesThatCannotBeEncoded() throws Exception {
        List<Entry> whole = read("", new LargeEventPolicy(Long.MAX_VALUE, false));

        List<Entry> entries = read("", new LargeEventPolicy(largest, true));

        assertThat(entries).hasSameSizeAs(whole);
        int unread = 0;
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            assertThat(entry.changeId().offset())
                    .isEqualTo(whole.get(i).changeId().offset());
            assertThat(entry.kind()).isEqualTo(whole.get(i).kind());
            assertThat(entry.tableName()).isEqualTo(whole.get(i).tableName());
            assertThat(entry.eventType()).isEqualTo(whole.get(i).eventType());
            if (entry instanceof UnreadRowsEntry) {
                unread++;
                assertThatThrownBy(() -> Encodings.writeProtobuf(entry, new ByteWriter(64)))
                        .isInstanceOf(TooManyBytesException.class)
                        .hasMessageContaining("limit for this heap is " + largest + ": raise -Xmx");
                assertThatThrownBy(() -> Encodings.writeFlat(entry, new ByteWriter(64), 1, 1))
                        .isInstanceOf(TooManyBytesException.class);
                assertThatThrownBy(() -> Encodings.pieces(entry, new RowCut(null, null, false, false)))
                        .isInstanceOf(TooManyBytesException.class);
            }
        }
        assertThat(unread).isPositive();
        assertThat(entries.stream().filter(entry -> entry.kind() == EntryKind.ROWS))
                .hasSizeGreaterThan(unread);
    }

    @Test
    void stopTheStreamIfNoConsumerHandlesThem() {
        assertThatThrownBy(() -> read("", new LargeEventPolicy(largest, false)))
                .isInstanceOf(StreamException.class)
                .hasMessageContaining("event at binlog.0")
                .hasMessageContaining("raise -Xmx and restart");
    }

    @Test
    void areSkippedIfTheFilterExcludesTheirTable() throws Exception {
        List<Entry> entries = read("no\\.table", new LargeEventPolicy(largest, false));

        assertThat(entries).isNotEmpty().noneMatch(entry -> entry.kind() == EntryKind.ROWS);
    }

    private List<Entry> read(String filtered, LargeEventPolicy large) throws Exception {
        Map<TableName, String> start = golden.startSchemas();
        TableDefinitions end = golden.endSchemas();
        SchemaTracker tracker = new SchemaTracker(table -> {
            String create = start.get(table);
            return create == null ? end.createStatement(table) : create;
        });
        TableFilter filter = new TableFilter(filtered, "");
        StreamOptions options = StreamOptions.DEFAULT.with(large);
        EventReader reader = new EventReader(
                SourceServer.at("localhost", 3306),
                golden.start(),
                null,
                options,
                tracker,
                filter,
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
        try (EntryRing ring = new EntryRing(new RingConfig(1 << 14, 1 << 14, false));
                StreamPipeline pipeline = new StreamPipeline(reader, ring, null, 4, false, () -> {}, Time.SYSTEM)) {
            pipeline.read(new CutEvents(events, new Random(1)));
            pipeline.drain();
            return GoldenRun.taken(ring);
        }
    }
}
