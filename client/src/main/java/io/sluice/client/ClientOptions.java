package io.sluice.client;

import java.time.Duration;
import java.util.Optional;
import javax.net.SocketFactory;

/**
 * The server to pull from, the destination, the login, and the limits.
 *
 * @param host its name or address
 * @param port from 1 to 65535, mostly 11111; 0 only of clients that discover their server
 * @param destination the name of the instance; not empty
 * @param clientId the cursor's name, from -32768 to 32767; canal's clients are always 1001
 * @param user the user of the login; empty for none
 * @param password in clear; it is not sent. Empty if there is none
 * @param timeout the limit for connecting, and for an answer beyond the time that a get may wait; more than 0
 * @param sockets makes the socket: an {@code SSLSocketFactory} for a port with TLS; empty for a plain one
 * @param checksServerName whether, with TLS, the host must be a name or an address of the server's certificate
 */
public record ClientOptions(
        String host,
        int port,
        String destination,
        int clientId,
        String user,
        String password,
        Duration timeout,
        Optional<SocketFactory> sockets,
        boolean checksServerName) {
    private static final int USUAL_CLIENT = 1001;
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(60);

    public ClientOptions {
        if (destination.isEmpty()) {
            throw new IllegalArgumentException("a destination without a name");
        }
        if (clientId != (short) clientId) {
            throw new IllegalArgumentException("a client id is a number from -32768 to 32767: " + clientId);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("a timeout of " + timeout);
        }
    }

    /** A server without a password and TLS. */
    public static ClientOptions of(String host, int port, String destination) {
        return new ClientOptions(host, port, destination, USUAL_CLIENT, "", "", USUAL_TIMEOUT, Optional.empty(), true);
    }

    /** For clients that discover their server; without a password and TLS. */
    public static ClientOptions of(String destination) {
        return of("", 0, destination);
    }

    /** Returns a copy with the host and port of the given server. */
    public ClientOptions at(ServerAddress server) {
        return new ClientOptions(
                server.host(),
                server.port(),
                destination,
                clientId,
                user,
                password,
                timeout,
                sockets,
                checksServerName);
    }

    /** Returns a copy with the given login; the password is in clear. */
    public ClientOptions withLogin(String newUser, String newPassword) {
        return new ClientOptions(
                host, port, destination, clientId, newUser, newPassword, timeout, sockets, checksServerName);
    }

    /** Returns a copy with the given client id, from -32768 to 32767. Each client of a destination has a cursor of its own. */
    public ClientOptions withClientId(int newClientId) {
        return new ClientOptions(
                host, port, destination, newClientId, user, password, timeout, sockets, checksServerName);
    }

    /** Returns a copy with the given limit for connecting, and for an answer beyond the time that a get may wait; more than 0. */
    public ClientOptions withTimeout(Duration newTimeout) {
        return new ClientOptions(
                host, port, destination, clientId, user, password, newTimeout, sockets, checksServerName);
    }

    /** Returns a copy that connects by sockets of the given factory: an {@code SSLSocketFactory} for a port with TLS. */
    public ClientOptions withSockets(SocketFactory factory) {
        return new ClientOptions(
                host, port, destination, clientId, user, password, timeout, Optional.of(factory), checksServerName);
    }

    /**
     * Returns a copy that does not check, with TLS, that the server's certificate is for the host that was connected to, as for addresses from ZooKeeper
     * that are in no certificate. The factory's trust store should then have the certificates of the servers alone, and no authority that
     * signs others.
     */
    public ClientOptions withoutServerNameCheck() {
        return new ClientOptions(host, port, destination, clientId, user, password, timeout, sockets, false);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "%s:%d/%s as client %d".formatted(host, port, destination, clientId);
    }
}
