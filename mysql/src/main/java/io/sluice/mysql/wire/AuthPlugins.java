package io.sluice.mysql.wire;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The supported authentication plugins, by name. */
final class AuthPlugins {
    private AuthPlugins() {}

    /**
     * The plugin of a name.
     *
     * @param sending decides in which form the password may be sent
     * @throws UnprotectedPasswordException if the plugin is not used here
     * @throws IOException if the plugin is not supported
     */
    static AuthPlugin named(String name, String password, PasswordSending sending) throws IOException {
        byte[] utf8 = password.getBytes(StandardCharsets.UTF_8);
        return switch (name) {
            case "mysql_native_password" -> new NativePassword(utf8);
            case "caching_sha2_password" -> new CachingSha2Password(utf8, sending);
            case "sha256_password" -> new Sha256Password(utf8, sending);
            case "mysql_clear_password" -> {
                sending.requireCleartext();
                yield new ClearPassword(utf8);
            }
            default ->
                throw new SourceException(
                        SourceFailure.AUTHENTICATION,
                        ("server asks for authentication plugin %s, which is not supported; create the"
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
}
