package io.sluice.server.config.port;

import io.sluice.server.config.text.Secret;
import java.time.Duration;
import java.util.Optional;

/**
 * The port where clients pull.
 *
 * @param address what to listen on; blank for all addresses
 * @param port 0 for any that is free
 * @param user the user name that clients must send; blank lets any name pass
 * @param storedPassword the hexadecimal SHA1(SHA1(password)); blank asks for no password
 * @param limits what clients may use up
 * @param tls how the port is protected; empty if it is not
 */
public record TcpConfig(
        String address, int port, String user, Secret storedPassword, Limits limits, Optional<PortTls> tls) {
    /** Whether clients must authenticate, by a password or by a certificate of a configured authority. */
    public boolean authenticatesClients() {
        return authenticatesByCertificate() || !storedPassword.value().isEmpty();
    }

    /** Whether clients must have a certificate of a configured authority. */
    public boolean authenticatesByCertificate() {
        return tls.isPresent()
                && tls.get().clientAuth() == PortTls.ClientAuth.NEED
                && tls.get().trust().isPresent();
    }

    /**
     * What clients may use up.
     *
     * @param connections how many there may be
     * @param unauthenticated how many of them may not have logged in yet
     * @param acceptsPerSecond how many new ones are taken in a second; the others wait
     * @param frameBytes the longest packet that is read of a client that has logged in
     * @param handshakeTimeout how long a client may take to log in
     * @param idleTimeout the longest silence that a client may ask for, and what it gets if it asks for nothing
     * @param writeTimeout how long a client may leave an answer unread
     * @param subscriptions how many clients one destination may have
     */
    public record Limits(
            int connections,
            int unauthenticated,
            int acceptsPerSecond,
            int frameBytes,
            Duration handshakeTimeout,
            Duration idleTimeout,
            Duration writeTimeout,
            int subscriptions) {}
}
