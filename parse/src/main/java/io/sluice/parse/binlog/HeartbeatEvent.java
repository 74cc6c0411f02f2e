package io.sluice.parse.binlog;

import java.nio.charset.StandardCharsets;

/**
 * A {@code HEARTBEAT_LOG_EVENT_V2} of MySQL 8.0.26 and later: how far the source has come, without sending events.
 *
 * <pre>
 *   +--------------------+--------+-------+--------      +----------+
 *   | type: 1 file,      | length | value | ...          | type = 0 |
 *   | 2 offset; lenc     | lenc   |       |              |          |
 *   +--------------------+--------+-------+--------      +----------+
 * </pre>
 *
 * <p>The offset is a packed number, so unlike those in headers it says all of an offset beyond 4 GiB.
 *
 * @param file empty if the event does not say
 * @param offset in bytes; 0 if the event does not say
 */
public record HeartbeatEvent(String file, long offset) {
    private static final int END = 0;
    private static final int FILE = 1;
    private static final int OFFSET = 2;

    /** Decodes the event without header and checksum. */
    public static HeartbeatEvent decode(EventBody body) {
        String file = "";
        long offset = 0;
        while (body.remaining() > 0) {
            long type = body.readPackedLong();
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
