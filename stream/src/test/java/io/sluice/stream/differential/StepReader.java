package io.sluice.stream.differential;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.LiveSource;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads what is delivered of each step, with a schema history that is as old as the first one. */
final class StepReader implements AutoCloseable {
    private static final RingConfig RING = new RingConfig(1 << 14, 1 << 12, false);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MySqlServer server;
    private final Path folder;
    private final BinlogPosition start;
    private LiveSource source;
    private Cursor cursor;

    /**
     * Begins to read at the end of the binlog.
     *
     * @param folder for the schema history
     */
    StepReader(MySqlServer server, Path folder) throws InterruptedException {
        this.server = server;
        this.folder = folder;
        BinlogEnd end = server.binlogEnd();
        start = new BinlogPosition(end.file(), end.offset());
        resume();
        while (source.readings().isEmpty() && source.failure() == null) {
            source.next();
        }
        cursor = source.cursor();
    }

    /** Stops; {@link #resume} continues at the last step that was read. */
    void pause() {
        if (source != null) {
            source.close();
            source = null;
        }
    }

    void resume() {
        HistoryConfig history = new HistoryConfig(
                "differential",
                HistoryLocation.parse("jdbc:h2:h2", folder),
                "canal",
                "canal",
                Duration.ofHours(24),
                Duration.ofHours(360));
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", "");
        source = LiveSource.reading(LiveSource.options(login, start), RING)
                .schema(new SchemaOptions(history, null))
                .from(cursor)
                .start();
    }

    /**
     * Reads the entries of rows of a step.
     *
     * @throws AssertionError if the source stopped, or delivers nothing more
     */
    List<Entry> read(ExecutedStep step) throws InterruptedException {
        List<Entry> entries = new ArrayList<>(source.readUntil(entry -> Stage.isMark(entry, step.mark()), PATIENCE));
        List<Entry> rest = source.readUntil(entry -> entry.kind() == EntryKind.END, PATIENCE);
        Cursor reached = rest.get(rest.size() - 1).cursor();
        cursor = reached == null ? cursor : reached;
        entries.removeIf(entry -> entry.kind() != EntryKind.ROWS || Stage.isOfMarks(entry));
        return entries;
    }

    @Override
    public void close() {
        pause();
    }
}
