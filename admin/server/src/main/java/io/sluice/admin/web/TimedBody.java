package io.sluice.admin.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Reads the body of a request within a time limit, however its bytes are spread over that time.
 *
 * @param clock measures the time from the first read on
 * @param longest how long all reads may take together; the last of them may exceed it by the timeout of a connection
 * @param kept how many bytes are returned at most; the rest is read and discarded
 * @param most how many bytes a body may have
 */
record TimedBody(Clock clock, Duration longest, int kept, long most) {
    private static final int CHUNK_BYTES = 8192;

    /** The body did not arrive within the time limit. */
    static final class TooSlowException extends IOException {
        private static final long serialVersionUID = 1L;

        TooSlowException() {
            super("the body did not arrive in time");
        }
    }

    /**
     * Reads to the end of the body.
     *
     * @throws BodyLimitFilter.TooLargeException if it is larger than it may be
     * @throws IOException if the time is over, or the connection broke or was silent for too long
     */
    byte[] read(InputStream in) throws IOException {
        Instant end = clock.instant().plus(longest);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK_BYTES];
        long count = 0;
        while (true) {
            int read = in.read(chunk, 0, CHUNK_BYTES);
            if (read < 0) {
                return body.toByteArray();
            }
            count += read;
            if (count > most) {
                throw new BodyLimitFilter.TooLargeException(
                        most); // what is left would be waited for when the request has been answered
            }
            body.write(chunk, 0, Math.min(read, kept - body.size()));
            if (clock.instant().isAfter(end)) {
                throw new TooSlowException();
            }
        }
    }
}
