package io.sluice.format.entry;

import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import org.jspecify.annotations.Nullable;

/**
 * What the entries of a stretch of a binlog file have in common: the server, the file, the state of
 * the schema history, and what holds the cursor. Immutable.
 */
public final class LogFile {
    private final SourceServer source;
    private final String name;
    private final @Nullable SchemaReference schema;
    private final @Nullable Boundary held;
    private final long begunSeconds;

    /**
     * Names a file of a stream without a schema history.
     *
     * @param source the server, as cursors state it
     * @param name the file's name without a folder
     */
    public LogFile(SourceServer source, String name) {
        this(source, name, null, null, 0);
    }

    private LogFile(
            SourceServer source,
            String name,
            @Nullable SchemaReference schema,
            @Nullable Boundary held,
            long begunSeconds) {
        this.source = source;
        this.name = name;
        this.schema = schema;
        this.held = held;
        this.begunSeconds = begunSeconds;
    }

    /** Returns a copy with the given newest row of the schema history; null if there is no history. */
    public LogFile withSchema(@Nullable SchemaReference newest) {
        return new LogFile(source, name, newest, held, begunSeconds);
    }

    /** Returns a copy with the boundary that reading must resume at after each of its events; null for the one after the event. */
    public LogFile withHeld(@Nullable Boundary boundary) {
        return new LogFile(source, name, schema, boundary, begunSeconds);
    }

    /** Returns a copy with the time at which the file was begun, in seconds since the epoch; 0 if it is not known. */
    public LogFile withBegun(long seconds) {
        return new LogFile(source, name, schema, held, seconds);
    }

    /** When it was begun, in seconds since the epoch; 0 if that is not known. */
    public long begunSeconds() {
        return begunSeconds;
    }

    /**
     * The boundary that reading must resume at, since a transaction before is not decided; null if it can resume after each
     * transaction.
     */
    public @Nullable Boundary held() {
        return held;
    }

    /** The newest row of the schema history; null if there is no history. */
    public @Nullable SchemaReference schema() {
        return schema;
    }

    public String name() {
        return name;
    }

    public SourceServer source() {
        return source;
    }
}
