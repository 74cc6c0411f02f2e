package io.sluice.server.config.key;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Secret;
import java.util.List;
import java.util.function.UnaryOperator;

/** The keys of one of the servers that an instance may read. */
public record HostKeys(
        Key<ServerAddress> address,
        Key<String> file,
        Key<Long> offset,
        Key<Long> time,
        Key<String> gtid,
        Key<TlsMode> tlsMode,
        Key<List<String>> tlsVersions,
        Key<String> trustType,
        Key<String> trustUrl,
        Key<Secret> trustPassword,
        Key<String> clientType,
        Key<String> clientUrl,
        Key<Secret> clientPassword,
        Key<Boolean> allowKeyRetrieval,
        Key<String> serverKeyFile,
        Key<Boolean> enableCleartext) {
    /** Returns the keys of another server, by the function that makes their names. */
    public HostKeys named(UnaryOperator<String> name) {
        return new HostKeys(
                named(address, name),
                named(file, name),
                named(offset, name),
                named(time, name),
                named(gtid, name),
                named(tlsMode, name),
                named(tlsVersions, name),
                named(trustType, name),
                named(trustUrl, name),
                named(trustPassword, name),
                named(clientType, name),
                named(clientUrl, name),
                named(clientPassword, name),
                named(allowKeyRetrieval, name),
                named(serverKeyFile, name),
                named(enableCleartext, name));
    }

    /** Returns a copy with the given key of the address. */
    public HostKeys withAddress(Key<ServerAddress> other) {
        return new HostKeys(
                other,
                file,
                offset,
                time,
                gtid,
                tlsMode,
                tlsVersions,
                trustType,
                trustUrl,
                trustPassword,
                clientType,
                clientUrl,
                clientPassword,
                allowKeyRetrieval,
                serverKeyFile,
                enableCleartext);
    }

    private static <T> Key<T> named(Key<T> key, UnaryOperator<String> name) {
        return key.named(name.apply(key.name())).described("As `%s`, for this server.".formatted(key.name()));
    }

    public List<Key<?>> all() {
        return List.of(
                address,
                file,
                offset,
                time,
                gtid,
                tlsMode,
                tlsVersions,
                trustType,
                trustUrl,
                trustPassword,
                clientType,
                clientUrl,
                clientPassword,
                allowKeyRetrieval,
                serverKeyFile,
                enableCleartext);
    }
}
