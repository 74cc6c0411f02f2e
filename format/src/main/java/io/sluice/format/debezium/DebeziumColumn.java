package io.sluice.format.debezium;

import io.sluice.format.row.MappedColumn;
import io.sluice.format.value.ColumnType;
import io.sluice.format.value.JsonText;
import io.sluice.mysql.type.TypeFamily;
import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column, as its values are written in the format of Debezium.
 *
 * @param start {@code ,"name":}
 * @param type how its values are read
 * @param form how they are written
 * @param members of an {@code ENUM} or {@code SET}, else none
 * @param minBytes how many bytes each byte string has at least: of a {@code BINARY(n)} all n, of which the binlog lacks the zero bytes
 *     at the end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record DebeziumColumn(byte[] start, ColumnType type, Form form, List<String> members, int minBytes) {
    /** How the values of a column are written. */
    enum Form {
        NUMBER,
        BOOLEAN,
        TEXT,
        BYTES,
        GEOMETRY,
        ENUM,
        SET
    }

    private static final Pattern BINARY =
            Pattern.compile("\\s*(?:binary|char|character)(?:\\((\\d{1,3})\\))?\\s*", Pattern.CASE_INSENSITIVE);

    static DebeziumColumn of(MappedColumn column) {
        ByteWriter start = new ByteWriter(64);
        start.writeByte(',');
        JsonText.writeString(start, column.name());
        start.writeByte(':');
        Form form = formOf(column);
        return new DebeziumColumn(
                start.toByteArray(),
                column.type(),
                form,
                form == Form.ENUM || form == Form.SET ? MemberNames.of(column.mysqlType()) : List.of(),
                form == Form.BYTES ? fixedBytes(column.mysqlType()) : 0);
    }

    private static Form formOf(MappedColumn column) {
        return switch (TypeFamily.of(column.mysqlType())) {
            case ENUM -> Form.ENUM;
            case SET -> Form.SET;
            case GEOMETRY -> Form.GEOMETRY;
            case BIT -> isOneBit(column.mysqlType()) ? Form.BOOLEAN : Form.NUMBER;
            case INTEGER, FLOAT -> Form.NUMBER;
            default -> column.type().sqlType() == Types.BLOB ? Form.BYTES : Form.TEXT;
        };
    }

    /** The n of {@code BINARY(n)}, or of {@code CHAR(n)} whose character set is binary; 0 for other types. */
    private static int fixedBytes(String mysqlType) {
        Matcher type = BINARY.matcher(mysqlType);
        if (!type.matches()) {
            return 0;
        }
        return type.group(1) == null ? 1 : Integer.parseInt(type.group(1));
    }

    private static boolean isOneBit(String mysqlType) {
        int open = mysqlType.indexOf('(');
        return open < 0 || mysqlType.substring(open + 1).strip().startsWith("1)");
    }
}
