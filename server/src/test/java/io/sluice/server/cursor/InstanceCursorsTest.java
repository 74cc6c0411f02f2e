package io.sluice.server.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.CursorJson;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.store.cursor.CursorEditor;
import io.sluice.store.cursor.ReadableClients;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.file.FileCursorEditor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstanceCursorsTest {
    private static final Cursor CURSOR =
            new Cursor("localhost", 3306, new BinlogPosition("mysql-bin.000001", 1234), "", 1, 1700000000000L);

    @TempDir
    Path home;

    private Configuration configuration;
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
        configuration = ConfigLoader.load(server, home, Environment.ofThisProcess(), ProducerCheck.NONE);
        file = Files.createDirectories(home.resolve("shop")).resolve("meta.dat");
        Files.writeString(file, "torn");
        cursors = new CursorAdmin(configuration, Optional.empty()).of("shop");
    }

    @Test
    void aDamagedFileIsReplacedByAPosition() throws Exception {
        List<String> lines = cursors.move(new PlannedMove(1001, null, CURSOR, true, "there was no cursor"));

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

    /** Nodes that are not there do not say so, since ZooKeeper may have lost them. */
    @Test
    void whatBeginsAnInstanceIsToldWhenTheLastClientIsDeletedFromZooKeeper() throws Exception {
        Path server = home.resolve("canal.properties");
        Files.writeString(
                server,
                Files.readString(server) + "canal.zkServers = zk:2181\n"
                        + "canal.instance.global.spring.xml = classpath:spring/default-instance.xml\n"
                        + "canal.instance.tsdb.enable = false\n");
        configuration = ConfigLoader.load(server, home, Environment.ofThisProcess(), ProducerCheck.NONE);
        PartlyDamaged nodes = new PartlyDamaged(new ReadableClients(List.of(HEALTHY), List.of(), false, false));

        assertThat(of(nodes).delete(1002, false))
                .anyMatch(line -> line.contains("cursor_lost") && line.contains("cursor set shop --to newest"));
    }

    @Test
    void aDamagedFileIsReplacedByWhatWasBeforeTheLastChange() throws Exception {
        cursors.move(new PlannedMove(1001, null, CURSOR, true, "there was no cursor"));
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
        cursors.move(new PlannedMove(1001, null, CURSOR, true, "there was no cursor"));
        Files.writeString(
                file,
                Files.readString(file)
                        .replace(
                                CursorJson.toNode(CURSOR).toString(),
                                CursorJson.toNode(first).toString()));

        cursors.move(new PlannedMove(1001, first, onTheSame, true, "nothing is between them"));
        assertThat(moved()).isEqualTo(onTheSame.withSchema(first.schema()));
        cursors.move(new PlannedMove(1001, moved(), onAnother, true, "nothing is between them"));

        Cursor unknown = onAnother.withSchema(new SchemaReference("h", 5, BinlogPosition.UNKNOWN));
        assertThat(moved()).isEqualTo(unknown);
        cursors.move(new PlannedMove(1001, moved(), onTheSame, true, "nothing is between them"));
        assertThat(moved()).isEqualTo(onTheSame.withSchema(unknown.schema()));
    }

    @Test
    void aMoveAfterAResetOfTheBinlogKeepsNoPositionOfTheOneBefore() throws Exception {
        Cursor first =
                of("one", 1234).withSchema(new SchemaReference("h", 5, new BinlogPosition("mysql-bin.000001", 1234)));
        cursors.move(new PlannedMove(1001, null, first, true, "there was no cursor"));
        Files.writeString(
                file,
                Files.readString(file)
                        .replace(
                                CursorJson.toNode(moved()).toString(),
                                CursorJson.toNode(first).toString()));

        cursors.move(new PlannedMove(1001, first, of("one", 1234), false, "nothing is between them"));

        assertThat(moved().schema()).isEqualTo(new SchemaReference("h", 5, BinlogPosition.UNKNOWN));
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

    /** As in ZooKeeper, where each client has nodes of its own. */
    private final class PartlyDamaged implements CursorEditor {
        private final ReadableClients readable;
        private List<Subscription> wanted = List.of();
        private Set<Integer> untouched = Set.of();
        private boolean isReplaced;

        PartlyDamaged(ReadableClients readable) {
            this.readable = readable;
        }

        @Override
        public String location() {
            return "the nodes";
        }

        @Override
        public String damagedPlace() {
            return "the node damaged";
        }

        @Override
        public List<Subscription> read() {
            return new FileCursorEditor(home, "shop").read(); // which is damaged
        }

        @Override
        public ReadableClients readable() {
            return readable;
        }

        @Override
        public Optional<List<Subscription>> previous() {
            return Optional.of(List.of());
        }

        @Override
        public void replace(List<Subscription> clients, Set<Integer> untouchedIds) {
            wanted = clients;
            untouched = untouchedIds;
            isReplaced = true;
        }
    }

    private static final Subscription HEALTHY = new Subscription(1002, "b", CURSOR);
    private static final Subscription DAMAGED = new Subscription(1001, "a", null);

    private InstanceCursors of(CursorEditor editor) {
        return new InstanceCursors(configuration.instances().get(0), editor, Optional.empty());
    }

    /** It may have been started since the move was planned, and writes its own cursors. */
    @Test
    void nothingIsChangedWhileTheInstanceRunsNotEvenAsPlanned() {
        PartlyDamaged nodes = new PartlyDamaged(new ReadableClients(List.of(HEALTHY), List.of(), false, false));
        InstanceCursors running =
                new InstanceCursors(configuration.instances().get(0), nodes, Optional.of("another server"));

        assertThatThrownBy(() ->
                        running.move(new PlannedMove(1002, CURSOR, of("one", 2000), true, "nothing is between them")))
                .isInstanceOf(CursorRejectedException.class)
                .hasMessageContaining("another server runs shop");
        assertThatThrownBy(() -> running.delete(1002, false)).isInstanceOf(CursorRejectedException.class);
        assertThatThrownBy(() -> running.restore(false)).isInstanceOf(CursorRejectedException.class);

        assertThat(nodes.isReplaced).isFalse();
    }

    @Test
    void theOtherClientsAreKeptWhenADamagedOneIsMoved() throws Exception {
        PartlyDamaged nodes = new PartlyDamaged(new ReadableClients(
                List.of(HEALTHY), List.of(DAMAGED, new Subscription(1003, "", null)), false, false));

        List<String> lines = of(nodes).move(new PlannedMove(1001, null, CURSOR, true, "there was no cursor"));

        assertThat(nodes.wanted).containsExactlyInAnyOrder(HEALTHY, new Subscription(1001, "a", CURSOR));
        assertThat(nodes.untouched).containsExactly(1003);
        assertThat(lines)
                .contains(
                        "the cursors of these clients are damaged: 1001, 1003; a copy of what is there is the node damaged")
                .contains(
                        "the instance does not start before the cursors of these clients are set or deleted, too: 1003")
                .noneMatch(line -> line.contains("none of its clients"));
    }

    /** Else the instance would be a new one, and begin at the end of the binlog. */
    @Test
    void aDamagedClientStaysWhenAnotherOneIsDeleted() throws Exception {
        PartlyDamaged nodes = new PartlyDamaged(new ReadableClients(List.of(HEALTHY), List.of(DAMAGED), false, false));

        List<String> lines = of(nodes).delete(1002, false);

        assertThat(nodes.wanted).isEmpty();
        assertThat(nodes.untouched).containsExactly(1001);
        assertThat(lines)
                .contains(
                        "the instance does not start before the cursors of these clients are set or deleted, too: 1001")
                .noneMatch(line -> line.startsWith("the next start is"));
    }

    @Test
    void aDamagedClientCanBeDeleted() throws Exception {
        PartlyDamaged nodes = new PartlyDamaged(new ReadableClients(List.of(HEALTHY), List.of(DAMAGED), false, false));

        List<String> lines = of(nodes).delete(1001, false);

        assertThat(nodes.wanted).containsExactly(HEALTHY);
        assertThat(nodes.untouched).isEmpty();
        assertThat(lines).anyMatch(line -> line.startsWith("the next start is at the smallest of: "));
        assertThatThrownBy(() -> of(nodes).delete(1004, false))
                .isInstanceOf(CursorRejectedException.class)
                .hasMessageContaining("there is no client 1004");
    }

    @Test
    void allClientsAreKeptWhenOnlyTheOrderOfTheirFiltersIsDamaged() throws Exception {
        PartlyDamaged nodes = new PartlyDamaged(new ReadableClients(List.of(HEALTHY), List.of(), true, false));

        List<String> lines = of(nodes).move(new PlannedMove(1002, CURSOR, CURSOR, true, "nothing is between them"));

        assertThat(nodes.wanted).containsExactly(HEALTHY);
        assertThat(lines).anyMatch(line -> line.startsWith("the order of the filters is damaged"));
    }

    @Test
    void theNextStartIsAtTheSmallestCursorOfAllClients() throws Exception {
        Cursor ahead = of("db", 9000);
        PartlyDamaged nodes = new PartlyDamaged(new ReadableClients(
                List.of(HEALTHY, new Subscription(1001, "", of("db", 2000))), List.of(), false, false));

        List<String> lines = of(nodes).move(new PlannedMove(1001, CURSOR, ahead, true, "nothing is between them"));

        assertThat(lines)
                .contains("nothing is between them")
                .contains("the next start is at the smallest of: client 1002: %s; client 1001: %s"
                        .formatted(CursorText.of(CURSOR), CursorText.of(ahead)));
    }

    @Test
    void aDryRunChangesNothing() throws Exception {
        assertThat(cursors.delete(1001, true)).contains("nothing was changed: dry run");

        assertThat(file).hasContent("torn");
        assertThatThrownBy(cursors::clients).hasMessageContaining("cursor set shop --time");
    }
}
