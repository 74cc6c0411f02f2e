package io.sluice.server.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.Cursor;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.file.FileCursorEditor;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.testkit.mysql.MySqlServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Moves of cursors whose positions are looked for in the binlog of a source. */
@Timeout(600)
class InstanceCursorsIT {
    private static final int ONE = 1001;
    private static final int OTHER = 1002;

    /** Positions between transactions, each after the one before. */
    private static final List<Cursor> POSITIONS = new ArrayList<>();

    private static MySqlServer mysql;

    @TempDir
    Path home;

    private FileCursorEditor editor;
    private InstanceCursors cursors;

    @BeforeAll
    static void start() throws Exception {
        mysql = MySqlServer.start();
        try (BinlogBoundaries boundaries =
                BinlogBoundaries.open(ConnectOptions.of(new ServerAddress(mysql.host(), mysql.port()), "root", ""))) {
            mysql.execute("create database shop", "create table shop.item (id int primary key)");
            POSITIONS.add(boundaries.newest());
            for (int id = 1; id <= 3; id++) {
                mysql.execute("insert into shop.item values (" + id + ")");
                POSITIONS.add(boundaries.newest());
            }
        }
    }

    @AfterAll
    static void stop() {
        mysql.close();
    }

    @BeforeEach
    void configure() throws Exception {
        Path server = home.resolve("canal.properties");
        Files.writeString(server, """
                canal.serverMode = tcp
                canal.ip = 127.0.0.1
                canal.destinations = shop
                canal.instance.master.address = %s:%d
                canal.instance.dbUsername = root
                canal.instance.dbPassword =
                canal.file.data.dir = %s
                """.formatted(mysql.host(), mysql.port(), home));
        Files.createDirectories(home.resolve("shop"));
        Configuration configuration = ConfigLoader.load(server, home, Environment.ofThisProcess(), ProducerCheck.NONE);
        editor = new FileCursorEditor(home, "shop");
        cursors = new InstanceCursors(configuration.instances().get(0), editor, Optional.empty());
    }

    private static CursorTarget at(int index) {
        Cursor position = POSITIONS.get(index);
        return new CursorTarget.At(
                position.position().file(), position.position().offset());
    }

    private static Subscription client(int id, int index) {
        return new Subscription(id, "", POSITIONS.get(index));
    }

    private long offset(int id) {
        return editor.read().stream()
                .filter(client -> client.clientId() == id)
                .findFirst()
                .orElseThrow()
                .cursor()
                .position()
                .offset();
    }

    private static long offsetAt(int index) {
        return POSITIONS.get(index).position().offset();
    }

    /** By another command, or by the instance that was started for a moment. */
    @Test
    void cursorsThatChangeWhileThePositionIsLookedForStayAsTheyAre() {
        editor.replace(List.of(client(ONE, 0)), Set.of());

        assertThatThrownBy(() -> cursors.move(ONE, at(1), false, false, () -> {
                    editor.replace(List.of(client(ONE, 2)), Set.of());
                    return false;
                }))
                .isInstanceOf(CursorRejectedException.class)
                .hasMessageContaining("the cursors of shop have changed while the position was looked for");

        assertThat(offset(ONE)).isEqualTo(offsetAt(2));
    }

    /** The smallest of all cursors, at which the next start is, stays where it is. */
    @Test
    void onlyBackComparesWithTheClientsOwnCursorThoughTheNextStartDoesNotChange() throws Exception {
        editor.replace(List.of(client(ONE, 0), client(OTHER, 1)), Set.of());

        assertThatThrownBy(() -> cursors.move(OTHER, at(2), true, false))
                .isInstanceOf(CursorRejectedException.class)
                .hasMessageContaining("that is ahead of the cursor, and would skip 1 transactions");
        assertThat(offset(OTHER)).isEqualTo(offsetAt(1));

        assertThat(cursors.move(OTHER, at(2), false, false))
                .contains("the next start does not change, so nothing is skipped or sent again");
        assertThat(offset(OTHER)).isEqualTo(offsetAt(2));
        assertThat(cursors.move(OTHER, at(1), true, false))
                .contains("the next start does not change, so nothing is skipped or sent again");
        assertThat(offset(OTHER)).isEqualTo(offsetAt(1));
        assertThat(offset(ONE)).isEqualTo(offsetAt(0));
    }
}
