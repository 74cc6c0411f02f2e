package io.sluice.mysql.wire.auth;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The client side of an authentication plugin, for one login. An empty password is the account that has none. For one thread.
 *
 * <p>Answers throw {@link UnprotectedPasswordException} if the server requests the password in a form that is not safe here, and
 * another {@link IOException} if its data or its key cannot be used.
 */
public interface AuthPlugin {
    /** Answers the server's challenge; it is empty for plugins that need none. */
    byte[] answer(byte[] challenge) throws IOException;

    /** Answers further data of the server; null if there is no answer. */
    byte @Nullable [] answerMore(byte[] data) throws IOException;

    /** Whether the login that has ended succeeded only because the account is in the server's cache. */
    default boolean dependsOnCache() {
        return false;
    }
}
