package io.sluice.mysql.wire.error;

import java.io.IOException;

/**
 * Thrown if the server sent bytes that violate the protocol, or a packet beyond the limit. The connection is of no use any more.
 *
 * <p>Whatever bytes come, reading them ends in a result, in this exception, or in another {@link IOException}.
 */
public class MalformedPacketException extends IOException {
    /** Makes the exception; the message states what was received, or what else is wrong with it. */
    public MalformedPacketException(String message) {
        super(message);
    }
}
