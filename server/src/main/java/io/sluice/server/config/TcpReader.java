package io.sluice.server.config;

import io.sluice.protocol.wire.Scramble;
import java.util.Locale;
import java.util.Optional;

/** Reads what is set for the port where clients pull. */
final class TcpReader {
    private final Settings settings;

    TcpReader(Settings settings) {
        this.settings = settings;
    }

    /** Reads it; empty if the port is to stay closed. */
    Optional<TcpConfig> read() {
        String off = settings.find(Keys.WITHOUT_PORT).orElse("false");
        if (!off.equals("false")) {
            return Optional.empty();
        }
        return Optional.of(new TcpConfig(
                settings.get(Keys.LISTEN_ADDRESS),
                settings.get(Keys.PORT),
                settings.get(Keys.USER),
                storedPassword(),
                limits(),
                Keys.TCP_TLS.read(settings)));
    }

    private Secret storedPassword() {
        Secret stored = settings.get(Keys.STORED_PASSWORD);
        if (stored.value().isEmpty()) {
            if (!settings.isBlank(Keys.USER)) {
                settings.complain(
                        Keys.USER, "needs " + Keys.STORED_PASSWORD.name() + ": a name alone keeps nobody out");
            }
        } else if (!Scramble.isStored(stored.value())) {
            settings.complain(
                    Keys.STORED_PASSWORD,
                    "must be the 40 hexadecimal digits of SHA1(SHA1(password)), as MySQL's password() gives them");
        }
        return new Secret(stored.value().toLowerCase(Locale.ROOT));
    }

    private TcpConfig.Limits limits() {
        return new TcpConfig.Limits(
                settings.get(Keys.MAX_CONNECTIONS),
                settings.get(Keys.MAX_UNAUTHENTICATED),
                settings.get(Keys.MAX_ACCEPTS),
                settings.get(Keys.MAX_FRAME),
                settings.get(Keys.HANDSHAKE_TIMEOUT),
                settings.get(Keys.IDLE_TIMEOUT),
                settings.get(Keys.WRITE_TIMEOUT));
    }
}
