package io.sluice.mysql.wire.auth;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The supported authentication plugins, by name. For any thread. */
public final class AuthPlugins {
    /** More than any plugin's name has. */
    private static final int MAX_NAME_LENGTH_SHOWN = 64;

    private AuthPlugins() {}

    /**
     * Makes the plugin of a name, for one login.
     *
     * @param name as the server spells it, such as {@code caching_sha2_password}
     * @param password empty if the account has none
     * @param sending decides in which form the password may be sent
     * @throws UnprotectedPasswordException if the plugin is not used here
     * @throws SourceException if the plugin is not supported
     */
    public static AuthPlugin named(String name, String password, PasswordSending sending) throws IOException {
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
                                .formatted(shown(name)));
        };
    }

    private static String shown(String name) {
        return name.length() <= MAX_NAME_LENGTH_SHOWN ? name : name.substring(0, MAX_NAME_LENGTH_SHOWN) + "…";
    }

    /** Whether a login may start with the plugin: {@link #named} knows it, and it does not send the password in clear text. */
    public static boolean isKnown(String name) {
        return switch (name) {
            case "mysql_native_password", "caching_sha2_password", "sha256_password" -> true;
            default -> false;
        };
    }
}
