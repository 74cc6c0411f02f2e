package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.LIST;
import static io.sluice.server.config.text.ValueType.SECRET;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.URL_TEXT;
import static io.sluice.server.config.text.ValueType.oneOf;

import io.sluice.server.config.port.PortTls;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Settings;
import java.util.List;
import java.util.Optional;

/** The keys by which a port is protected; they are the same for each, but for how they begin. */
public record PortTlsKeys(
        Key<String> keyUrl,
        Key<String> keyType,
        Key<Secret> keyPassword,
        Key<String> trustUrl,
        Key<String> trustType,
        Key<Secret> trustPassword,
        Key<PortTls.ClientAuth> clientAuth,
        Key<List<String>> versions) {
    /**
     * The keys that begin so.
     *
     * @param peers the clients that connect to the port, in the plural
     */
    public static PortTlsKeys of(String prefix, String peers) {
        return new PortTlsKeys(
                Key.server(prefix + "keyStore", URL_TEXT, "")
                        .ours()
                        .described("The key and the certificates of the port; blank: no TLS."),
                Key.server(prefix + "keyStoreType", TEXT, "PKCS12")
                        .ours()
                        .described(
                                "`PKCS12`, `JKS`, or `PEM` for a file with certificates and a key without a password."),
                Key.server(prefix + "keyStorePassword", SECRET, "").ours().described("The password of that file."),
                Key.server(prefix + "trustStore", URL_TEXT, "")
                        .ours()
                        .described("The certificates that are trusted in %s; blank: those that the JVM trusts."
                                .formatted(peers)),
                Key.server(prefix + "trustStoreType", TEXT, "PKCS12")
                        .ours()
                        .described("`PKCS12`, `JKS`, or `PEM` for a file with certificates."),
                Key.server(prefix + "trustStorePassword", SECRET, "").ours().described("The password of that file."),
                Key.server(prefix + "clientAuth", oneOf(PortTls.ClientAuth.class, PortTls.ClientAuth::name), "NONE")
                        .ours()
                        .described("Whether %s show a certificate: `WANT`: if they have one; `NEED`: always."
                                .formatted(peers)),
                Key.server(prefix + "versions", LIST, "TLSv1.2,TLSv1.3")
                        .ours()
                        .described("The versions of TLS that may be spoken."));
    }

    public List<Key<?>> all() {
        return List.of(keyUrl, keyType, keyPassword, trustUrl, trustType, trustPassword, clientAuth, versions);
    }

    /** Reads them; empty if no key store is named. */
    public Optional<PortTls> read(Settings settings) {
        return settings.findKeyStore(keyType, keyUrl, keyPassword)
                .map(key -> new PortTls(
                        key,
                        settings.findKeyStore(trustType, trustUrl, trustPassword),
                        settings.get(clientAuth),
                        settings.get(versions)));
    }
}
