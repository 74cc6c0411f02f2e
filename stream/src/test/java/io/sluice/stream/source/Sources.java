package io.sluice.stream.source;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfigs;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceServers;
import io.sluice.stream.source.watch.ProbeOptions;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;

/** What the tests of sources share: options, and what entries say of tables. */
public final class Sources {
    static final Duration HEARTBEAT = Duration.ofSeconds(1);

    /** For an answer, and for the next heartbeat: a server that is only slow is not taken for one that is gone. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long REPLICA_ID = 4714;

    private Sources() {}

    public static ConnectOptions login(int port) {
        return ConnectOptions.of(new ServerAddress("127.0.0.1", port), "root", "")
                .withTimeouts(PATIENCE, PATIENCE);
    }

    static SourceHost host(MySqlServer server, ConfiguredStart start) {
        return new SourceHost(login(server.port()), start);
    }

    public static ConfiguredStart at(BinlogEnd end) {
        return new ConfiguredStart.At(new BinlogPosition(end.file(), end.offset()), null);
    }

    public static SourceOptions options(PositionOptions rules, SourceHost... hosts) {
        return options(rules, null, hosts);
    }

    public static SourceOptions options(PositionOptions rules, ProbeOptions probe, SourceHost... hosts) {
        return new SourceOptions(List.of(hosts), REPLICA_ID, rules, List.of(), List.of(), HEARTBEAT, 1, probe);
    }

    public static PositionOptions byFile() {
        return new PositionOptions(false, false, false, Duration.ofSeconds(2));
    }

    /** What is read of all tables, without a schema history. */
    static SourceStream stream(StreamOptions options) {
        return new SourceStream(
                options,
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                SchemaOptions.WITHOUT_HISTORY,
                EventReader.DEFAULT_MAPPING_BYTES);
    }

    /** A schema history in a folder. */
    static SchemaOptions history(Path folder) {
        return new SchemaOptions(HistoryConfigs.of("live", HistoryLocation.parse("jdbc:h2:h2", folder)));
    }

    /** A session that reads by file and offset, by steps of the test. */
    static SourceSession session(StreamOptions options, SourceServers servers, Time time, SourceHost... hosts) {
        SourceListener listener = new SourceListener() {
            @Override
            public void onStart(Cursor first) {}

            @Override
            public void onState(SourceState state) {}
        };
        return SourceWiring.of(
                        "shop",
                        options(byFile(), hosts),
                        stream(options),
                        new EntryRing(new RingConfig(1 << 12, 1 << 12, false)),
                        null,
                        null,
                        listener,
                        new SourceWiring.Environment(servers, SchemaHistory::open, time, new Random(1)))
                .session();
    }

    /** Holds what entries say that tables hold. */
    static final class Delivered {
        private final FlatRecords records = new FlatRecords();
        private final StateModel model;
        private long count;

        Delivered(Duplicates duplicates) {
            this.model = new StateModel(duplicates);
        }

        void add(List<Entry> entries) {
            for (Entry entry : entries) {
                ByteWriter out = new ByteWriter(256);
                if (entry.kind() != EntryKind.BEGIN && Encodings.writeFlat(entry, out, 1, 1)) {
                    model.apply(records.read("live", 0, count++, out.toByteArray()));
                }
            }
        }

        StateModel model() {
            return model;
        }
    }
}
