package io.sluice.server.config.read;

import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.protocol.tls.KeyStoreVersion;
import io.sluice.protocol.tls.KeyStores;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Finds what is wrong with key stores. Each version of a file in which nothing is wrong is opened once, however often the configuration is read and however many instances name it:
 * deriving the key from a password takes up to 100 ms. For one thread at a time.
 */
public final class KeyStoreCheck {
    /** Far more than the key stores of a server. */
    private static final int MAX_KEPT = 1000;

    /** The key stores in which nothing is wrong. A failure may have had another cause: no file descriptor, or a network's file system. */
    private final Set<Opened> sound = Collections.newSetFromMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Opened, Boolean> eldest) {
            return size() > MAX_KEPT;
        }
    });

    /** Creates one that knows no key store. */
    public KeyStoreCheck() {}

    private record Opened(KeyStoreFile file, boolean withKey, KeyStoreVersion version) {}

    /** @throws IOException if the certificates of a file cannot be trusted; it states which file and why */
    void requireTrusted(KeyStoreFile file) throws IOException {
        require(file, false);
    }

    /** @throws IOException if the certificate of a file cannot be presented; it states which file and why */
    void requireOwn(KeyStoreFile file) throws IOException {
        require(file, true);
    }

    private void require(KeyStoreFile file, boolean withKey) throws IOException {
        Opened opened = new Opened(file, withKey, KeyStoreVersion.of(file));
        if (sound.contains(opened)) {
            return;
        }
        if (withKey) {
            KeyStores.own(file);
        } else {
            KeyStores.trusted(file);
        }
        if (opened.version().exists()) { // else it was made only now
            sound.add(opened);
        }
    }
}
