package io.sluice.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.value.ColumnDeclaration;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowImagesTest {
    /**
     * The unused bits after the last column's are set in both bitmaps. From MySQL 8.0.31, with {@code binlog_row_image=NOBLOB}:
     *
     * <pre>
     *   create table pair (v varchar(9), a int, z varchar(8), seq int, t text, b blob, primary key (a, z));
     *   insert into pair (a, z, seq, t) values (0, 'z9', 120, 'some');
     *   insert into pair (a, z, seq) values (0, 'z9', 0) on duplicate key update seq = 122, v = 'dup';
     * </pre>
     */
    @Test
    void unusedBitsAreNoColumns() {
        MappedTable table = table(
                ColumnCode.VARCHAR,
                ColumnCode.LONG,
                ColumnCode.VARCHAR,
                ColumnCode.LONG,
                ColumnCode.BLOB,
                ColumnCode.BLOB);

        String message =
                flat(table, "06 cf ff 01 00000000 027a39 78000000 20 03647570 00000000 027a39 7a000000 0400736f6d65");

        assertThat(message)
                .contains(
                        "\"data\":[{\"c0\":\"dup\",\"c1\":\"0\",\"c2\":\"z9\",\"c3\":\"122\",\"c4\":\"some\",\"c5\":null}]")
                .contains("\"old\":[{\"c0\":null,\"c3\":\"120\"}]");
    }

    /** Of nine columns, five are in the image before, so one byte says which are NULL, and not two. */
    @Test
    void unusedBitsHaveNoNullBits() {
        int[] types = new int[9];
        Arrays.fill(types, ColumnCode.TINY);

        String message = flat(table(types), "09 1ffe ffff 02 01030405 0000 000102030405060708");

        assertThat(message).contains("\"old\":[{\"c0\":\"1\",\"c1\":null,\"c2\":\"3\",\"c3\":\"4\",\"c4\":\"5\"");
    }

    private static MappedTable table(int... types) {
        int[] metadata = new int[types.length];
        for (int i = 0; i < types.length; i++) {
            metadata[i] = types[i] == ColumnCode.VARCHAR ? 20 : types[i] == ColumnCode.BLOB ? 2 : 0;
        }
        TableMap map = new TableMap(7, "rnd", "pair", types, metadata, new boolean[types.length], null);
        List<MappedColumn> columns = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            ColumnDeclaration column = new ColumnDeclaration("c" + i, "blob", false, null);
            columns.add(new MappedColumn(
                    column.name(),
                    column.mysqlType(),
                    false,
                    ColumnTypes.defaults(ZoneOffset.UTC).of(map, i, column)));
        }
        return new MappedTable("rnd", "pair", columns);
    }

    private static String flat(MappedTable table, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        Origin origin = new Origin(
                new LogFile(SourceServer.at("localhost", 3306), "binlog.000001"), 4, 1, 1_000, 40, 2, null, false);
        RowsEntry entry = new RowsEntry(
                origin, EventType.UPDATE, table, 7, EventBytes.of(bytes), 0, bytes.length, null, 0, RowRules.DEFAULT);
        ByteWriter out = new ByteWriter(64);
        Encodings.writeFlat(entry, out, 1, 2);
        return new String(out.array(), 0, out.size(), StandardCharsets.UTF_8);
    }
}
