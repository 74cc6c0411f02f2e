package io.sluice.admin.canal.polling;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.admin.address.ClientNetwork;
import io.sluice.admin.time.SteadyClock;
import io.sluice.protocol.wire.Scramble;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Authenticates servers that poll. After sixty wrong passwords from an address within a minute, its requests are rejected until the minute is
 * over. One server with a wrong password asks less often, so it does not lock out others behind the same address. Thread-safe.
 *
 * <p>Where a server was accepted lately it takes 600: servers behind the same address, such as a proxy's, must not be cut off from their
 * configuration by a few wrong passwords of others.
 */
@Component
class PollingGuard {
    private static final Logger LOG = LoggerFactory.getLogger(PollingGuard.class);
    static final int MAX_FAILURES = 60;

    /** Where a server was accepted lately: so many that others do not cut it off by mistake, and too few to find a password. */
    static final int MAX_FAILURES_OF_TRUSTED = 600;

    static final int MAX_NETWORKS = 10_000;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    /** Servers ask every few seconds. */
    private static final Duration LATELY = Duration.ofMinutes(15);

    private final byte[] user;
    private final byte @Nullable [] stored;
    private final Clock clock;

    @GuardedBy("failures") private final Map<String, Failures> failures = new LinkedHashMap<>();

    /** When a server was last accepted from a network, the longest ago first. */
    @GuardedBy("failures") private final Map<String, Instant> accepted = new LinkedHashMap<>();

    /** Failures of a network. */
    private record Failures(Instant since, int count) {}

    @Autowired
    PollingGuard(PollingProperties properties) {
        this(properties, new SteadyClock());
    }

    PollingGuard(PollingProperties properties, Clock clock) {
        this.clock = clock;
        this.user = bytes(properties.pollingUser());
        String password = properties.pollingPassword();
        this.stored = password == null || password.isBlank()
                ? null
                : bytes(Scramble.isStored(password) ? password.toLowerCase(Locale.ROOT) : Scramble.stored(password));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns why a caller may not ask; empty if it may.
     *
     * @param password as canal sends it: the hash
     */
    Optional<String> rejection(String address, @Nullable String givenUser, @Nullable String password) {
        byte[] expected = stored;
        if (expected == null) {
            return Optional.of(
                    "servers get no configuration here: set sluice.admin.polling-password in the admin server's conf/application.yml");
        }
        String network = ClientNetwork.of(address);
        if (isBlocked(network)) {
            return Optional.of("too many wrong passwords came from this address: try again in a minute");
        }
        boolean isUser = MessageDigest.isEqual(user, bytes(givenUser == null ? "" : givenUser));
        boolean isPassword =
                MessageDigest.isEqual(expected, bytes(password == null ? "" : password.toLowerCase(Locale.ROOT)));
        if (isUser && isPassword) {
            accepted(network);
            return Optional.empty();
        }
        failed(network, address);
        return Optional.of(
                "canal.admin.user or canal.admin.passwd is wrong: they must fit sluice.admin.polling-user and sluice.admin.polling-password");
    }

    private boolean isBlocked(String network) {
        synchronized (failures) {
            Failures known = failures.get(network);
            return known != null
                    && known.count() >= limit(network)
                    && clock.instant().isBefore(known.since().plus(WINDOW));
        }
    }

    @GuardedBy("failures") private int limit(String network) {
        Instant last = accepted.get(network);
        boolean isTrusted = last != null && clock.instant().isBefore(last.plus(LATELY));
        return isTrusted ? MAX_FAILURES_OF_TRUSTED : MAX_FAILURES;
    }

    private void accepted(String network) {
        synchronized (failures) {
            accepted.remove(network); // so that it becomes the newest
            accepted.put(network, clock.instant());
            if (accepted.size() > MAX_NETWORKS) {
                accepted.remove(accepted.keySet().iterator().next());
            }
        }
    }

    /** Counts a failure. Of too many networks the one whose first failure is the longest ago is forgotten. */
    private void failed(String network, String address) {
        Instant now = clock.instant();
        int count;
        int limit;
        synchronized (failures) {
            Failures known = failures.get(network);
            if (known == null || !now.isBefore(known.since().plus(WINDOW))) {
                failures.remove(network); // so that it becomes the newest
                known = new Failures(now, 0);
            }
            count = Math.min(known.count() + 1, MAX_FAILURES_OF_TRUSTED);
            limit = limit(network);
            failures.put(network, new Failures(known.since(), count));
            if (failures.size() > MAX_NETWORKS) {
                failures.remove(failures.keySet().iterator().next());
            }
        }
        if (count == 1) {
            LOG.warn("a server asks for its configuration with a wrong user or password: address={}", address);
        } else if (count == limit) {
            LOG.warn(
                    "too many wrong passwords of servers came from an address, so its requests are rejected for up to a minute: address={}",
                    address);
        }
    }

    /** Of how many networks failures are kept. */
    int size() {
        synchronized (failures) {
            return failures.size();
        }
    }
}
