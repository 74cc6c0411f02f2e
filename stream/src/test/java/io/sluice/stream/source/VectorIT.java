package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.differential.DdlScripts;
import io.sluice.stream.differential.RandomDdl;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors among other columns, whose metadata follow theirs. */
@Timeout(600)
class VectorIT {
    private static MySqlServer server;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start(
                MySqlOptions.defaults().release(ServerRelease.MYSQL_9_7).compressedTransactions());
        server.execute("create user canal identified by 'secret'", "grant all on *.* to canal");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void areFollowedThroughRandomDdl(long seed, @TempDir Path folder) throws Exception {
        new RandomDdl(server, folder, false).requireNoDifference(seed, 60);
    }

    @Test
    void ddlThatIsEasilyMisreadIsFollowed(@TempDir Path folder) throws Exception {
        DdlScripts.requireNoDifference(server, folder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MINIMAL", "FULL"})
    void areDeliveredAndDoNotShiftOtherColumns(String metadata) throws Exception {
        server.execute("set global binlog_row_metadata = " + metadata, "drop database if exists shop");
        BinlogEnd start = server.binlogEnd();
        server.execute(
                "create database shop",
                "create table shop.v (id int unsigned primary key, d decimal(8,2), v vector(3) not null, w vector,"
                        + " u smallint unsigned invisible default 7, t varchar(300) character set latin1, x vector(16000),"
                        + " e enum('a', 'b'), ts datetime(3))",
                "insert into shop.v values (4000000000, -1.25, string_to_vector('[1,2.5,-3]'), null, 'ü', null, 'b',"
                        + " '2024-02-29 01:02:03.456')",
                "update shop.v set w = string_to_vector('[0.1]'), v = string_to_vector('[0,1e-30,3.4e38]'), t = 'y'",
                "create table shop.the_end (id int)");

        List<String> messages = new ArrayList<>();
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "canal", "secret");
        SourceOptions options = new SourceOptions(
                login,
                4717,
                new BinlogPosition(start.file(), start.offset()),
                null,
                List.of(),
                List.of(),
                Duration.ofSeconds(5));
        try (LiveSource live = LiveSource.reading(options, new RingConfig(1 << 8, 1 << 14, false))
                .start()) {
            for (Entry entry : live.readUntil(entry -> entry.tableName().equals("the_end"))) {
                if (entry.kind() == EntryKind.ROWS) {
                    ByteWriter out = new ByteWriter(256);
                    Encodings.writeFlat(entry, out, 1, 1);
                    messages.add(new String(out.toByteArray(), StandardCharsets.UTF_8));
                }
            }
        }

        assertThat(messages).hasSize(2);
        assertThat(messages.get(0))
                .contains(
                        "\"data\":[{\"id\":\"4000000000\",\"d\":\"-1.25\",\"v\":\"[1.0,2.5,-3.0]\",\"w\":null,\"u\":\"7\","
                                + "\"t\":\"ü\",\"x\":null,\"e\":\"2\",\"ts\":\"2024-02-29 01:02:03.456\"}]");
        assertThat(messages.get(1))
                .contains("\"v\":\"[0.0,1.0E-30,3.4E38]\",\"w\":\"[0.1]\",\"u\":\"7\",\"t\":\"y\"")
                .contains("\"old\":[{\"v\":\"[1.0,2.5,-3.0]\",\"w\":null,\"t\":\"ü\"}]");
    }
}
