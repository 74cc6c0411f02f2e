package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A running server, and what is delivered of the statements that it is given. */
final class LiveServer implements AutoCloseable {
    private static final RingConfig RING = new RingConfig(1 << 16, 1 << 12, false);
    private static final int REPLICA_ID = 4714;
    private static final String END_SCHEMA = "sluice_end";

    private final MySqlServer server;
    private int ends;

    LiveServer(MySqlOptions options) {
        server = MySqlServer.start(options);
        server.createReplicationUser("canal", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
    }

    MySqlServer server() {
        return server;
    }

    /** Runs statements on one connection, in UTC; the first error ends it. */
    void run(String... statements) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set time_zone = '+00:00'");
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** A source that begins at a place; by GTID if it has any. */
    LiveSource source(BinlogEnd from, String gtids, boolean encodeAhead) {
        return source(server.port(), from, gtids, encodeAhead);
    }

    /** A source with table schemas known in another way, that begins at a place, or where an earlier run got to. */
    LiveSource source(BinlogEnd from, SchemaOptions schema, Cursor cursor) {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "canal", "secret");
        SourceOptions options = LiveSource.options(login, new BinlogPosition(from.file(), from.offset()));
        return LiveSource.reading(options, RING).schema(schema).from(cursor).start();
    }

    /** A source that reads by way of another port. */
    LiveSource source(int port, BinlogEnd from, String gtids, boolean encodeAhead) {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), port), "canal", "secret");
        SourceOptions options = new SourceOptions(
                login,
                REPLICA_ID,
                new BinlogPosition(from.file(), from.offset()),
                gtids,
                List.of(),
                List.of(),
                Duration.ofSeconds(1));
        return LiveSource.reading(options, RING).encodeAhead(encodeAhead).start();
    }

    /** A source that reads by way of another port, with other settings of what is delivered. */
    LiveSource source(int port, BinlogEnd from, String gtids, StreamOptions stream) {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), port), "canal", "secret");
        SourceOptions options = new SourceOptions(
                login,
                REPLICA_ID,
                new BinlogPosition(from.file(), from.offset()),
                gtids,
                List.of(),
                List.of(),
                Duration.ofSeconds(1));
        return LiveSource.reading(options, RING).stream(stream).start();
    }

    /** All entries from a place to now. */
    List<Entry> entries(BinlogEnd from, String gtids) throws Exception {
        try (LiveSource source = source(from, gtids, false)) {
            List<Entry> entries = new ArrayList<>(source.readUntil(markTheEnd()));
            entries.remove(entries.size() - 1);
            assertThat(source.retries()).isEmpty();
            return entries;
        }
    }

    /** Writes a DDL into the binlog; the result finds its entry. */
    Predicate<Entry> markTheEnd() throws SQLException {
        ends++;
        String table = "end_" + ends;
        run("create database if not exists " + END_SCHEMA, "create table %s.%s (id int)".formatted(END_SCHEMA, table));
        return entry ->
                entry.schemaName().equals(END_SCHEMA) && entry.tableName().equals(table);
    }

    /** What the statements become when they are run while a source reads. */
    List<Entry> delivered(String... statements) throws Exception {
        try (LiveSource source = source(server.rotateBinlog(), null, false)) {
            await().until(() -> !source.readings().isEmpty());
            run(statements);
            List<Entry> entries = new ArrayList<>(source.readUntil(markTheEnd()));
            entries.remove(entries.size() - 1);
            assertThat(source.retries()).isEmpty();
            return entries;
        }
    }

    static List<String> flat(List<Entry> entries) {
        List<String> messages = new ArrayList<>();
        for (Entry entry : entries) {
            ByteWriter out = new ByteWriter(256);
            if (!entry.schemaName().equals(END_SCHEMA) && Encodings.writeFlat(entry, out, 1, 1)) {
                messages.add(new String(out.toByteArray(), StandardCharsets.UTF_8));
            }
        }
        return messages;
    }

    /** Fails unless the entries, applied to nothing, give what the server's tables of a schema hold. */
    void requireState(String schema, List<Entry> entries) throws Exception {
        Messages.Builder messages = Messages.newBuilder();
        for (Entry entry : entries) {
            ByteWriter out = new ByteWriter(256);
            Encodings.writeProtobuf(entry, out);
            messages.addMessages(ByteString.copyFrom(out.array(), 0, out.size()));
        }
        Packet packet = Packet.newBuilder()
                .setType(PacketType.MESSAGES)
                .setBody(messages.build().toByteString())
                .build();
        StateModel model = new StateModel(Duplicates.FORBIDDEN);
        model.apply(new RawRecords().read("live", 0, 0, packet.toByteArray()));
        try (Connection connection = server.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, schema), model);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
