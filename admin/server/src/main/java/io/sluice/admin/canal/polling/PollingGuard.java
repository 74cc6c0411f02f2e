package io.sluice.admin.canal.polling;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import org.springframework.stereotype.Component;

/**
 * Authenticates servers that poll. After sixty wrong passwords from an address within a minute, its requests are rejected until the minute is
 * over. One server with a wrong password asks less often, so it does not lock out others behind the same address. Thread-safe.
 */
@Component
class PollingGuard {
    private static final Logger LOG = LoggerFactory.getLogger(PollingGuard.class);
    private static final int MAX_FAILURES = 60;
    private static final int MAX_ADDRESSES = 10_000;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final byte[] user;
    private final byte @Nullable [] stored;
    private final Clock clock;

    @GuardedBy("failures") private final Map<String, Failures> failures = new LinkedHashMap<>();

    /** Failures of an address. */
    private record Failures(Instant since, int count) {}

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
     * Says why a caller may not ask; empty if it may.
     *
     * @param password as canal sends it: the hash
     */
    Optional<String> refusal(String address, @Nullable String givenUser, @Nullable String password) {
        byte[] expected = stored;
        if (expected == null) {
            return Optional.of(
                    "servers get no configuration here: set sluice.admin.polling-password in the admin server's conf/application.yml");
        }
        if (isBlocked(address)) {
            return Optional.of("too many wrong passwords came from this address: try again in a minute");
        }
        boolean isUser = MessageDigest.isEqual(user, bytes(givenUser == null ? "" : givenUser));
        boolean isPassword =
                MessageDigest.isEqual(expected, bytes(password == null ? "" : password.toLowerCase(Locale.ROOT)));
        if (isUser && isPassword) {
            return Optional.empty();
        }
        failed(address);
        return Optional.of(
                "canal.admin.user or canal.admin.passwd is wrong: they must fit sluice.admin.polling-user and sluice.admin.polling-password");
    }

    private boolean isBlocked(String address) {
        synchronized (failures) {
            Failures known = failures.get(address);
            return known != null
                    && known.count() >= MAX_FAILURES
                    && clock.instant().isBefore(known.since().plus(WINDOW));
        }
    }

    private void failed(String address) {
        Instant now = clock.instant();
        synchronized (failures) {
            failures.values().removeIf(old -> old.since().plus(WINDOW).isBefore(now));
            Failures known = failures.get(address);
            int count = known == null ? 1 : known.count() + 1;
            if (known != null || failures.size() < MAX_ADDRESSES) {
                failures.put(address, new Failures(known == null ? now : known.since(), Math.min(count, 1_000_000)));
            }
            if (count == 1) {
                LOG.warn("a server asks for its configuration with a wrong user or password: address={}", address);
            }
        }
    }
}
