package io.sluice.stream.mapping;

import io.sluice.format.entry.LogFile;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.SourceServer;
import io.sluice.stream.event.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Table maps of INT or TEXT columns, and the ends of statements, as if a server had sent them. */
final class TableEvents {
    static final FormatDescription FORMAT = new FormatDescription("8.0.31", false, 6, false);
    private static final int INT = 3;
    private static final int BLOB = 252;
    private static final int DEFAULT_CHARSET = 2;

    private final TableMappings tables;
    private final Event event = new Event(new LogFile(SourceServer.at("localhost", 3306), "binlog.000001"));
    private final ByteWriter body = new ByteWriter(64);
    private FormatDescription format = FORMAT;

    TableEvents(TableMappings tables) {
        this.tables = tables;
    }

    /** Sets what has written the events from now on. */
    void writtenBy(String serverVersion) {
        format = new FormatDescription(serverVersion, false, 6, false);
    }

    /** A table map; the event begins at {@code from} in its array. */
    void map(long id, String schema, String table, int columns, int from) throws IOException {
        begin(id, schema, table, columns);
        for (int i = 0; i < columns; i++) {
            body.writeByte(INT);
        }
        body.writeByte(0);
        for (int i = 0; i < columns; i += 8) {
            body.writeByte(0xFF);
        }
        accept(from);
    }

    /**
     * A table map of columns of any types.
     *
     * @param types their codes
     * @param metadata of all of them
     * @param optional what follows the bitmap of the columns that may be NULL
     */
    void map(long id, String schema, String table, byte[] types, byte[] metadata, byte[] optional) throws IOException {
        begin(id, schema, table, types.length);
        body.write(types);
        body.writeByte(metadata.length);
        body.write(metadata);
        body.write(new byte[(types.length + 7) / 8]);
        body.write(optional);
        accept(0);
    }

    /**
     * A table map of one TEXT column.
     *
     * @param collation the id that the table map states; 0 if it states none
     */
    void textMap(long id, String schema, String table, int collation) throws IOException {
        begin(id, schema, table, 1);
        body.writeByte(BLOB);
        body.writeByte(1);
        body.writeByte(2); // bytes of a length
        body.writeByte(0xFF);
        if (collation != 0) {
            body.writeByte(DEFAULT_CHARSET);
            body.writeByte(1);
            body.writeByte(collation);
        }
        accept(0);
    }

    private void begin(long id, String schema, String table, int columns) {
        body.clear();
        writeId(id);
        body.write(new byte[2]);
        text(schema);
        text(table);
        body.writeByte(columns);
    }

    private void accept(int from) throws IOException {
        int length = EventHeader.LENGTH + body.size();
        ByteBuffer bytes = ByteBuffer.allocate(from + length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(from);
        bytes.putInt(1_700_000_000)
                .put((byte) EventCode.TABLE_MAP)
                .putInt(1)
                .putInt(length)
                .putInt(4 + length)
                .putShort((short) 0)
                .put(body.array(), 0, body.size());
        event.open(bytes.array(), from, length);
        tables.accept(event, format);
    }

    /** A rows event, the last one of its statement or not. */
    void rows(long id, boolean endsStatement) {
        tables.byId(id);
        if (endsStatement) {
            tables.onStatementEnd();
        }
    }

    private void writeId(long id) {
        for (int i = 0; i < 6; i++) {
            body.writeByte((int) (id >> 8 * i));
        }
    }

    private void text(String text) {
        body.writeByte(text.length());
        body.write(text.getBytes(StandardCharsets.US_ASCII));
        body.writeByte(0);
    }
}
