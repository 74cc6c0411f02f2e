package io.sluice.mysql.wire;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The client side of an authentication plugin, for one login. An empty password is the account that has none. */
interface AuthPlugin {
    /** Answers the server's challenge. */
    byte[] answer(byte[] challenge) throws IOException;

    /** Answers further data of the server; null if there is no answer. */
    byte @Nullable [] answerMore(byte[] data) throws IOException;

    /** Whether the login that has ended succeeded only since the server remembers the account. */
    default boolean dependsOnCache() {
        return false;
    }

    /** The password and a NUL, as it goes through an encrypted connection. */
    static byte[] withNul(byte[] password) {
        return Arrays.copyOf(password, password.length + 1);
    }
}
