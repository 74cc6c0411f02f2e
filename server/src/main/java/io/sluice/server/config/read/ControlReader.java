package io.sluice.server.config.read;

import io.sluice.server.config.key.ControlKeys;
import io.sluice.server.config.port.ControlConfig;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.config.port.PortTls;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Settings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads what is set for the control API. */
final class ControlReader {
    private final Settings settings;
    private final Path baseDirectory;
    private final Origin file;

    ControlReader(Settings settings, Path baseDirectory, Origin file) {
        this.settings = settings;
        this.baseDirectory = baseDirectory;
        this.file = file;
    }

    /** Reads it; empty if the port is to stay closed whether or not there are tokens. */
    Optional<ControlConfig> read() {
        int port = settings.get(ControlKeys.PORT);
        if (port <= 0) {
            return Optional.empty();
        }
        Optional<PortTls> tls = ControlKeys.TLS.read(settings);
        Map<String, String> certificates = certificates(tls);
        String address = settings.get(ControlKeys.ADDRESS);
        if (!LoopbackAddress.is(address) && tls.isEmpty() && !settings.get(ControlKeys.PLAINTEXT)) {
            settings.reject(
                    ControlKeys.ADDRESS,
                    "would send tokens over the network without TLS: set %s, or, if something else protects the network, %s = true"
                            .formatted(ControlKeys.TLS.keyUrl().name(), ControlKeys.PLAINTEXT.name()));
        }
        return Optional.of(new ControlConfig(address, port, tokens(), certificates, tls));
    }

    private Path tokens() {
        try {
            return baseDirectory.resolve(settings.get(ControlKeys.ACCESS)).normalize();
        } catch (InvalidPathException e) {
            settings.reject(ControlKeys.ACCESS, "must be the path of a file");
            return baseDirectory;
        }
    }

    private Map<String, String> certificates(Optional<PortTls> tls) {
        Map<String, String> roles = new TreeMap<>();
        for (String item : settings.get(ControlKeys.CERTIFICATES)) {
            int at = item.lastIndexOf('=');
            String role = item.substring(at + 1).strip();
            if (at < 1 || ControlRole.find(role).isEmpty()) {
                settings.reject(
                        ControlKeys.CERTIFICATES,
                        "must be common names with a role each: ops=administrator,dashboard=viewer");
            } else {
                roles.put(item.substring(0, at).strip(), role);
            }
        }
        boolean areAsked = tls.isPresent()
                && tls.get().clientAuth() != PortTls.ClientAuth.NONE
                && tls.get().trust().isPresent();
        if (!roles.isEmpty() && !areAsked) {
            settings.complain(
                    file,
                    ControlKeys.CERTIFICATES,
                    "has no effect unless %s is WANT or NEED, and %s has the authority of the certificates"
                            .formatted(
                                    ControlKeys.TLS.clientAuth().name(),
                                    ControlKeys.TLS.trustUrl().name()));
        }
        return roles;
    }
}
