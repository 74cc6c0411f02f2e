package io.sluice.mysql.wire;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session with a MySQL or MariaDB server: text queries, or one binlog stream.
 *
 * <p>After any failure but a {@link ServerErrorException} from a query the connection is closed, as it is unknown where in
 * the byte stream it is. For one thread; only {@link #abort()} may come from another.
 */
public final class MySqlConnection implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MySqlConnection.class);

    private static final int COM_QUIT = 0x01;
    private static final int COM_QUERY = 0x03;
    private static final int COM_SET_OPTION = 0x1B;
    private static final int MULTI_STATEMENTS_ON = 0;
    private static final int MULTI_STATEMENTS_OFF = 1;

    /** Some read calls per megabyte: the JDK hands a plain socket's bytes on in pieces of up to 128 KiB. */
    private static final int STREAM_BUFFER_BYTES = 256 * 1024;

    private static final int MAX_STATEMENT_LENGTH_SHOWN = 120;

    private final Socket tcp;
    private final PacketChannel channel;
    private final ConnectOptions options;
    private final ServerVersion serverVersion;
    private final long connectionId;
    private final boolean encrypted;
    private Duration readTimeout;
    private boolean streaming;
    private volatile boolean aborted;

    private MySqlConnection(
            Socket tcp, PacketChannel channel, ConnectOptions options, Greeting greeting, boolean encrypted)
            throws IOException {
        this.tcp = tcp;
        this.channel = channel;
        this.options = options;
        this.serverVersion = ServerVersion.parse(greeting.version());
        this.connectionId = greeting.connectionId();
        this.encrypted = encrypted;
        this.readTimeout = options.readTimeout();
        tcp.setSoTimeout(millis(readTimeout));
    }

    /**
     * Connects and logs in.
     *
     * @throws ServerErrorException if the server rejects the login; the message states the remedy
     * @throws UnprotectedPasswordException if the server asks for the password in a form that is not safe here; the message
     *     says what to do about it
     * @throws SocketTimeoutException if the server does not answer within the connect timeout
     * @throws MalformedPacketException if what answers does not speak the protocol
     * @throws IOException if there is no connection, no TLS as required, or no way to log in that both sides know
     */
    public static MySqlConnection open(ConnectOptions options) throws IOException {
        Socket tcp = connect(options);
        try {
            tcp.setTcpNoDelay(true);
            tcp.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            tcp.setSoTimeout(millis(options.connectTimeout()));
            PacketChannel channel =
                    new PacketChannel(tcp.getInputStream(), tcp.getOutputStream(), options.maximumPacketBytes());
            boolean loopback = tcp.getInetAddress().isLoopbackAddress();
            Login login = new Login(channel, options, loopback, () -> {
                channel.requireNothingBuffered();
                SSLSocket tls = Tls.over(tcp, options.address(), options.tls());
                channel.switchTo(tls.getInputStream(), tls.getOutputStream());
            });
            Greeting greeting = login.run();
            if (login.dependsOnCache()) {
                options.fastLogins().give(options.address(), options.user());
            }
            return new MySqlConnection(tcp, channel, options, greeting, login.isEncrypted());
        } catch (IOException e) {
            closeQuietly(tcp);
            throw explained("cannot log in to " + options.address(), options.connectTimeout(), e);
        } catch (RuntimeException | Error e) {
            closeQuietly(tcp);
            throw e;
        }
    }

    /** Tries the host's addresses one after another. */
    private static Socket connect(ConnectOptions options) throws IOException {
        ServerAddress address = options.address();
        InetAddress[] candidates;
        try {
            candidates = InetAddress.getAllByName(address.host());
        } catch (UnknownHostException e) {
            throw withCause(new UnknownHostException("host of server %s is not known".formatted(address)), e);
        }
        IOException failure = new IOException("cannot connect to " + address);
        for (InetAddress candidate : candidates) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(candidate, address.port()), millis(options.connectTimeout()));
                return socket;
            } catch (IOException e) {
                closeQuietly(socket);
                failure =
                        withSuppressed(explained("cannot connect to " + address, options.connectTimeout(), e), failure);
            }
        }
        throw failure;
    }

    private static IOException withSuppressed(IOException newer, IOException older) {
        if (older.getCause() != null) {
            newer.addSuppressed(older);
        }
        return newer;
    }

    /** Where the server is. */
    public ServerAddress address() {
        return options.address();
    }

    /** The server's version. */
    public ServerVersion serverVersion() {
        return serverVersion;
    }

    /** The server's id of this session, as in {@code show processlist}. */
    public long connectionId() {
        return connectionId;
    }

    /** Whether the session goes over TLS. */
    public boolean isEncrypted() {
        return encrypted;
    }

    /**
     * Changes how long to wait for the next bytes; zero waits without limit.
     *
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IOException if the connection is closed
     */
    public void changeReadTimeout(Duration timeout) throws IOException {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("read timeout is negative: " + timeout);
        }
        tcp.setSoTimeout(millis(timeout));
        readTimeout = timeout;
    }

    /**
     * Runs one statement and takes its whole result into memory. The statement must hold no secrets, as exceptions quote
     * it.
     *
     * @throws ServerErrorException if the server answers with an error; the connection can still be used
     * @throws SocketTimeoutException if nothing came for the read timeout
     * @throws MalformedPacketException if what came is not the protocol, or the result exceeds the maximum packet size
     * @throws IOException if the connection fails or is aborted
     * @throws IllegalStateException if a binlog is streamed over this connection
     */
    public QueryResult query(String sql) throws IOException {
        return exchange(
                new PayloadBuilder().int1(COM_QUERY).text(sql).build(), "cannot run '%s'".formatted(shown(sql)), "");
    }

    /**
     * Runs statements in one round trip, up to the first that fails. None of them may hold secrets, or a semicolon outside
     * of quotes.
     *
     * @throws IOException as {@link #query}, but for errors of single statements
     */
    public QueryBatch queryAll(List<String> statements) throws IOException {
        String first = statements.get(0);
        String what = "cannot run %d statements from '%s' on".formatted(statements.size(), shown(first));
        setOption(MULTI_STATEMENTS_ON);
        List<QueryResult> results = new ArrayList<>();
        ServerErrorException failure = null;
        String doing = what + " at " + options.address();
        try {
            channel.requireNothingBuffered();
            channel.newExchange();
            channel.send(new PayloadBuilder()
                    .int1(COM_QUERY)
                    .text(String.join(";", statements))
                    .build());
            ResultReader reader = new ResultReader(channel, doing, options.maximumPacketBytes());
            do {
                results.add(reader.read(""));
            } while (reader.hasMore());
        } catch (ServerErrorException e) {
            failure = e;
        } catch (IOException e) {
            throw failed(doing, e);
        }
        setOption(MULTI_STATEMENTS_OFF); // nowhere else may one statement become two
        return new QueryBatch(results, failure);
    }

    private void setOption(int option) throws IOException {
        exchange(new PayloadBuilder().int1(COM_SET_OPTION).int2(option).build(), "cannot set option " + option, "");
    }

    /** Runs one statement whose result, if it has one, does not matter. As {@link #query} in all else. */
    public void execute(String sql) throws IOException {
        query(sql);
    }

    /**
     * Starts to stream a binlog. The connection belongs to the stream from then on, and can do nothing else.
     *
     * <p>Some errors, such as 1236 for a binlog that the server does not have, come with the first {@link
     * BinlogStream#next}.
     *
     * @throws IllegalArgumentException if the heartbeat period is not shorter than the read timeout, so that an idle
     *     stream would be taken for a broken one
     * @throws ServerErrorException if the account may not replicate
     * @throws IOException as {@link #query}
     */
    public BinlogStream dump(DumpRequest request) throws IOException {
        if (!readTimeout.isZero() && request.heartbeatPeriod().compareTo(readTimeout) >= 0) {
            throw new IllegalArgumentException("heartbeat period %s is not shorter than the read timeout %s"
                    .formatted(request.heartbeatPeriod(), readTimeout));
        }
        String doing = "cannot stream binlog from " + request.start();
        try {
            query(DumpCommands.ACCEPT_CHECKSUMS);
        } catch (ServerErrorException e) {
            if (e.errno() != ServerErrorException.UNKNOWN_SYSTEM_VARIABLE) {
                throw e;
            }
        }
        query(DumpCommands.sessionStatement(request, serverVersion.mariaDb()));
        exchange(
                DumpCommands.registerReplica(request, tcp.getLocalAddress().getHostAddress(), tcp.getLocalPort()),
                doing,
                "run 'grant replication slave, replication client on *.* to ...' for user " + options.user());
        try {
            channel.newExchange();
            channel.growBuffer(STREAM_BUFFER_BYTES);
            channel.send(DumpCommands.dump(request));
        } catch (IOException e) {
            throw failed(doing, e);
        }
        streaming = true;
        return new BinlogStream(this, channel, request);
    }

    private QueryResult exchange(byte[] command, String what, String adviceOnError) throws IOException {
        if (streaming) {
            throw new IllegalStateException("connection streams a binlog and can do nothing else");
        }
        String doing = what + " at " + options.address();
        try {
            channel.requireNothingBuffered();
            channel.newExchange();
            channel.send(command);
            return new ResultReader(channel, doing, options.maximumPacketBytes()).read(adviceOnError);
        } catch (ServerErrorException e) {
            throw e;
        } catch (IOException e) {
            throw failed(doing, e);
        }
    }

    /** Closes the socket after a failure, and returns the exception to throw, whose message states what was done and where. */
    IOException failed(String doing, IOException failure) {
        boolean byUs = aborted;
        closeQuietly(tcp);
        if (byUs) {
            return new IOException("connection to %s was aborted".formatted(options.address()), failure);
        }
        return explained(doing, readTimeout, failure);
    }

    /** The same kind of failure, with the operation in its message. */
    private static IOException explained(String doing, Duration timeout, IOException failure) {
        if (failure instanceof ServerErrorException) {
            return failure;
        }
        if (failure instanceof SocketTimeoutException) {
            return withCause(
                    new SocketTimeoutException("%s: no answer for %d ms".formatted(doing, timeout.toMillis())),
                    failure);
        }
        String message = "%s: %s".formatted(doing, failure.getMessage());
        if (failure instanceof MalformedPacketException) {
            return withCause(new MalformedPacketException(message), failure);
        }
        if (failure instanceof UnprotectedPasswordException) {
            return withCause(new UnprotectedPasswordException(message), failure);
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

    private static String shown(String sql) {
        return sql.length() <= MAX_STATEMENT_LENGTH_SHOWN ? sql : sql.substring(0, MAX_STATEMENT_LENGTH_SHOWN) + "...";
    }

    private static int millis(Duration timeout) {
        if (timeout.isZero()) {
            return 0;
        }
        // A fraction of a millisecond must not become 0, which waits without limit.
        return (int) Math.max(1, Math.min(timeout.toMillis(), Integer.MAX_VALUE));
    }

    /**
     * Closes the socket at once, from any thread. Whatever waits on this connection ends with an {@link IOException}
     * that says so. May be called more than once.
     */
    public void abort() {
        aborted = true;
        closeQuietly(tcp);
    }

    /** Takes leave of the server, unless a binlog is being streamed, and closes the socket. May be called more than once. */
    @Override
    public void close() {
        if (!streaming && !tcp.isClosed()) {
            try {
                channel.newExchange();
                channel.send(new byte[] {COM_QUIT});
            } catch (IOException e) {
                log.debug(
                        "the server closed the connection before COM_QUIT was sent: server={} cause={}",
                        options.address(),
                        e.getMessage());
            }
        }
        closeQuietly(tcp);
    }

    /**
     * Closes the TCP socket itself, also under TLS: an SSLSocket would wait for a thread that reads, and for the server.
     */
    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("closing a socket failed: cause={}", e.getMessage());
        }
    }
}
