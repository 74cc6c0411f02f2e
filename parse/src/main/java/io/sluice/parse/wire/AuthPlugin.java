package io.sluice.parse.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Our side of one way to log in, for one login. An empty password is the account that has none. */
interface AuthPlugin {
    /** Answers the server's challenge. */
    byte[] answer(byte[] challenge) throws IOException;

    /** Answers more that the server sends after that; null if there is nothing to say. */
    byte @Nullable [] answerMore(byte[] data) throws IOException;

    /**
     * The plugin of a name.
     *
     * @param encrypted whether what we say cannot be overheard
     * @throws IOException if we do not have the plugin, or would not use it here
     */
    static AuthPlugin named(String name, String password, boolean encrypted) throws IOException {
        byte[] utf8 = password.getBytes(StandardCharsets.UTF_8);
        return switch (name) {
            case "mysql_native_password" -> new NativePassword(utf8);
            case "caching_sha2_password" -> new CachingSha2Password(utf8, encrypted);
            case "sha256_password" -> new Sha256Password(utf8, encrypted);
            case "mysql_clear_password" -> {
                if (!encrypted) {
                    throw new IOException("server asks for the password in clear text (mysql_clear_password), which is"
                            + " never sent over a plain connection; use TLS mode REQUIRED or stricter");
                }
                yield new ClearPassword(utf8);
            }
            default ->
                throw new IOException(("server asks for authentication plugin %s, which is not supported; create the"
                                + " account with caching_sha2_password or mysql_native_password")
                        .formatted(name));
        };
    }

    /** Whether {@link #named} knows the name. */
    static boolean isKnown(String name) {
        return switch (name) {
            case "mysql_native_password", "caching_sha2_password", "sha256_password" -> true;
            default -> false;
        };
    }

    /** The password and a NUL, as it goes through an encrypted connection. */
    static byte[] withNul(byte[] password) {
        return Arrays.copyOf(password, password.length + 1);
    }
}
