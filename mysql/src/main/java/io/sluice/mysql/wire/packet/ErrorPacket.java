package io.sluice.mysql.wire.packet;

import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ServerErrorException;

/**
 * Decodes an error packet. Page <em>ERR_Packet</em> of MySQL's source code documentation.
 *
 * <pre>
 *   0      1        3     4       9
 *   +------+--------+-----+-------+-----------------+
 *   | 0xFF | errno  | '#' | SQL   | message, to end |
 *   |      | u16 LE |     | state |                 |
 *   +------+--------+-----+-------+-----------------+
 * </pre>
 *
 * <p>'#' and the SQL state are missing if the error comes instead of the greeting.
 *
 * @param errno MySQL's error number, 0 to 65535
 * @param sqlState five characters; {@code HY000} if the server sent none
 * @param message the server's words; may be empty. Of more than {@value #MAX_MESSAGE_BYTES} bytes, the first ones and an ellipsis
 */
public record ErrorPacket(int errno, String sqlState, String message) {
    /** The first byte of an error packet, where another kind of answer could come. */
    public static final int HEADER = 0xFF;

    /** MySQL and MariaDB send 511 bytes at most; what is beyond comes from something else, and is shown to users as often as it fails. */
    static final int MAX_MESSAGE_BYTES = 2048;

    private static final String GENERAL_SQL_STATE = "HY000";

    /**
     * Reads a payload that starts with {@link #HEADER}, to its end.
     *
     * @throws MalformedPacketException if it is cut short
     */
    public static ErrorPacket decode(Payload payload) throws MalformedPacketException {
        payload.skip(1);
        int errno = payload.readInt2();
        String sqlState = GENERAL_SQL_STATE;
        if (payload.remaining() > 0 && payload.peek() == '#') {
            payload.skip(1);
            sqlState = payload.readText(5);
        }
        return new ErrorPacket(errno, sqlState, payload.readTextToEnd(MAX_MESSAGE_BYTES));
    }

    /**
     * The exception for this error.
     *
     * @param doing what was requested and where
     * @param advice what an operator can do; empty for none
     */
    public ServerErrorException toException(String doing, String advice) {
        return new ServerErrorException(doing, errno, sqlState, message, advice);
    }
}
