package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.workload.RandomWorkload;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each server's changes arrive complete, once and in order, over files, GTIDs and compression, while dumps are killed. */
@Timeout(600)
class EveryServerIT {
    private static final RingConfig RING = new RingConfig(1 << 8, 1 << 14, false);
    private static final long SEED = 20_261_121;
    private static final int CHANGES = 4_000;
    private static final int KILLS = 3;

    @ParameterizedTest
    @EnumSource
    void deliversEveryChangeOnce(ServerRelease release) throws Exception {
        MySqlOptions options = MySqlOptions.defaults().release(release).gtid().with("max-binlog-size", "256K");
        if (release != ServerRelease.MYSQL_5_7_22 && release != ServerRelease.MYSQL_8_0_15) {
            options = options.compressedTransactions();
        }
        try (MySqlServer server = MySqlServer.start(options)) {
            server.execute("create database before_it"); // so that there is a GTID to start after
            BinlogEnd start = server.binlogEnd();
            try (LiveSource byFile = start(server, 4715, start, null);
                    LiveSource byGtid = start(server, 4716, start, start.gtidSet())) {
                RandomWorkload workload = new RandomWorkload(RandomWorkload.Options.of(SEED, CHANGES));
                CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> run(workload, server));
                CompletableFuture<List<Entry>> other =
                        CompletableFuture.supplyAsync(() -> readAll(byGtid, server, workload));
                List<Entry> entries = readAll(byFile, server, workload);
                changes.join();

                assertSame(server, workload, entries);
                assertSame(server, workload, other.join());
                assertThat(byFile.readings().size() + byGtid.readings().size()).isGreaterThan(2);
            }
        }
    }

    private static LiveSource start(MySqlServer server, int replicaId, BinlogEnd start, String gtidSet) {
        SourceOptions options = new SourceOptions(
                ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""),
                replicaId,
                new BinlogPosition(start.file(), start.offset()),
                gtidSet,
                List.of("ROW"),
                List.of(),
                Duration.ofSeconds(5));
        return LiveSource.reading(options, RING).encodeAhead(true).start();
    }

    private static void run(RandomWorkload workload, MySqlServer server) {
        try (Connection connection = server.connect()) {
            workload.run(connection);
            workload.markTheEnd(connection);
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    /** Kills the dump whenever it has brought something since it was last begun. */
    private static List<Entry> readAll(LiveSource live, MySqlServer server, RandomWorkload workload) {
        Predicate<Entry> isEnd = entry -> entry.kind() == EntryKind.ROWS
                && entry.schemaName().equals(workload.schema())
                && entry.tableName().equals("sluice_end");
        List<Entry> entries = new ArrayList<>();
        int kills = 0;
        try {
            while (true) {
                List<Entry> next = live.next();
                entries.addAll(next);
                if (next.stream().anyMatch(isEnd)) {
                    return entries;
                }
                if (!next.isEmpty() && kills < KILLS && live.readings().size() > kills) {
                    killDumps(server);
                    kills++;
                }
            }
        } catch (InterruptedException | SQLException e) {
            throw new CompletionException(e);
        }
    }

    private static void killDumps(MySqlServer server) throws SQLException {
        List<Long> dumps = server.dumps();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (long dump : dumps) {
                try {
                    statement.execute("kill " + dump);
                } catch (SQLException e) {
                    assertThat(e.getMessage()).startsWith("Unknown thread"); // it has just ended
                }
            }
        }
    }

    private static void assertSame(MySqlServer server, RandomWorkload workload, List<Entry> entries)
            throws SQLException, InvalidProtocolBufferException {
        StateModel model = new StateModel(Duplicates.FORBIDDEN);
        RawRecords records = new RawRecords();
        for (Entry entry : entries) {
            ByteWriter out = new ByteWriter(256);
            Encodings.writeProtobuf(entry, out);
            model.apply(records.read("live", 0, 0, io.sluice.protocol.entry.Entry.parseFrom(out.toByteArray())));
        }
        assertThat(model.problems()).as("seed %d", SEED).isEmpty();
        try (Connection connection = server.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, workload.schema()), model);
        }
    }
}
