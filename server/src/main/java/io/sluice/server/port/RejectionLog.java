package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.channel.Channel;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.sluice.protocol.time.Time;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why connections were closed, one line each, with a limit of lines per second, so that misbehaving clients can neither fill the
 * disk nor hide the lines about those of other networks. Thread-safe.
 */
public final class RejectionLog {
    private static final Logger LOG = LoggerFactory.getLogger(RejectionLog.class);
    private static final int LINES_PER_SECOND = 10;

    private static final int REFUSED_IN_A_MINUTE = 2;

    /** Netty's message has all bytes that came. */
    private static final String NO_TLS = "it sent what is no TLS, which this port needs";

    /** Netty's message has the time only. */
    private static final String SILENT = " (a client of canal without TLS waits for a greeting)";

    private final NetworkLineRate rate;
    private final LineRate refused;

    @GuardedBy("this") private long total;

    /** Makes the log of a port. */
    public RejectionLog(Time time) {
        this.rate = new NetworkLineRate(time, LINES_PER_SECOND);
        this.refused = new LineRate(time, REFUSED_IN_A_MINUTE, Duration.ofMinutes(1));
    }

    /** Notes that a connection was closed, and why. */
    public synchronized void closed(@Nullable SocketAddress remote, String why) {
        total++;
        long leftOut = rate.takeLeftOut();
        if (leftOut > 0) {
            LOG.warn("more connections were closed than are listed: not_listed={}", leftOut);
        }
        if (rate.allows(remote instanceof InetSocketAddress inet ? inet.getAddress() : null)) {
            LOG.warn("a connection was closed: remote={} why={}", remote, why);
        }
    }

    /** Notes that a connection was closed, since what its client sent could not be read. The line shows little of that. */
    public void failed(Channel channel, Throwable cause) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null || tls.handshakeFuture().isSuccess()) { // else it is noted with the handshake
            Throwable root = cause.getCause() == null ? cause : cause.getCause();
            closed(channel.remoteAddress(), PrintableInput.text(String.valueOf(root.getMessage())));
        }
    }

    /** Notes that a TLS handshake has failed, unless the client has ended the connection. */
    void handshakeFailed(@Nullable SocketAddress remote, Throwable cause) {
        if (cause instanceof NotSslRecordException) {
            closed(remote, NO_TLS);
        } else if (cause instanceof SSLException) {
            String hint = cause instanceof SslHandshakeTimeoutException ? SILENT : "";
            closed(remote, "TLS: " + PrintableInput.text(String.valueOf(cause.getMessage())) + hint);
        }
    }

    /**
     * Notes that a large answer was refused, as others are not read; a few lines in a minute.
     *
     * @param unread the callers that have not read theirs, and the bytes of these
     */
    public synchronized void refused(@Nullable SocketAddress remote, String caller, String unread) {
        long leftOut = refused.takeLeftOut();
        if (refused.allows()) {
            LOG.warn(
                    "a large answer was refused, since callers have not read those that were sent before: unread_bytes={} refused_caller={} remote={} not_listed={}",
                    unread,
                    caller,
                    remote,
                    leftOut);
        }
    }

    /** Counts a connection that was closed for a reason which is in the log already. */
    public synchronized void closedAsLogged() {
        total++;
    }

    /** How many connections were closed for a reason that was given here. */
    public synchronized long total() {
        return total;
    }
}
