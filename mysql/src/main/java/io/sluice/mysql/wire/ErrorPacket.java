package io.sluice.mysql.wire;

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
 */
record ErrorPacket(int errno, String sqlState, String message) {
    static final int HEADER = 0xFF;

    private static final String GENERAL_SQL_STATE = "HY000";

    static ErrorPacket decode(Payload payload) throws MalformedPacketException {
        payload.skip(1);
        int errno = payload.readInt2();
        String sqlState = GENERAL_SQL_STATE;
        if (payload.remaining() > 0 && payload.peek() == '#') {
            payload.skip(1);
            sqlState = payload.readText(5);
        }
        return new ErrorPacket(errno, sqlState, payload.readTextToEnd());
    }

    /**
     * The exception for this error.
     *
     * @param doing what we wanted and where
     * @param advice what an operator can do; empty for none
     */
    ServerErrorException toException(String doing, String advice) {
        return new ServerErrorException(doing, errno, sqlState, message, advice);
    }
}
