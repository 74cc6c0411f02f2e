package io.sluice.mysql.binlog;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A {@code USER_VAR_EVENT}: the value of a user variable that the statement after it uses.
 *
 * <pre>
 *   0             4
 *   +-------------+------+---------+------+-----------+---------------+-------+-------+
 *   | name length | name | is NULL | type | collation | value length  | value | flags |
 *   | u32 LE      |      | u8      | u8   | u32 LE    | u32 LE        |       | u8    |
 *   +-------------+------+---------+------+-----------+---------------+-------+-------+
 * </pre>
 *
 * <p>What follows "is NULL" is there if it is not; flags since MySQL 5.6.
 *
 * @param value null if it is NULL
 */
public record UserVarEvent(String name, @Nullable Value value) {
    public static final int STRING = 0;
    public static final int REAL = 1;
    public static final int INT = 2;
    public static final int DECIMAL = 4;

    private static final int UNSIGNED = 1;

    /**
     * A value as the server keeps it.
     *
     * @param type one of the constants; another one has no meaning
     * @param collation the id of the collation of a string
     * @param bytes text; a number of eight bytes; or precision, scale and a packed decimal
     * @param unsigned whether an integer is
     */
    public record Value(int type, int collation, EventBody bytes, boolean unsigned) {}

    /** Decodes the event without header and checksum. */
    public static UserVarEvent decode(EventBody body) {
        String name = body.readText(body.readInt(), StandardCharsets.UTF_8);
        if (body.readByte() != 0) {
            return new UserVarEvent(name, null);
        }
        int type = body.readByte();
        int collation = (int) body.readInt();
        EventBody bytes = body.slice(body.readInt());
        boolean unsigned = body.remaining() > 0 && (body.readByte() & UNSIGNED) != 0;
        return new UserVarEvent(name, new Value(type, collation, bytes, unsigned));
    }
}
