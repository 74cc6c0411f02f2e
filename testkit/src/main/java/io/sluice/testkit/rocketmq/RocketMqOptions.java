package io.sluice.testkit.rocketmq;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a broker is to be started.
 *
 * @param settings lines of {@code broker.conf}; they win over the defaults
 * @param jvmOptions options of the broker's JVM
 * @param accessKey the user of the testkit's own clients; empty if the broker has no authentication
 * @param secretKey their secret
 * @param port where the broker listens; 0 for any port that is free
 */
public record RocketMqOptions(
        Map<String, String> settings, List<String> jvmOptions, String accessKey, String secretKey, int port) {
    public RocketMqOptions {
        settings = Map.copyOf(settings);
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** How long a request may wait in a broker on a slow machine. */
    private static final String PATIENCE_MILLIS = "60000";

    /** A broker for tests: 192 MB of heap, quick to start rather than quick in the long run, and it rejects nothing since it is slow. */
    public static RocketMqOptions defaults() {
        return new RocketMqOptions(
                Map.of(
                        "waitTimeMillsInSendQueue", PATIENCE_MILLIS,
                        "osPageCacheBusyTimeOutMills", PATIENCE_MILLIS),
                List.of(
                        "-Xms64m",
                        "-Xmx192m",
                        "-XX:MaxDirectMemorySize=128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1"),
                "",
                "",
                0);
    }

    /** Returns a copy with one more setting, such as {@code maxMessageSize}. */
    public RocketMqOptions with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new RocketMqOptions(more, jvmOptions, accessKey, secretKey, port);
    }

    /** Returns the options of a broker that listens on a port of 127.0.0.1 and advertises another address. */
    RocketMqOptions viaGate(String address, int newPort) {
        return new RocketMqOptions(settings, jvmOptions, accessKey, secretKey, newPort)
                .with("brokerIP1", address)
                .with("bindAddress", "127.0.0.1");
    }

    /** Returns the options of a broker that accepts only requests signed with a key that it knows; this one may do everything. */
    public RocketMqOptions withAcl(String newAccessKey, String newSecretKey) {
        String credentials = "{\"accessKey\":\"%s\",\"secretKey\":\"%s\"}".formatted(newAccessKey, newSecretKey);
        return new RocketMqOptions(settings, jvmOptions, newAccessKey, newSecretKey, port)
                .with("authenticationEnabled", "true")
                .with(
                        "authenticationProvider",
                        "org.apache.rocketmq.auth.authentication.provider.DefaultAuthenticationProvider")
                .with(
                        "authenticationMetadataProvider",
                        "org.apache.rocketmq.auth.authentication.provider.LocalAuthenticationMetadataProvider")
                .with("authorizationEnabled", "true")
                .with(
                        "authorizationProvider",
                        "org.apache.rocketmq.auth.authorization.provider.DefaultAuthorizationProvider")
                .with(
                        "authorizationMetadataProvider",
                        "org.apache.rocketmq.auth.authorization.provider.LocalAuthorizationMetadataProvider")
                .with(
                        "initAuthenticationUser",
                        "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(newAccessKey, newSecretKey))
                .with("innerClientAuthenticationCredentials", credentials);
    }
}
