package io.sluice.mysql.wire;

import io.sluice.mysql.wire.auth.UnprotectedPasswordException;
import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.tls.Tls;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.time.Time;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TCP socket of a connection: connects, explains failures, and is closed after each.
 *
 * <p>For one thread; only {@link #abort()} may come from another.
 */
final class ConnectionSocket {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionSocket.class);

    private static final int IDLE_SECONDS = 30;
    private static final int PROBE_SECONDS = 10;
    private static final int PROBES = 3;

    private final DeadlineSocket tcp;
    private final ServerAddress address;
    private Duration readTimeout;
    private volatile boolean aborted;

    private ConnectionSocket(DeadlineSocket tcp, ServerAddress address, Duration readTimeout) {
        this.tcp = tcp;
        this.address = address;
        this.readTimeout = readTimeout;
    }

    /** Tries the host's addresses one after another. The connect timeout is the read timeout until that is changed. */
    static ConnectionSocket connect(ConnectOptions options) throws IOException {
        ServerAddress address = options.address();
        Duration timeout = options.connectTimeout();
        InetAddress[] candidates;
        try {
            candidates = InetAddress.getAllByName(address.host());
        } catch (UnknownHostException e) {
            throw withCause(new UnknownHostException("host of server %s is not known".formatted(address)), e);
        }
        IOException failure = new IOException("cannot connect to " + address);
        for (InetAddress candidate : candidates) {
            DeadlineSocket tcp = new DeadlineSocket(Time.SYSTEM);
            try {
                tcp.setTcpNoDelay(true);
                keepAlive(tcp);
                tcp.changeReadTimeout(timeout);
                tcp.connect(new InetSocketAddress(candidate, address.port()), DeadlineSocket.millis(timeout));
                return new ConnectionSocket(tcp, address, timeout);
            } catch (IOException e) {
                closeQuietly(tcp);
                failure = withSuppressed(explained("cannot connect to " + address, timeout, e), failure);
            }
        }
        throw failure;
    }

    /** Has a host that is gone noticed within a minute, where the system can: its default is hours, and a query may take minutes. */
    private static void keepAlive(Socket tcp) throws IOException {
        tcp.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        Set<SocketOption<?>> supported = tcp.supportedOptions();
        if (supported.contains(ExtendedSocketOptions.TCP_KEEPIDLE)
                && supported.contains(ExtendedSocketOptions.TCP_KEEPINTERVAL)
                && supported.contains(ExtendedSocketOptions.TCP_KEEPCOUNT)) {
            tcp.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
            tcp.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, PROBE_SECONDS);
            tcp.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        }
    }

    private static IOException withSuppressed(IOException newer, IOException older) {
        if (older.getCause() != null) {
            newer.addSuppressed(older);
        }
        return newer;
    }

    /** Where the server is. */
    ServerAddress address() {
        return address;
    }

    InputStream input() throws IOException {
        return tcp.getInputStream();
    }

    OutputStream output() throws IOException {
        return tcp.getOutputStream();
    }

    /** Starts TLS over the socket. */
    SSLSocket startTls(TlsOptions options) throws IOException {
        return Tls.over(tcp, address.host(), address.port(), options);
    }

    boolean isLoopback() {
        return tcp.getInetAddress().isLoopbackAddress();
    }

    /** The IP address of this end. */
    String localHost() {
        return tcp.getLocalAddress().getHostAddress();
    }

    /** The port of this end. */
    int localPort() {
        return tcp.getLocalPort();
    }

    /** How long to wait for the next bytes; zero is without limit. */
    Duration readTimeout() {
        return readTimeout;
    }

    void changeReadTimeout(Duration timeout) throws IOException {
        tcp.changeReadTimeout(timeout);
        readTimeout = timeout;
    }

    /** Limits how long all answers may take together until {@link #endExchange}; the read timeout holds, too. */
    void beginExchange(Duration limit) {
        tcp.begin(limit);
    }

    void endExchange() throws IOException {
        tcp.end();
    }

    /** Closes the socket after a failure, and returns the exception to throw, whose message states what was done and where. */
    IOException failed(String doing, IOException failure) {
        boolean byUs = aborted;
        close();
        if (byUs) {
            return new IOException("connection to %s was aborted".formatted(address), failure);
        }
        return explained(doing, readTimeout, failure);
    }

    /** Returns a failure of the same kind with the operation in its message. */
    private static IOException explained(String doing, Duration timeout, IOException failure) {
        if (failure instanceof ServerErrorException) {
            return failure;
        }
        if (failure instanceof DeadlineSocket.DeadlineException) {
            return withCause(new SocketTimeoutException("%s: %s".formatted(doing, failure.getMessage())), failure);
        }
        if (failure instanceof SocketTimeoutException) {
            return withCause(
                    new SocketTimeoutException("%s: no answer for %d ms".formatted(doing, timeout.toMillis())),
                    failure);
        }
        if (failure instanceof ResultTooLargeException large) {
            return large.of(doing);
        }
        String message = "%s: %s".formatted(doing, failure.getMessage());
        if (failure instanceof MalformedPacketException) {
            return withCause(new MalformedPacketException(message), failure);
        }
        if (failure instanceof UnprotectedPasswordException unprotected) {
            return withCause(new UnprotectedPasswordException(message, unprotected.remedy()), failure);
        }
        if (failure instanceof EOFException) {
            return withCause(new EOFException(message), failure);
        }
        return new IOException(message, failure);
    }

    private static <E extends IOException> E withCause(E exception, IOException cause) {
        exception.initCause(cause);
        return exception;
    }

    /** Closes the socket at once, from any thread; what waits on it fails then. May be called more than once. */
    void abort() {
        aborted = true;
        close();
    }

    boolean isClosed() {
        return tcp.isClosed();
    }

    /** Closes the TCP socket itself, also under TLS: an SSLSocket would wait for a thread that reads, and for the server. */
    void close() {
        closeQuietly(tcp);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a socket failed: cause={}", e.getMessage());
        }
    }
}
