package io.sluice.stream.reader;

import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.mapping.TableListener;
import io.sluice.stream.options.LargeEventPolicy;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * Applies the DDL of a part of a binlog to table schemas, and ignores everything else: it reads events as a stream does, with a filter that
 * no table passes. For one thread.
 */
public final class DdlReplay implements AutoCloseable {
    private static final String ALL_TABLES = ".*\\..*";
    private static final StreamOptions OPTIONS = StreamOptions.DEFAULT
            .without(EnumSet.allOf(Omitted.class))
            .with(new LargeEventPolicy(Long.MAX_VALUE, true));

    private final EventReader reader;
    private final ChunkBuffers buffers = new ChunkBuffers();

    /**
     * Makes a replay.
     *
     * @param from where the part begins, between two transactions
     * @param executed a set of the source's flavour, with which the GTIDs of statements are followed; null if it has none
     * @param tracker knows the schemas at {@code from}, and gets the DDL
     */
    public DdlReplay(SourceServer server, BinlogPosition from, @Nullable GtidSet executed, SchemaTracker tracker) {
        TableFilter none = new TableFilter(ALL_TABLES, ALL_TABLES);
        this.reader = new EventReader(
                server,
                from,
                executed,
                OPTIONS,
                tracker,
                none,
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
    }

    /** Sets the listener for tables with rows. */
    public void onTable(TableListener listener) {
        reader.onTable(listener);
    }

    /** A listener that is called after some events. */
    @FunctionalInterface
    public interface Progress {
        /** All before {@code reached} was read. */
        void reached(BinlogPosition reached);
    }

    /** Where the next source has to begin: between two transactions, at the beginning of the part or where what was read ends. */
    public BinlogPosition nextPosition() {
        return reader.resumePosition();
    }

    /**
     * Reads a source until all events before a position were read, or until it ends.
     *
     * @param source the events from {@link #nextPosition} on
     * @param checksummed whether events have checksums before the format description states it
     * @return how far it was read; before {@code until} if it ended early, then another source can follow
     * @throws IOException if the source broke, or a statement could not be written to the history; then no other source can follow
     * @throws io.sluice.stream.failure.StreamException if an event cannot be read
     */
    public BinlogPosition run(EventSource source, boolean checksummed, BinlogPosition until, Progress progress)
            throws IOException {
        reader.onReconnect(checksummed, false);
        EventSource part = new Part(source, until);
        BinlogPosition reached = reader.resumePosition();
        boolean more = true;
        while (more && reached.isBefore(until)) {
            Chunk chunk = new Chunk(buffers, reader.expectedChunkBytes());
            more = reader.read(part, chunk);
            chunk.entries().clear();
            chunk.releaseBuffer();
            BinlogPosition read = reader.counters().readTo();
            reached = read == null ? reached : read;
            progress.reached(reached);
        }
        return reached;
    }

    /** Frees what it holds outside of the heap: a binlog with compressed transactions takes some MB. */
    @Override
    public void close() {
        reader.close();
    }

    /** Hides that more events have come once the end of the part is reached: what is after it must not be read. */
    private final class Part implements EventSource {
        private final EventSource source;
        private final BinlogPosition until;

        Part(EventSource source, BinlogPosition until) {
            this.source = source;
            this.until = until;
        }

        @Override
        public int next(ByteWriter out) throws IOException {
            return source.next(out);
        }

        @Override
        public boolean hasRest() {
            return source.hasRest();
        }

        @Override
        public int rest(byte[] to, int at, int most) throws IOException {
            return source.rest(to, at, most);
        }

        @Override
        public boolean hasBuffered() {
            return source.hasBuffered() && reader.position().isBefore(until);
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }
}
