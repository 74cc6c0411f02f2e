package io.sluice.admin.account;

import io.sluice.admin.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/** Hashes, checks and makes passwords. Hashing takes long on purpose, so few are hashed at a time. Thread-safe. */
@Component
class Passwords {
    /** The prefix of hashes that were taken over from canal-admin. */
    static final String CANAL = "{canal}";

    /** bcrypt does not read further. */
    private static final int MAX_BYTES = 72;

    private static final int MIN_LENGTH = 10;
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private static final int INITIAL_LENGTH = 20;
    private static final String NO_PASSWORD = "none";
    private static final int MAX_WAITING = 30;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final PasswordEncoder bcrypt = new BCryptPasswordEncoder();
    private final PasswordEncoder encoder =
            new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", bcrypt, "canal", new CanalPasswordEncoder()));
    private final SecureRandom random = new SecureRandom();
    private final Semaphore hashing =
            new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors()));
    /** Compared with where there is no hash, so that an answer takes as long as with one. */
    private final String noHash = encoded("a hash that nothing is compared with but this");

    /**
     * Whether a password is that of a hash. It takes as long if there is no hash.
     *
     * @param hash null: there is none, and the answer is no
     * @throws ProblemException 429 if too many are checked at the moment
     */
    boolean matches(String password, @Nullable String hash) {
        // The encoder answers at once if a password is empty.
        boolean canBe =
                hash != null && !password.isEmpty() && password.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
        String compared = canBe && hash != null ? hash : noHash;
        String given = canBe ? password : NO_PASSWORD;
        return limited(() -> {
            boolean matches = encoder.matches(given, compared) && canBe;
            if (compared.startsWith(CANAL)) {
                // Such a hash is computed at once; users that have one must not be recognized by that.
                encoder.matches(given, noHash);
            }
            return matches;
        });
    }

    /** Whether a hash is weaker than those that are made now. */
    boolean isOutdated(String hash) {
        return encoder.upgradeEncoding(hash);
    }

    /** Hashes a password that is acceptable. */
    String hash(String password) {
        return limited(() -> encoded(password));
    }

    /** Checks a password that a user has chosen. */
    void checkNew(String password, String user) {
        if (password.codePointCount(0, password.length()) < MIN_LENGTH) {
            throw ProblemException.badRequest("The new password must have at least " + MIN_LENGTH + " characters.");
        }
        if (password.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw ProblemException.badRequest("The new password must have at most " + MAX_BYTES
                    + " bytes in UTF-8, since further ones would not count.");
        }
        if (password.equalsIgnoreCase(user)) {
            throw ProblemException.badRequest("The new password must not be the user name.");
        }
    }

    /** Makes a random password, of letters and digits that are not taken for each other. */
    String random() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < INITIAL_LENGTH; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private String encoded(String password) {
        return Objects.requireNonNull(encoder.encode(password));
    }

    private <T> T limited(Supplier<T> work) {
        try {
            // Waiting logins hold threads that other requests need.
            if (hashing.getQueueLength() >= MAX_WAITING
                    || !hashing.tryAcquire(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw ProblemException.tooManyRequests(
                        "Too many passwords are checked at the moment. Try again.", LONGEST_WAIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting to check a password", e);
        }
        try {
            return work.get();
        } finally {
            hashing.release();
        }
    }
}
