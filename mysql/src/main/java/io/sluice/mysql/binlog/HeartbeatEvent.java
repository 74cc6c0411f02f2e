package io.sluice.mysql.binlog;

import java.nio.charset.StandardCharsets;

/**
 * A {@code HEARTBEAT_EVENT}, or since MySQL 8.0.26 a {@code HEARTBEAT_EVENT_V2}: the source has sent everything up to a position.
 *
 * <pre>
 *   +-------------------+         +-------+---------------+-------+
 *   | file name, to end |         | type  | length        | value |   of fields: 1 the file's name, 2 the offset,
 *   +-------------------+         | u8    | packed number |       |   a packed number; 0 ends them
 *                                 +-------+---------------+-------+
 * </pre>
 *
 * <p>The first kind has the offset in its header, where it is cut to 32 bits. Source: MySQL's source code documentation,
 * "Heartbeat_event_v2".
 *
 * @param offset in bytes
 */
public record HeartbeatEvent(String file, long offset) {
    private static final int END = 0;
    private static final int FILE = 1;
    private static final int OFFSET = 2;

    /** Decodes the event without header and checksum. */
    public static HeartbeatEvent decode(EventHeader header, EventBody body) {
        if (header.code() == EventCode.HEARTBEAT) {
            return new HeartbeatEvent(body.readAsciiToEnd(), header.nextOffset());
        }
        String file = "";
        long offset = 0;
        while (body.remaining() > 0) {
            int type = body.readByte();
            if (type == END) {
                break;
            }
            EventBody value = body.slice(body.readPackedLong());
            if (type == FILE) {
                file = value.readText(value.remaining(), StandardCharsets.US_ASCII);
            } else if (type == OFFSET) {
                offset = value.readPackedLong();
            }
        }
        return new HeartbeatEvent(file, offset);
    }
}
