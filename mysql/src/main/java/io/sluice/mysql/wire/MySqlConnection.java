package io.sluice.mysql.wire;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.auth.UnprotectedPasswordException;
import io.sluice.mysql.wire.dump.DumpCommands;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.packet.PacketChannel;
import io.sluice.mysql.wire.packet.PayloadBuilder;
import io.sluice.mysql.wire.query.QueryBatch;
import io.sluice.mysql.wire.query.QueryPayload;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.ResultReader;
import io.sluice.mysql.wire.query.RowTaker;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
    private static final Logger LOG = LoggerFactory.getLogger(MySqlConnection.class);

    private static final int COM_QUIT = 0x01;
    private static final int COM_QUERY = 0x03;
    private static final int COM_SET_OPTION = 0x1B;
    private static final int MULTI_STATEMENTS_ON = 0;
    private static final int MULTI_STATEMENTS_OFF = 1;

    /** Some read calls per megabyte: the JDK hands a plain socket's bytes on in pieces of up to 128 KiB. */
    private static final int STREAM_BUFFER_BYTES = 256 * 1024;

    /** A whole answer may take so many times the timeout that each read of it has. */
    private static final int TIMEOUTS_PER_EXCHANGE = 4;

    /** Of an answer of which nothing is kept. */
    private static final ResultLimit DISCARDED = new ResultLimit(
            Long.MAX_VALUE, Long.MAX_VALUE, ResultLimit.SMALL.minimumTime(), ResultLimit.SMALL.remedy());

    private static final int MAX_STATEMENT_LENGTH_SHOWN = 120;

    private static final String NO_SERVER =
            "see that the address and the port are those of a MySQL or MariaDB server's classic"
                    + " protocol (3306 by default), and what a proxy or balancer on the way forwards to";

    private static final String NO_LOGIN =
            "see what is between this machine and the server, such as a proxy, and what the server's error log has of the login";

    /** The collation is that of the login. */
    private static final String UTF_8 = "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci";

    private static final String UTF_8_ONLY = "SET NAMES utf8mb4";

    /** Syntax error, unknown character set, not supported, and unknown collation. */
    private static final Set<Integer> CHARSET_REJECTIONS = Set.of(1064, 1115, 1235, 1273);

    private static final List<String> LIMITS_OF_MYSQL = List.of("max_execution_time", "max_statement_time");
    private static final List<String> LIMITS_OF_MARIADB = List.of("max_statement_time", "max_execution_time");

    private final ConnectionSocket socket;
    private final PacketChannel channel;
    private final ConnectOptions options;
    private final ServerVersion serverVersion;
    private final long connectionId;
    private final boolean encrypted;
    private boolean prepared;
    private boolean streaming;

    private MySqlConnection(
            ConnectionSocket socket,
            PacketChannel channel,
            ConnectOptions options,
            Greeting greeting,
            boolean encrypted) {
        this.socket = socket;
        this.channel = channel;
        this.options = options;
        this.serverVersion = ServerVersion.parse(greeting.version());
        this.connectionId = greeting.connectionId();
        this.encrypted = encrypted;
    }

    /**
     * Connects and logs in. Texts go both ways in UTF-8, each statement is a transaction of its own, and no query is ended for its duration, whatever the server's defaults
     * for new sessions are.
     *
     * @throws ServerErrorException if the server rejects the login; the message states the remedy
     * @throws UnprotectedPasswordException if the server asks for the password in a form that is not safe here; the message
     *     says what to do about it
     * @throws SocketTimeoutException if the server does not answer within the connect timeout, which is that of each answer
     * @throws SourceException if what answers does not speak the protocol; the message and the remedy say what to look at
     * @throws IOException if there is no connection, no TLS as required, or no way to log in that both sides know
     */
    public static MySqlConnection open(ConnectOptions options) throws IOException {
        return open(options, true);
    }

    /**
     * Connects and logs in as {@link #open} does, but queries take at most as long as the server's limit for new sessions is. Nothing but
     * the character set of the session is changed: some proxies bind a session to one server if a variable is set that they do not know.
     *
     * @throws IOException as {@link #open}
     */
    public static MySqlConnection openWithLimits(ConnectOptions options) throws IOException {
        return open(options, false);
    }

    private static MySqlConnection open(ConnectOptions options, boolean unlimited) throws IOException {
        MySqlConnection opened = logIn(options, options.connectTimeout().multipliedBy(TIMEOUTS_PER_EXCHANGE));
        try {
            opened.setCharset();
            if (unlimited) {
                opened.commitEachStatement();
                opened.liftLimit();
            }
            opened.prepared = true;
            opened.endExchange();
            opened.socket.changeReadTimeout(options.readTimeout());
        } catch (IOException | RuntimeException | Error e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /** Leaves the deadline of the login in place: it is also that of what prepares the session. */
    private static MySqlConnection logIn(ConnectOptions options, Duration limit) throws IOException {
        ConnectionSocket socket = ConnectionSocket.connect(options);
        socket.beginExchange(limit);
        PacketChannel channel = new PacketChannel(socket.input(), socket.output(), options.maximumPacketBytes());
        Login login = new Login(channel, options, socket.isLoopback(), () -> {
            channel.requireNothingBuffered();
            SSLSocket tls = socket.startTls(options.tls());
            channel.switchTo(tls.getInputStream(), tls.getOutputStream());
        });
        try {
            Greeting greeting = login.run();
            if (login.dependsOnCache()) {
                options.fastLogins().give(options.address(), options.user());
            }
            return new MySqlConnection(socket, channel, options, greeting, login.isEncrypted());
        } catch (IOException e) {
            IOException failed = socket.failed("cannot log in to " + options.address(), e);
            throw failed instanceof MalformedPacketException ? notALogin(failed, login.isGreeted()) : failed;
        } catch (RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    private static SourceException notALogin(IOException failed, boolean isServer) {
        String message = String.valueOf(failed.getMessage());
        return isServer
                ? new SourceException(SourceFailure.AUTHENTICATION, message, NO_LOGIN, failed)
                : new SourceException(SourceFailure.UNREACHABLE, message, NO_SERVER, failed);
    }

    /** {@code autocommit = 0} of a server would leave the transaction of each query open, with its locks. */
    private void commitEachStatement() throws IOException {
        try {
            execute("SET SESSION autocommit = 1");
        } catch (ServerErrorException e) { // of a proxy that takes no such statement
            LOG.debug("autocommit is left as it is: server={} cause={}", address(), e.serverMessage());
        }
    }

    /** {@code init_connect} and {@code skip_character_set_client_handshake} of a server override the character set of the login. */
    private void setCharset() throws IOException {
        try {
            execute(UTF_8);
        } catch (ServerErrorException e) {
            if (!CHARSET_REJECTIONS.contains(e.errno())) {
                throw e;
            }
            setCharsetOnly(e);
        }
    }

    private void setCharsetOnly(ServerErrorException refusal) throws IOException {
        try {
            execute(UTF_8_ONLY);
        } catch (ServerErrorException e) {
            e.addSuppressed(refusal);
            if (!CHARSET_REJECTIONS.contains(e.errno())) {
                throw e;
            }
            LOG.warn(
                    "the server does not set the character set of the session, names that are not ASCII may be wrong: server={} cause={}",
                    address(),
                    e.serverMessage());
        }
    }

    /** Behind a proxy a server may be of another kind than is stated, and old ones have no limit. */
    private void liftLimit() throws IOException {
        for (String limit : serverVersion.mariaDb() ? LIMITS_OF_MARIADB : LIMITS_OF_MYSQL) {
            try {
                execute("SET SESSION %s = 0".formatted(limit));
                return;
            } catch (ServerErrorException e) {
                LOG.debug(
                        "the limit of the duration of queries is left: server={} variable={} cause={}",
                        address(),
                        limit,
                        e.serverMessage());
            }
        }
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
        socket.changeReadTimeout(timeout);
    }

    /**
     * Runs one statement whose result is {@linkplain ResultLimit#SMALL small}, and takes it into memory. The statement must hold no secrets, as
     * exceptions quote it.
     *
     * @throws ServerErrorException if the server answers with an error; the connection can still be used
     * @throws SocketTimeoutException if nothing came for the read timeout, or the whole result did not for a multiple of it
     * @throws MalformedPacketException if what came is not the protocol, or the result exceeds its limit
     * @throws IOException if the connection fails or is aborted
     * @throws IllegalStateException if a binlog is streamed over this connection
     */
    public QueryResult query(String sql) throws IOException {
        return query(sql, ResultLimit.SMALL);
    }

    /**
     * Runs one statement as {@link #query(String)} does, with the given limit of its result, which is no more than the maximum packet size, either.
     *
     * @throws IOException as {@link #query(String)}
     */
    public QueryResult query(String sql, ResultLimit limit) throws IOException {
        return exchange(command(sql), doing(sql), limit, reader -> reader.read(errno -> ""));
    }

    /**
     * Runs one statement and hands on each row as it comes. So only the largest of them must be within the limit of heap, if the taker does not keep more.
     *
     * @throws IOException as {@link #query(String)}, or of the taker; the connection is closed then
     */
    public void query(String sql, ResultLimit limit, RowTaker taker) throws IOException {
        exchange(command(sql), doing(sql), limit, reader -> {
            reader.forEach(errno -> "", taker);
            return QueryResult.EMPTY;
        });
    }

    private static byte[] command(String sql) {
        return QueryPayload.of(COM_QUERY, sql);
    }

    private static String doing(String sql) {
        return "cannot run '%s'".formatted(shown(sql));
    }

    /**
     * Runs statements in one round trip, up to the first that fails. None of them may hold secrets, or a semicolon outside
     * of quotes.
     *
     * @param limit of all results together
     * @throws IOException as {@link #query(String)}, but for errors of single statements
     */
    public QueryBatch queryAll(List<String> statements, ResultLimit limit) throws IOException {
        requireNoStream();
        String first = statements.get(0);
        String what = "cannot run %d statements from '%s' on".formatted(statements.size(), shown(first));
        setOption(MULTI_STATEMENTS_ON);
        List<QueryResult> results = new ArrayList<>();
        ServerErrorException failure = null;
        String doing = what + " at " + options.address();
        try {
            ResultReader reader = ask(command(String.join(";", statements)), doing, limit);
            do {
                if (results.size() == statements.size()) {
                    throw new MalformedPacketException("server sends more than %d results".formatted(results.size()));
                }
                results.add(reader.read(errno -> ""));
            } while (reader.hasMore());
            endExchange();
        } catch (ServerErrorException e) {
            failure = e;
            endExchange(doing);
        } catch (IOException e) {
            throw socket.failed(doing, e);
        } catch (RuntimeException | Error e) {
            socket.close();
            throw e;
        }
        setOption(MULTI_STATEMENTS_OFF); // nowhere else may one statement become two
        return new QueryBatch(results, failure);
    }

    private void setOption(int option) throws IOException {
        exchange(
                new PayloadBuilder().int1(COM_SET_OPTION).int2(option).build(),
                "cannot set option " + option,
                ResultLimit.SMALL,
                reader -> reader.read(errno -> ""));
    }

    /** Runs one statement whose result, if it has one, does not matter, and may be of any size. As {@link #query(String)} in all else. */
    public void execute(String sql) throws IOException {
        exchange(command(sql), doing(sql), DISCARDED, reader -> {
            reader.discard(errno -> "");
            return QueryResult.EMPTY;
        });
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
     * @throws IOException as {@link #query(String)}
     */
    public BinlogStream dump(DumpRequest request) throws IOException {
        Duration readTimeout = socket.readTimeout();
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
        try {
            exchange(
                    DumpCommands.registerReplica(request, socket.localHost(), socket.localPort()),
                    doing,
                    ResultLimit.SMALL,
                    reader -> reader.read(this::adviceOnRegistration));
        } catch (ServerErrorException e) {
            throw e.ofDump();
        }
        try {
            channel.newExchange();
            channel.growBuffer(STREAM_BUFFER_BYTES);
            channel.limitTo(options.maximumPacketBytes());
            channel.send(DumpCommands.dump(request));
        } catch (IOException e) {
            throw socket.failed(doing, e);
        }
        streaming = true;
        return new BinlogStream(socket, channel, request);
    }

    private String adviceOnRegistration(int errno) {
        return switch (errno) {
            case ServerErrorException.ACCESS_DENIED,
                    1142,
                    ServerErrorException.SPECIFIC_ACCESS_DENIED -> // 1142: ER_TABLEACCESS_DENIED_ERROR
                "run 'grant replication slave, replication client on *.* to ...' for user " + options.user();
            case 1047 -> // ER_UNKNOWN_COM_ERROR
                "what answers may be a proxy that does not pass on the commands of replicas: name the address of the server itself";
            default -> "";
        };
    }

    /** Reads an answer. */
    @FunctionalInterface
    private interface AnswerReading {
        QueryResult read(ResultReader reader) throws IOException;
    }

    private QueryResult exchange(byte[] command, String what, ResultLimit limit, AnswerReading reading)
            throws IOException {
        requireNoStream();
        String doing = what + " at " + options.address();
        try {
            QueryResult result = reading.read(ask(command, doing, limit));
            endExchange();
            return result;
        } catch (ServerErrorException e) {
            endExchange(doing);
            throw e;
        } catch (IOException e) {
            throw socket.failed(doing, e);
        } catch (RuntimeException | Error e) {
            socket.close(); // a part of the answer may be unread
            throw e;
        }
    }

    private void requireNoStream() {
        if (streaming) {
            throw new IllegalStateException("connection streams a binlog and can do nothing else");
        }
    }

    /**
     * Sends a command. Its answer has a deadline of its own, unless the login, of which it is a part, has one. What is sent before may take long if it is large, and the
     * line is slow.
     */
    private ResultReader ask(byte[] command, String doing, ResultLimit limit) throws IOException {
        channel.requireNothingBuffered();
        channel.newExchange();
        channel.limitTo(Math.min(limit.packetBytes(), options.maximumPacketBytes()));
        channel.send(command);
        if (prepared && !socket.readTimeout().isZero()) {
            Duration time = socket.readTimeout().multipliedBy(TIMEOUTS_PER_EXCHANGE);
            socket.beginExchange(time.compareTo(limit.minimumTime()) < 0 ? limit.minimumTime() : time);
        }
        return new ResultReader(channel, doing, limit.atMost(options.maximumPacketBytes()));
    }

    private void endExchange() throws IOException {
        if (prepared) {
            socket.endExchange();
        }
    }

    /** Ends one whose answer is an error of the server. */
    private void endExchange(String doing) throws IOException {
        try {
            endExchange();
        } catch (IOException e) {
            throw socket.failed(doing, e);
        }
    }

    private static String shown(String sql) {
        return sql.length() <= MAX_STATEMENT_LENGTH_SHOWN ? sql : sql.substring(0, MAX_STATEMENT_LENGTH_SHOWN) + "...";
    }

    /**
     * Closes the socket at once, from any thread. Whatever waits on this connection ends with an {@link IOException}
     * that says so. May be called more than once.
     */
    public void abort() {
        socket.abort();
    }

    /** Takes leave of the server, unless a binlog is being streamed, and closes the socket. May be called more than once. */
    @Override
    public void close() {
        if (!streaming && !socket.isClosed()) {
            try {
                channel.newExchange();
                channel.send(new byte[] {COM_QUIT});
            } catch (IOException e) {
                LOG.debug(
                        "the server closed the connection before COM_QUIT was sent: server={} cause={}",
                        options.address(),
                        e.getMessage());
            }
        }
        socket.close();
    }
}
