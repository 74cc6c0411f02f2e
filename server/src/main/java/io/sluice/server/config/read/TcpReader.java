package io.sluice.server.config.read;

import io.sluice.protocol.wire.Scramble;
import io.sluice.server.config.TcpConfig;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Settings;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads what is set for the port where clients pull. */
final class TcpReader {
    private final Settings settings;
    private final Origin file;
    private final Set<String> warnings;

    /**
     * Makes a reader.
     *
     * @param file the server's file, where a key is missing
     * @param warnings gets what the operator should know at each start
     */
    TcpReader(Settings settings, Origin file, Set<String> warnings) {
        this.settings = settings;
        this.file = file;
        this.warnings = warnings;
    }

    /** Reads it; empty if the port is to stay closed. */
    Optional<TcpConfig> read() {
        String off = settings.find(Keys.WITHOUT_PORT).orElse("false");
        if (!off.equals("false")) {
            return Optional.empty();
        }
        TcpConfig tcp = new TcpConfig(
                settings.get(Keys.LISTEN_ADDRESS),
                settings.get(Keys.PORT),
                settings.get(Keys.USER),
                storedPassword(),
                limits(),
                Keys.TCP_TLS.read(settings));
        if (!tcp.authenticatesClients() && settings.isBlank(Keys.USER) && !LoopbackAddress.is(tcp.address())) {
            answerOpenPort(tcp);
        }
        return Optional.of(tcp);
    }

    private void answerOpenPort(TcpConfig tcp) {
        String address = tcp.address().isEmpty() ? "all addresses" : settings.shown(Keys.LISTEN_ADDRESS);
        String risk = ("clients need no password on port %s of %s: each host that can connect can read all tables that"
                        + " canal.instance.filter.black.regex does not exclude, ack what other clients wait for, and change the"
                        + " table filter for all")
                .formatted(settings.shown(Keys.PORT), address);
        if (settings.get(Keys.ALLOW_ANONYMOUS)) {
            warnings.add("%s = true: %s".formatted(Keys.ALLOW_ANONYMOUS.name(), risk));
            return;
        }
        String complaint = "%s; set %s and %s, or %s = 127.0.0.1, or, if this is intended, %s = true"
                .formatted(
                        risk,
                        Keys.USER.name(),
                        Keys.STORED_PASSWORD.name(),
                        Keys.LISTEN_ADDRESS.name(),
                        Keys.ALLOW_ANONYMOUS.name());
        if (settings.isBlank(Keys.LISTEN_ADDRESS)) {
            settings.complain(file, Keys.LISTEN_ADDRESS, complaint);
        } else {
            settings.reject(Keys.LISTEN_ADDRESS, complaint);
        }
    }

    private Secret storedPassword() {
        Secret stored = settings.get(Keys.STORED_PASSWORD);
        if (stored.value().isEmpty()) {
            if (!settings.isBlank(Keys.USER)) {
                settings.reject(
                        Keys.USER,
                        "needs " + Keys.STORED_PASSWORD.name() + ": a user without a password protects nothing");
            }
        } else if (!Scramble.isStored(stored.value())) {
            settings.reject(
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
                settings.get(Keys.WRITE_TIMEOUT),
                settings.get(Keys.MAX_SUBSCRIPTIONS));
    }
}
