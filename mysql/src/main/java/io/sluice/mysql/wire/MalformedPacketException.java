package io.sluice.mysql.wire;

import java.io.IOException;

/**
 * The server sent bytes that are not the protocol, or more than we agreed to take. The connection is of no use any more.
 *
 * <p>Whatever bytes come, reading them ends in a result, in this exception, or in another {@link IOException}.
 */
public final class MalformedPacketException extends IOException {
    MalformedPacketException(String message) {
        super(message);
    }
}
