package io.sluice.server.config.read;

import io.sluice.protocol.wire.Scramble;
import io.sluice.server.config.key.PullKeys;
import io.sluice.server.config.password.WellKnownPasswords;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads what is set for the port where clients pull. */
final class TcpReader {
    private final Settings settings;
    private final Origin file;
    private final Set<Warning> warnings;

    /**
     * Makes a reader.
     *
     * @param file the server's file, where a key is missing
     * @param warnings gets what the operator should know at each start
     */
    TcpReader(Settings settings, Origin file, Set<Warning> warnings) {
        this.settings = settings;
        this.file = file;
        this.warnings = warnings;
    }

    /** Reads it; empty if the port is to stay closed. */
    Optional<TcpConfig> read() {
        String off = settings.find(PullKeys.WITHOUT_PORT).orElse("false");
        if (!off.equals("false") || settings.isSetBlank(PullKeys.WITHOUT_PORT)) {
            return Optional.empty();
        }
        TcpConfig tcp = new TcpConfig(
                settings.get(PullKeys.LISTEN_ADDRESS),
                settings.get(PullKeys.PORT),
                settings.get(PullKeys.USER),
                storedPassword(),
                limits(),
                PullKeys.TLS.read(settings));
        String stored = tcp.storedPassword().value();
        boolean isWeak = WellKnownPasswords.isEmpty(stored)
                || WellKnownPasswords.find(stored).isPresent();
        boolean isOpen = isWeak ? !tcp.authenticatesByCertificate() : !tcp.authenticatesClients();
        boolean isReported = stored.isEmpty() && !settings.isBlank(PullKeys.USER); // a user without a password
        if (isOpen && !isReported && !LoopbackAddress.is(tcp.address())) {
            answerOpenPort(tcp);
        }
        return Optional.of(tcp);
    }

    private void answerOpenPort(TcpConfig tcp) {
        String address = tcp.address().isEmpty() ? "all addresses" : settings.shown(PullKeys.LISTEN_ADDRESS);
        String stored = tcp.storedPassword().value();
        String password = stored.isEmpty()
                ? "no password"
                : WellKnownPasswords.isEmpty(stored)
                        ? "the empty password alone (%s)".formatted(PullKeys.STORED_PASSWORD.name())
                        : "the well-known password %s alone (%s)"
                                .formatted(WellKnownPasswords.find(stored).orElse(""), PullKeys.STORED_PASSWORD.name());
        String risk = ("clients need %s on port %s of %s: each host that can connect can read all tables that"
                        + " canal.instance.filter.black.regex does not exclude, ack what other clients wait for, and change the"
                        + " table filter for all")
                .formatted(password, settings.shown(PullKeys.PORT), address);
        if (settings.get(PullKeys.ALLOW_ANONYMOUS)) {
            warnings.add(new Warning.General("%s = true: %s".formatted(PullKeys.ALLOW_ANONYMOUS.name(), risk)));
            return;
        }
        String complaint =
                "%s; set %s and %s, or %s = 127.0.0.1; if this is intended, as with canal, add the line %s = true"
                        .formatted(
                                risk,
                                PullKeys.USER.name(),
                                PullKeys.STORED_PASSWORD.name(),
                                PullKeys.LISTEN_ADDRESS.name(),
                                PullKeys.ALLOW_ANONYMOUS.name());
        if (settings.isBlank(PullKeys.LISTEN_ADDRESS)) {
            settings.complain(file, PullKeys.LISTEN_ADDRESS, complaint);
        } else {
            settings.reject(PullKeys.LISTEN_ADDRESS, complaint);
        }
    }

    private Secret storedPassword() {
        Secret stored = settings.get(PullKeys.STORED_PASSWORD);
        if (stored.value().isEmpty()) {
            if (!settings.isBlank(PullKeys.USER)) {
                settings.reject(
                        PullKeys.USER,
                        "needs " + PullKeys.STORED_PASSWORD.name() + ": a user without a password protects nothing");
            }
        } else if (!Scramble.isStored(stored.value())) {
            settings.reject(
                    PullKeys.STORED_PASSWORD,
                    "must be the 40 hexadecimal digits of SHA1(SHA1(password)), as MySQL's password() gives them");
        }
        return new Secret(stored.value().toLowerCase(Locale.ROOT));
    }

    private TcpConfig.Limits limits() {
        return new TcpConfig.Limits(
                settings.get(PullKeys.MAX_CONNECTIONS),
                settings.get(PullKeys.MAX_UNAUTHENTICATED),
                settings.get(PullKeys.MAX_ACCEPTS),
                settings.get(PullKeys.MAX_FRAME),
                settings.get(PullKeys.HANDSHAKE_TIMEOUT),
                settings.get(PullKeys.IDLE_TIMEOUT),
                settings.get(PullKeys.WRITE_TIMEOUT),
                settings.get(PullKeys.MAX_SUBSCRIPTIONS));
    }
}
