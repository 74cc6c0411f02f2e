package io.sluice.server.admin;

import java.time.Duration;

/**
 * What clients may use up.
 *
 * @param connections how many there may be
 * @param unauthenticated how many of them may not have logged in yet
 * @param acceptsPerSecond how many new ones are taken in a second; the others wait
 * @param handshakeTimeout how long a client may take to log in
 * @param idleTimeout the longest silence that a client may ask for, and what it gets if it asks for nothing
 * @param writeTimeout how long a client may leave an answer unread
 */
record Limits(
        int connections,
        int unauthenticated,
        int acceptsPerSecond,
        Duration handshakeTimeout,
        Duration idleTimeout,
        Duration writeTimeout) {
    /** A console logs in at once, asks once, and disconnects. */
    static final Limits STANDARD =
            new Limits(32, 16, 1000, Duration.ofSeconds(10), Duration.ofHours(1), Duration.ofMinutes(1));
}
