package io.sluice.server.config.sent;

import java.util.Optional;

/**
 * Texts of a configuration that a client has sent to be checked. They may hold passwords.
 *
 * @param server the {@code canal.properties}; empty: that of the server which checks
 * @param destination the name of the instance
 * @param instance the {@code instance.properties}; empty: there is no instance
 */
public record GivenTexts(Optional<String> server, String destination, Optional<String> instance) {
    /** Without the texts. */
    @Override
    public String toString() {
        return "GivenTexts[destination=%s]".formatted(destination);
    }
}
