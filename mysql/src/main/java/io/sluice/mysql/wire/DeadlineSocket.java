package io.sluice.mysql.wire;

import io.sluice.protocol.time.Time;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A TCP socket whose reads have a deadline together. A read timeout alone never ends a server that sends a byte every few seconds; also not under TLS, whose records
 * take many reads, and come over the stream of this socket.
 *
 * <p>For one thread, but for {@link #close}.
 */
final class DeadlineSocket extends Socket {
    /** Thrown if the deadline is over. */
    static final class DeadlineException extends SocketTimeoutException {
        private static final long serialVersionUID = 1L;

        private DeadlineException(Duration limit) {
            super("answer is not complete after %d ms".formatted(limit.toMillis()));
        }
    }

    private final Time time;
    private Duration readTimeout = Duration.ZERO;
    private @Nullable Duration limit;
    private long deadlineNanos;
    private @Nullable InputStream in;

    DeadlineSocket(Time time) {
        this.time = time;
    }

    /** Changes how long each read waits; zero is without limit. */
    void changeReadTimeout(Duration timeout) throws IOException {
        setSoTimeout(millis(timeout));
        readTimeout = timeout;
    }

    /** Lets all reads from now on take so long together. */
    void begin(Duration limitOfAll) {
        limit = limitOfAll;
        deadlineNanos = time.nanos() + limitOfAll.toNanos();
    }

    /** Lets reads take as long as their timeout again. */
    void end() throws IOException {
        if (limit != null) {
            limit = null;
            setSoTimeout(millis(readTimeout));
        }
    }

    /** Converts a timeout; a fraction of a millisecond does not become 0, which waits without limit. */
    static int millis(Duration timeout) {
        return timeout.isZero() ? 0 : (int) Math.max(1, Math.min(timeout.toMillis(), Integer.MAX_VALUE));
    }

    @Override
    public InputStream getInputStream() throws IOException {
        InputStream own = in;
        if (own == null) {
            own = new Reads(super.getInputStream());
            in = own;
        }
        return own;
    }

    private final class Reads extends FilterInputStream {
        private final byte[] one = new byte[1];

        private Reads(InputStream of) {
            super(of);
        }

        @Override
        public int read() throws IOException {
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            Duration all = limit;
            if (all == null) {
                return in.read(to, offset, length);
            }
            Duration left = Duration.ofNanos(deadlineNanos - time.nanos());
            if (left.isNegative() || left.isZero()) {
                throw new DeadlineException(all);
            }
            boolean isLast = readTimeout.isZero() || left.compareTo(readTimeout) < 0;
            setSoTimeout(millis(isLast ? left : readTimeout));
            try {
                return in.read(to, offset, length);
            } catch (SocketTimeoutException e) {
                if (isLast) {
                    DeadlineException over = new DeadlineException(all);
                    over.initCause(e);
                    throw over;
                }
                throw e;
            }
        }
    }
}
