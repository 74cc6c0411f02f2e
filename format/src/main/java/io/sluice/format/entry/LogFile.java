package io.sluice.format.entry;

import io.sluice.mysql.transaction.Boundary;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the entries of a stretch of a binlog file have in common: the server, the file, the start of their headers, the
 * state of the schema history, and what holds the cursor. Immutable.
 */
public final class LogFile {
    private static final int TAG_VERSION = 0x08;
    private static final int TAG_LOGFILE_NAME = 0x12;

    private final SourceServer source;
    private final String name;
    private final byte[] headerStart;
    private final @Nullable SchemaReference schema;
    private final @Nullable Boundary held;

    /**
     * Names a file of a stream without a schema history.
     *
     * @param source the server, as cursors state it
     * @param name the file's name without a folder
     */
    public LogFile(SourceServer source, String name) {
        this(source, name, headerStart(name), null, null);
    }

    private LogFile(
            SourceServer source,
            String name,
            byte[] headerStart,
            @Nullable SchemaReference schema,
            @Nullable Boundary held) {
        this.source = source;
        this.name = name;
        this.headerStart = headerStart;
        this.schema = schema;
        this.held = held;
    }

    private static byte[] headerStart(String name) {
        ByteWriter start = new ByteWriter(name.length() + 8);
        start.writeByte(TAG_VERSION);
        start.writeByte(1);
        ProtobufFields.writeString(start, TAG_LOGFILE_NAME, name.getBytes(StandardCharsets.UTF_8));
        return start.toByteArray();
    }

    /** The same file after another row of the schema history was written; null if there is no history. */
    public LogFile withSchema(@Nullable SchemaReference newest) {
        return new LogFile(source, name, headerStart, newest, held);
    }

    /** The same file with the boundary that reading must resume at after each of its events; null for the one after the event. */
    public LogFile withHeld(@Nullable Boundary boundary) {
        return new LogFile(source, name, headerStart, schema, boundary);
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

    /** The first two fields of a protobuf header: version and file name. */
    byte[] headerStart() {
        return headerStart;
    }
}
