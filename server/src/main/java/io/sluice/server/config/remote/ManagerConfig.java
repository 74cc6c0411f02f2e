package io.sluice.server.config.remote;

import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.text.LoopbackHost;
import io.sluice.server.config.text.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The admin server that has the configuration of this server, and what this one reports of itself there.
 *
 * @param address {@code http} or {@code https}, without a slash at its end
 * @param user the user name that it is sent
 * @param storedPassword the hexadecimal SHA1(SHA1(password)), as it is sent; never blank
 * @param ip the address by which it knows this server
 * @param port the management port by which it knows this server
 * @param register whether it shall add this server if it does not know it
 * @param cluster the cluster to which it then adds it; blank: none
 * @param name the name that it then shows
 * @param trust the certificates that are trusted of {@code https}; empty: those that the JVM trusts
 * @param startLimit how long a start tries to reach it
 * @param fileDirectories the directories of files that its texts may name in placeholders
 * @param copy the file that keeps the last configuration that was right; empty: none is kept
 */
public record ManagerConfig(
        URI address,
        String user,
        Secret storedPassword,
        String ip,
        int port,
        boolean register,
        String cluster,
        String name,
        Optional<KeyStoreFile> trust,
        Duration startLimit,
        List<Path> fileDirectories,
        Optional<Path> copy) {
    public ManagerConfig {
        fileDirectories = List.copyOf(fileDirectories);
    }

    /** Whether what it is sent, and the passwords in what it sends, can be read on their way to another machine. */
    public boolean isPlainText() {
        return "http".equalsIgnoreCase(address.getScheme()) && !LoopbackHost.is(address.getHost());
    }

    /** Returns the same without registration, for commands that must not change the admin server. */
    public ManagerConfig withoutRegistration() {
        return new ManagerConfig(
                address,
                user,
                storedPassword,
                ip,
                port,
                false,
                cluster,
                name,
                trust,
                startLimit,
                fileDirectories,
                copy);
    }
}
