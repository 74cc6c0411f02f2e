package io.sluice.server.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.CursorJson;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.read.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstanceCursorsTest {
    private static final Cursor CURSOR =
            new Cursor("localhost", 3306, new BinlogPosition("mysql-bin.000001", 1234), "", 1, 1700000000000L);

    @TempDir
    Path home;

    private Path file;
    private InstanceCursors cursors;

    @BeforeEach
    void damage() throws Exception {
        Path server = home.resolve("canal.properties");
        Files.writeString(server, """
                canal.serverMode = kafka
                canal.destinations = shop
                canal.mq.topic = shop
                kafka.bootstrap.servers = 127.0.0.1:9092
                canal.instance.master.address = db:3306
                canal.file.data.dir = %s
                """.formatted(home));
        Configuration configuration = ConfigLoader.load(server, home, Environment.ofThisProcess(), ProducerCheck.NONE);
        file = Files.createDirectories(home.resolve("shop")).resolve("meta.dat");
        Files.writeString(file, "torn");
        cursors = new CursorAdmin(configuration, Optional.empty()).of("shop");
    }

    @Test
    void aDamagedFileIsReplacedByAPosition() throws Exception {
        List<String> lines = cursors.move(new PlannedMove(1001, null, CURSOR, "there was no cursor"));

        assertThat(lines).anyMatch(line -> line.contains("damaged") && line.contains("meta.dat.damaged"));
        assertThat(lines).noneMatch(line -> line.contains("cursor restore takes it back"));
        assertThat(cursors.clients()).extracting(client -> client.cursor()).containsExactly(CURSOR);
        assertThat(file.resolveSibling("meta.dat.damaged")).hasContent("torn");
    }

    /** The file without clients says that the cursor was deleted on purpose, so that the instance begins as a new one. */
    @Test
    void aDamagedFileIsReplacedByOneWithoutClients() throws Exception {
        assertThat(cursors.delete(1001, false)).anyMatch(line -> line.contains("the configured position"));

        assertThat(cursors.clients()).isEmpty();
    }

    @Test
    void aDamagedFileIsReplacedByWhatWasBeforeTheLastChange() throws Exception {
        cursors.move(new PlannedMove(1001, null, CURSOR, "there was no cursor"));
        cursors.delete(1001, false);
        Files.writeString(file, "torn");

        cursors.restore(false);

        assertThat(cursors.clients()).extracting(client -> client.cursor()).containsExactly(CURSOR);
    }

    /** Up to which position the schema history is complete is compared with the position in the binlog of that server. */
    @Test
    void aMoveToAnotherServerKeepsNoPositionOfTheFormerOne() throws Exception {
        Cursor first =
                of("one", 1234).withSchema(new SchemaReference("h", 5, new BinlogPosition("mysql-bin.000001", 1234)));
        Cursor onTheSame = of("one", 2000);
        Cursor onAnother = of("two", 2000);
        cursors.move(new PlannedMove(1001, null, CURSOR, "there was no cursor"));
        Files.writeString(
                file,
                Files.readString(file)
                        .replace(
                                CursorJson.toNode(CURSOR).toString(),
                                CursorJson.toNode(first).toString()));

        cursors.move(new PlannedMove(1001, first, onTheSame, "nothing is between them"));
        assertThat(moved()).isEqualTo(onTheSame.withSchema(first.schema()));
        cursors.move(new PlannedMove(1001, moved(), onAnother, "nothing is between them"));

        Cursor unknown = onAnother.withSchema(new SchemaReference("h", 5, BinlogPosition.UNKNOWN));
        assertThat(moved()).isEqualTo(unknown);
        cursors.move(new PlannedMove(1001, moved(), onTheSame, "nothing is between them"));
        assertThat(moved()).isEqualTo(onTheSame.withSchema(unknown.schema()));
    }

    private Cursor moved() throws Exception {
        return cursors.clients().get(0).cursor();
    }

    private static Cursor of(String server, long offset) {
        return new Cursor(
                new SourceServer("localhost", 3306, server),
                new BinlogPosition("mysql-bin.000001", offset),
                "",
                1,
                1700000000000L,
                null);
    }

    @Test
    void aDryRunChangesNothing() throws Exception {
        assertThat(cursors.delete(1001, true)).contains("nothing was changed: dry run");

        assertThat(file).hasContent("torn");
        assertThatThrownBy(cursors::clients).hasMessageContaining("cursor set shop --time");
    }
}
