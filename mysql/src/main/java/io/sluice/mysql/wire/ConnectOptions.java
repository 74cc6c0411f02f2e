package io.sluice.mysql.wire;

import io.sluice.mysql.wire.auth.PasswordOptions;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import java.time.Duration;

/**
 * Address, credentials and options of a connection.
 *
 * @param password empty if the account has none
 * @param database the default database, which must exist; empty for none
 * @param connectTimeout how long to wait for the TCP connection, and for each answer during login, which as a whole may take a small multiple of it
 * @param readTimeout how long to wait for the next bytes after the login; zero waits without limit. While a binlog is
 *     streamed it must be longer than the heartbeat period
 * @param maximumPacketBytes the largest packet of a binlog stream, after its parts are joined; what queries take is limited by each of them, and by
 *     this, too
 * @param passwords in which forms the password may be sent
 * @param fastLogins warns of logins that a restart of the server ends
 */
public record ConnectOptions(
        ServerAddress address,
        String user,
        String password,
        String database,
        TlsOptions tls,
        Duration connectTimeout,
        Duration readTimeout,
        int maximumPacketBytes,
        PasswordOptions passwords,
        FastLoginNotice fastLogins) {
    /** MySQL's own upper limit of {@code max_allowed_packet}. */
    public static final int DEFAULT_MAXIMUM_PACKET_BYTES = 1 << 30;

    private static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration DEFAULT_READ_TIMEOUT = Duration.ofSeconds(25);

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if user or database hold a NUL, a duration is negative, the connect timeout is
     *     zero, or the limit is below 1
     */
    public ConnectOptions {
        if (user.indexOf('\0') >= 0 || database.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("user or database holds a NUL character");
        }
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw new IllegalArgumentException("connect timeout is not positive: " + connectTimeout);
        }
        if (readTimeout.isNegative()) {
            throw new IllegalArgumentException("read timeout is negative: " + readTimeout);
        }
        if (maximumPacketBytes < 1) {
            throw new IllegalArgumentException("maximum packet size is less than 1: " + maximumPacketBytes);
        }
    }

    /** No database, no TLS, 10 s to connect, 25 s to read. */
    public static ConnectOptions of(ServerAddress address, String user, String password) {
        return new ConnectOptions(
                address,
                user,
                password,
                "",
                TlsOptions.of(TlsMode.DISABLED),
                DEFAULT_CONNECT_TIMEOUT,
                DEFAULT_READ_TIMEOUT,
                DEFAULT_MAXIMUM_PACKET_BYTES,
                PasswordOptions.STRICT,
                new FastLoginNotice());
    }

    /** Returns a copy with the given address: the same login at another server. */
    public ConnectOptions withAddress(ServerAddress other) {
        return copy(other, database, tls, connectTimeout, readTimeout, maximumPacketBytes, passwords);
    }

    /** Returns a copy with the given default database. */
    public ConnectOptions withDatabase(String other) {
        return copy(address, other, tls, connectTimeout, readTimeout, maximumPacketBytes, passwords);
    }

    /** Returns a copy with the given use of TLS. */
    public ConnectOptions withTls(TlsOptions other) {
        return copy(address, database, other, connectTimeout, readTimeout, maximumPacketBytes, passwords);
    }

    /** Returns a copy with the given timeouts: for connecting and each answer during login, and for the next bytes after it; zero for no limit of these. */
    public ConnectOptions withTimeouts(Duration connect, Duration read) {
        return copy(address, database, tls, connect, read, maximumPacketBytes, passwords);
    }

    /** Returns a copy with the timeouts that {@link #of} gives. */
    public ConnectOptions withDefaultTimeouts() {
        return withTimeouts(DEFAULT_CONNECT_TIMEOUT, DEFAULT_READ_TIMEOUT);
    }

    /** Returns a copy with the given size of the largest packet of a binlog stream, in bytes. */
    public ConnectOptions withMaximumPacketBytes(int bytes) {
        return copy(address, database, tls, connectTimeout, readTimeout, bytes, passwords);
    }

    /** Returns a copy with the given rules for sending the password. */
    public ConnectOptions withPasswords(PasswordOptions other) {
        return copy(address, database, tls, connectTimeout, readTimeout, maximumPacketBytes, other);
    }

    private ConnectOptions copy(
            ServerAddress server,
            String schema,
            TlsOptions tlsUse,
            Duration connect,
            Duration read,
            int bytes,
            PasswordOptions rules) {
        return new ConnectOptions(server, user, password, schema, tlsUse, connect, read, bytes, rules, fastLogins);
    }

    /** All but the password. */
    @Override
    public String toString() {
        return "ConnectOptions[address=%s, user=%s, database=%s, tls=%s, connectTimeout=%s, readTimeout=%s]"
                .formatted(address, user, database, tls, connectTimeout, readTimeout);
    }
}
