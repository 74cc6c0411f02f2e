package io.sluice.schema.history.database;

import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.tls.KeyStoreFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the parameters of Connector/J how a schema history's connection uses TLS. What its manual gives a meaning has that one here, or is
 * rejected: an ignored parameter would be a connection that is less safe than the URL asks for.
 */
final class HistoryTls {
    private static final String MODE = "sslMode";
    private static final String USE = "useSSL";
    private static final String REQUIRE = "requireSSL";
    private static final String VERIFY = "verifyServerCertificate";
    private static final String TRUST = "trustCertificateKeyStore";
    private static final String CLIENT = "clientCertificateKeyStore";
    private static final String TRUST_FALLBACK = "fallbackToSystemTrustStore";
    /** Either value leads to the same: there is no certificate of the system to present. */
    private static final String CLIENT_FALLBACK = "fallbackToSystemKeyStore";

    /** The name in Connector/J, and the one it had before. */
    private static final List<String> VERSIONS = List.of("tlsVersions", "enabledTLSProtocols");

    private static final List<String> KNOWN_VERSIONS = List.of("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3");

    private static final Set<String> HONOURED = Set.of(
            MODE.toLowerCase(Locale.ROOT),
            USE.toLowerCase(Locale.ROOT),
            REQUIRE.toLowerCase(Locale.ROOT),
            VERIFY.toLowerCase(Locale.ROOT),
            (TRUST + "Url").toLowerCase(Locale.ROOT),
            (TRUST + "Type").toLowerCase(Locale.ROOT),
            (TRUST + "Password").toLowerCase(Locale.ROOT),
            (CLIENT + "Url").toLowerCase(Locale.ROOT),
            (CLIENT + "Type").toLowerCase(Locale.ROOT),
            (CLIENT + "Password").toLowerCase(Locale.ROOT),
            TRUST_FALLBACK.toLowerCase(Locale.ROOT),
            CLIENT_FALLBACK.toLowerCase(Locale.ROOT),
            VERSIONS.get(0).toLowerCase(Locale.ROOT),
            VERSIONS.get(1).toLowerCase(Locale.ROOT));

    /** The parameters that have the same meaning without a value as if they were missing. */
    private static final Set<String> MAY_BE_BLANK = Set.of(
            (TRUST + "Type").toLowerCase(Locale.ROOT),
            (TRUST + "Password").toLowerCase(Locale.ROOT),
            (CLIENT + "Type").toLowerCase(Locale.ROOT),
            (CLIENT + "Password").toLowerCase(Locale.ROOT));

    /** In the names of all parameters of TLS, of this driver and of others. */
    private static final Pattern OF_TLS =
            Pattern.compile("(?i)ssl|tls|certificate|keystore|truststore|(?:key|trust)manager|fips");

    private final DriverParameters parameters;
    private final Path base;

    /** @param base the directory of a relative path */
    HistoryTls(DriverParameters parameters, Path base) {
        this.parameters = parameters;
        this.base = base;
    }

    /** @throws IllegalArgumentException if a parameter cannot be honoured; the message says which */
    TlsOptions options() {
        for (String name : parameters.names()) {
            String known = name.toLowerCase(Locale.ROOT);
            // Most are blank because a placeholder has no value: less than what is asked for must not follow from that.
            if (HONOURED.contains(known) && !MAY_BE_BLANK.contains(known) && !parameters.has(name)) {
                throw new IllegalArgumentException(
                        "has %s without a value: set one, or remove the parameter".formatted(name));
            }
            // What has no value may be a part of a password, and sets nothing.
            if (OF_TLS.matcher(name).find() && !HONOURED.contains(known) && parameters.isAssigned(name)) {
                throw new IllegalArgumentException(
                        "has the parameter %s, which cannot be honoured: remove it; TLS is set by sslMode, tlsVersions, trustCertificateKeyStore… and clientCertificateKeyStore…"
                                .formatted(name));
            }
        }
        KeyStoreFile trust = store(TRUST);
        TlsMode mode = mode(trust != null);
        boolean verifies = mode == TlsMode.VERIFY_CA || mode == TlsMode.VERIFY_IDENTITY;
        if (!parameters.flag(TRUST_FALLBACK, true) && verifies && trust == null) {
            throw new IllegalArgumentException("has %s=false, and no %sUrl whose certificates could be trusted instead"
                    .formatted(TRUST_FALLBACK, TRUST));
        }
        return new TlsOptions(mode, versions(), trust, store(CLIENT));
    }

    /** What is probably not intended, as sentences. The options must have been read without an exception. */
    List<String> doubts() {
        TlsMode mode = mode(parameters.has(TRUST + "Url"));
        boolean verifies = mode == TlsMode.VERIFY_CA || mode == TlsMode.VERIFY_IDENTITY;
        boolean isUnclear =
                !parameters.has(MODE) && parameters.flag(USE, false) && !parameters.has(VERIFY) && !verifies;
        if (isUnclear) {
            return List.of(
                    "has useSSL=true and does not say whether the server is verified: it is not, as with Connector/J 8, while Connector/J 5.1 verifies it;"
                            + " set sslMode=VERIFY_CA with trustCertificateKeyStoreUrl, or sslMode=REQUIRED");
        }
        if (parameters.has(TRUST + "Url") && !verifies) {
            return List.of(
                    "names certificates to trust, and the server is not verified with %s: set sslMode=VERIFY_CA or VERIFY_IDENTITY"
                            .formatted(mode));
        }
        return List.of();
    }

    private TlsMode mode(boolean hasTrust) {
        Optional<String> named = parameters.find(MODE);
        if (named.isPresent()) {
            try {
                return TlsMode.valueOf(named.get().toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "has an unknown sslMode: %s; there are %s"
                                .formatted(named.get(), Arrays.toString(TlsMode.values())),
                        e);
            }
        }
        boolean requires = parameters.flag(REQUIRE, false);
        // Certificates to trust are named for nothing else; Connector/J 5.1 verifies then, too.
        boolean verifies = parameters.flag(VERIFY, hasTrust);
        if (!parameters.has(USE)) {
            // TLS is used by default in Connector/J 8, so that these count.
            if (verifies && !requires && !parameters.has(VERIFY)) {
                throw new IllegalArgumentException("has %sUrl and does not say that TLS is used: set sslMode=%s"
                        .formatted(TRUST, TlsMode.VERIFY_CA));
            }
            if (verifies) {
                return TlsMode.VERIFY_CA;
            }
            return requires ? TlsMode.REQUIRED : TlsMode.PREFERRED;
        }
        if (!parameters.flag(USE, true)) {
            return TlsMode.DISABLED;
        }
        if (verifies) {
            return TlsMode.VERIFY_CA;
        }
        boolean isAlone = !parameters.has(REQUIRE) && !parameters.has(VERIFY);
        return requires || isAlone ? TlsMode.REQUIRED : TlsMode.PREFERRED;
    }

    private List<String> versions() {
        for (String name : VERSIONS) {
            Optional<String> value = parameters.find(name);
            if (value.isPresent()) {
                List<String> versions =
                        Arrays.stream(value.get().split(",")).map(String::trim).toList();
                if (!KNOWN_VERSIONS.containsAll(versions)) {
                    throw new IllegalArgumentException("has %s=%s, and known are %s"
                            .formatted(name, value.get(), String.join(", ", KNOWN_VERSIONS)));
                }
                return versions;
            }
        }
        return List.of();
    }

    private @Nullable KeyStoreFile store(String prefix) {
        String location = parameters.find(prefix + "Url").orElse("");
        String type = parameters.find(prefix + "Type").orElse("");
        String password = parameters.find(prefix + "Password").orElse("");
        if (location.isEmpty()) {
            if (!password.isEmpty()) {
                throw new IllegalArgumentException("has %1$sPassword without %1$sUrl".formatted(prefix));
            }
            return null;
        }
        try {
            Path file =
                    base.resolve(new KeyStoreFile(type, location, "").path()).normalize();
            return new KeyStoreFile(type, file.toString(), password);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "has a %sUrl that cannot be used: %s".formatted(prefix, e.getMessage()), e);
        }
    }
}
