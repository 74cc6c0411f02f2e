package io.sluice.protocol.position;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The position up to which a client has acknowledged everything, as it is stored: reading resumes there.
 *
 * <p>Cursors of this server are at transaction boundaries: {@link #position} is where the next transaction starts, and {@link
 * #gtidSet} has all transactions before it. Cursors of canal are at the start of the event that ends a transaction, or of a
 * DDL, which then counts as acknowledged. One class creates them for a stream; the others read them from a store or are given
 * them by an operator.
 *
 * <p>How the fields are used when reading resumes:
 *
 * <ul>
 *   <li>A server that is {@link #source} is asked for {@link #position}; the position means nothing to any other server. One that has GTIDs is
 *       asked for what is not in {@link #gtidSet}, if that is known. Otherwise reading begins a while before {@link #timestampMillis}.
 *   <li>So the time is not later than the newest event that was read, by the clock of the server that wrote it. With {@link #gtidSet} and {@link
 *       #fileBegunSeconds} it is that of the newest transaction in the set, so that GTIDs that were given again are noticed.
 *   <li>{@link #serverId} belongs to the time, not to the position: the server that is read may be a replica of the one that wrote the event. All that
 *       this server wrote before the time was read, or was not to be read; near the begin of the schema history it is passed over. Of a cursor
 *       that went back by time it is the server that wrote the newest event that had been read.
 *   <li>Rows of a schema history that canal wrote are of the binlog of the position if they have this {@link #serverId}; other rows name their server.
 * </ul>
 *
 * @param source the server
 * @param position the position in its binlog; without a file if only {@link #gtidSet} is known
 * @param gtidSet the executed transactions as the server prints them; empty if they are not known
 * @param serverId the {@code server_id} in the header of the event of {@link #timestampMillis}; 0 if it is not known
 * @param timestampMillis when the newest event before the position was written, or earlier, in milliseconds since the epoch (whole seconds); 0
 *     if it is not known
 * @param schema what of the schema history it relies on; null if that is not known, as in cursors of canal
 * @param fileBegunSeconds when the file of the position was begun, in seconds since the epoch: distinguishes it from another file that got
 *     its name after a reset of the binlog; 0 if that is not known, as in cursors of canal
 */
public record Cursor(
        SourceServer source,
        BinlogPosition position,
        String gtidSet,
        long serverId,
        long timestampMillis,
        @Nullable SchemaReference schema,
        long fileBegunSeconds) {
    public Cursor {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(position, "position");
        Objects.requireNonNull(gtidSet, "gtidSet");
    }

    /** A cursor of which it is not known when its file was begun. */
    public Cursor(
            SourceServer source,
            BinlogPosition position,
            String gtidSet,
            long serverId,
            long timestampMillis,
            @Nullable SchemaReference schema) {
        this(source, position, gtidSet, serverId, timestampMillis, schema, 0);
    }

    /** A cursor of which no schema history is known, and of the server only its address. */
    public Cursor(
            String sourceHost,
            int sourcePort,
            BinlogPosition position,
            String gtidSet,
            long serverId,
            long timestampMillis) {
        this(SourceServer.at(sourceHost, sourcePort), position, gtidSet, serverId, timestampMillis, null);
    }

    /** Returns a copy with the given GTID set, which may be empty. */
    public Cursor withGtidSet(String other) {
        return new Cursor(source, position, other, serverId, timestampMillis, schema, fileBegunSeconds);
    }

    /** Returns a copy that relies on the given row of the schema history; null if it relies on none. */
    public Cursor withSchema(@Nullable SchemaReference other) {
        return new Cursor(source, position, gtidSet, serverId, timestampMillis, other, fileBegunSeconds);
    }

    /** The event of {@link #timestampMillis} and {@link #serverId}. */
    public LastEvent lastEvent() {
        return new LastEvent(timestampMillis, serverId);
    }

    /** The host of the source; empty if canal could not resolve it. */
    public String sourceHost() {
        return source.host();
    }

    /** The TCP port of the source. */
    public int sourcePort() {
        return source.port();
    }
}
