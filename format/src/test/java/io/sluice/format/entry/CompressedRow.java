package io.sluice.format.entry;

import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.MappedTable;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;

/** An insert of one row into {@code shop.documents (text longtext compressed)} of MariaDB. */
public final class CompressedRow {
    private static final int LENGTH_BYTES = 4;
    private static final int ZLIB_WITH_LENGTH = 0x84;

    /** Of other events, which follow in its array. */
    private static final int CHUNK_BYTES = 1 << 17;

    private CompressedRow() {}

    /** A row of a value of so many bytes that is damaged, which is noticed as soon as it is unpacked. */
    public static RowsEntry damaged(int bytes) {
        return row("utf8mb4", bytes, new byte[bytes / 1000]);
    }

    /** A row of a value that states more bytes than its bytes can be. */
    public static RowsEntry impossible() {
        return row("utf8mb4", 100_000_000, new byte[1]);
    }

    /** A row of a value of these bytes in a character set. */
    public static RowsEntry of(String charset, byte[] value) {
        Deflater deflater = new Deflater();
        deflater.setInput(value);
        deflater.finish();
        byte[] data = new byte[value.length + 64];
        int length = deflater.deflate(data);
        deflater.end();
        return row(charset, value.length, Arrays.copyOf(data, length));
    }

    private static RowsEntry row(String charset, int bytes, byte[] data) {
        TableMap map = new TableMap(
                7,
                "shop",
                "documents",
                new int[] {ColumnCode.MARIADB_BLOB_COMPRESSED},
                new int[] {LENGTH_BYTES},
                null,
                null);
        ColumnDeclaration declared = new ColumnDeclaration("text", "longtext", false, charset);
        MappedColumn column = new MappedColumn(
                "text", "longtext", false, ColumnTypes.defaults(ZoneOffset.UTC).of(map, 0, declared));
        ByteWriter body = new ByteWriter(64);
        body.write(new byte[] {1, 1, 0}); // the number of columns, those that there are, those that are NULL
        int length = 1 + Integer.BYTES + data.length;
        for (int i = 0; i < LENGTH_BYTES; i++) {
            body.writeByte(length >> 8 * i);
        }
        body.writeByte(ZLIB_WITH_LENGTH);
        for (int i = Integer.BYTES - 1; i >= 0; i--) {
            body.writeByte(bytes >> 8 * i);
        }
        body.write(data);
        LogFile file = new LogFile(SourceServer.at("db", 3306), "binlog.000001");
        return new RowsEntry(
                new Origin(file, 4, 9, 1_000, 40, 2, null, false),
                EventType.INSERT,
                new MappedTable("shop", "documents", List.of(column)),
                7,
                EventBytes.of(Arrays.copyOf(body.array(), body.size() + CHUNK_BYTES)),
                0,
                body.size(),
                null,
                0,
                RowRules.DEFAULT);
    }
}
