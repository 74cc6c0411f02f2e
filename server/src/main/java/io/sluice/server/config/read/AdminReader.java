package io.sluice.server.config.read;

import io.sluice.protocol.wire.Scramble;
import io.sluice.server.config.key.AdminKeys;
import io.sluice.server.config.key.PullKeys;
import io.sluice.server.config.password.WellKnownPasswords;
import io.sluice.server.config.port.AdminConfig;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what is set for the management port.
 *
 * <p>canal's own file opens this port with a password that is published. So a file that was written for canal opens it only if it
 * has a password of the operator's own; a well-known one will do where {@code canal.admin.ip}, which canal does not have, is a loopback
 * address.
 */
final class AdminReader {
    private static final String REMEDY =
            "set canal.admin.passwd to the 40 hexadecimal digits of SHA1(SHA1(password)) of a password of your own,"
                    + " or leave canal.admin.port blank";

    private final Settings settings;
    private final Set<Warning> warnings;

    /**
     * Makes a reader.
     *
     * @param warnings gets what the operator should know at each start
     */
    AdminReader(Settings settings, Set<Warning> warnings) {
        this.settings = settings;
        this.warnings = warnings;
    }

    /** Reads it; empty if the port is to stay closed. */
    Optional<AdminConfig> read() {
        String stored = storedPassword();
        Optional<Integer> port = settings.find(AdminKeys.PORT);
        if (port.isEmpty()) {
            if (!stored.isEmpty() && WellKnownPasswords.find(stored).isEmpty()) {
                warnings.add(new Warning.General(
                        "canal.admin.passwd has no effect without canal.admin.port: the management port is closed"));
            }
            return Optional.empty();
        }
        if (stored.isEmpty() || WellKnownPasswords.isEmpty(stored)) {
            warnings.add(new Warning.General(
                    "the management port (canal.admin.port) stays closed, since it has no password: " + REMEDY));
            return Optional.empty();
        }
        String own = settings.get(AdminKeys.ADDRESS);
        Optional<String> known = WellKnownPasswords.find(stored);
        if (known.isPresent() && !LoopbackAddress.is(own)) {
            warnings.add(new Warning.General(
                    ("the management port (canal.admin.port) stays closed, since canal.admin.passwd is that of the well-known"
                                    + " password %s: %s; or, to let all users of this machine in, set canal.admin.ip = 127.0.0.1")
                            .formatted(known.get(), REMEDY)));
            return Optional.empty();
        }
        return Optional.of(new AdminConfig(
                own.isEmpty() ? settings.get(PullKeys.LISTEN_ADDRESS) : own,
                port.get(),
                settings.get(AdminKeys.USER),
                new Secret(stored),
                AdminKeys.TLS.read(settings)));
    }

    /** In lower case; blank if there is none, or what is there cannot be one. */
    private String storedPassword() {
        String stored = settings.get(AdminKeys.PASSWORD).value();
        if (!stored.isEmpty() && !Scramble.isStored(stored)) {
            settings.reject(
                    AdminKeys.PASSWORD,
                    "must be the 40 hexadecimal digits of SHA1(SHA1(password)), as MySQL's password() gives them");
            return "";
        }
        return stored.toLowerCase(Locale.ROOT);
    }
}
