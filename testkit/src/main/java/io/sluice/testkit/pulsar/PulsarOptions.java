package io.sluice.testkit.pulsar;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a broker is to be started.
 *
 * @param settings lines of {@code standalone.conf}; they win over the defaults
 * @param jvmOptions options of the broker's JVM
 * @param token the token of the broker's own clients and of the testkit; empty if the broker has no authentication
 * @param gatePort where clients are sent that use the listener {@link #GATE}; 0 if there is none
 */
public record PulsarOptions(Map<String, String> settings, List<String> jvmOptions, String token, int gatePort) {
    /** The name of the listener that clients reach through a gate. */
    public static final String GATE = "gate";

    public PulsarOptions {
        settings = Map.copyOf(settings);
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** A broker for tests: 384 MB of heap, and quick to start rather than quick in the long run. */
    public static PulsarOptions defaults() {
        return new PulsarOptions(
                Map.of(),
                List.of(
                        "-Xms96m",
                        "-Xmx384m",
                        "-XX:MaxDirectMemorySize=256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1"),
                "",
                0);
    }

    /** Returns a copy with one more setting, such as {@code maxMessageSize}. */
    public PulsarOptions with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new PulsarOptions(more, jvmOptions, token, gatePort);
    }

    /** Returns a copy by which every client needs a token that {@code tokens} has made. */
    public PulsarOptions withTokens(PulsarTokens tokens) {
        String own = tokens.token(PulsarTokens.SUPERUSER);
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put("authenticationEnabled", "true");
        more.put("authenticationProviders", "org.apache.pulsar.broker.authentication.AuthenticationProviderToken");
        more.put("tokenSecretKey", tokens.secretKey());
        more.put("authorizationEnabled", "true");
        more.put("superUserRoles", PulsarTokens.SUPERUSER);
        more.put("brokerClientAuthenticationPlugin", "org.apache.pulsar.client.impl.auth.AuthenticationToken");
        more.put("brokerClientAuthenticationParameters", "token:" + own);
        return new PulsarOptions(more, jvmOptions, own, gatePort);
    }

    /** Returns a copy with a port for TLS, too. */
    public PulsarOptions withTls(Path certificate, Path key) {
        return with("tlsCertificateFilePath", certificate.toString()).with("tlsKeyFilePath", key.toString());
    }

    /** Whether it has a port for TLS. */
    boolean isTls() {
        return settings.containsKey("tlsKeyFilePath");
    }

    /** Returns a copy with a second address for its clients: that of a gate in front of it. */
    public PulsarOptions viaGate(int port) {
        return new PulsarOptions(settings, jvmOptions, token, port);
    }
}
