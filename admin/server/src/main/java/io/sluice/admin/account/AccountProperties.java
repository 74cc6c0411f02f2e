package io.sluice.admin.account;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of users.
 *
 * @param initialPasswordFile where the initial password of the first administrator is written, until it is changed; relative to the
 *     working directory
 * @param longestSession after which a session ends however much is called, so that a user has to be authenticated again
 * @param resetPassword a user who gets a new initial password at this start; for an administrator who has lost theirs
 */
@ConfigurationProperties("sluice.account")
public record AccountProperties(
        @DefaultValue("../data/initial-password") String initialPasswordFile,
        @DefaultValue("24h") Duration longestSession,
        @Nullable String resetPassword) {
    /** Whether a session has lasted too long. */
    boolean isOver(long createdMillis, long nowMillis) {
        return nowMillis - createdMillis >= longestSession.toMillis();
    }
}
