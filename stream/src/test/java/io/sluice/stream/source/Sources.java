package io.sluice.stream.source;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.StartPosition;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import java.time.Duration;
import java.util.List;

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

    static SourceHost host(MySqlServer server, StartPosition start) {
        return new SourceHost(login(server.port()), start);
    }

    public static StartPosition at(BinlogEnd end) {
        return new StartPosition.At(new BinlogPosition(end.file(), end.offset()), null);
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
