package io.sluice.server.config.password;

import io.sluice.protocol.wire.Scramble;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Stored passwords that protect nothing: that of the empty one, and those of canal's files and documentation. */
public final class WellKnownPasswords {
    private static final String EMPTY = Scramble.stored("");

    /** By what is stored of them. */
    private static final Map<String, String> KNOWN = Stream.of("admin", "canal", "123456")
            .collect(Collectors.toUnmodifiableMap(Scramble::stored, password -> password));

    private WellKnownPasswords() {}

    /** Whether this is what is stored of the empty password. */
    public static boolean isEmpty(String stored) {
        return stored.equals(EMPTY);
    }

    /** The password that this is stored of, if it is well-known. */
    public static Optional<String> find(String stored) {
        return Optional.ofNullable(KNOWN.get(stored));
    }
}
