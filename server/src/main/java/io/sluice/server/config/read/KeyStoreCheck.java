package io.sluice.server.config.read;

import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.protocol.tls.KeyStoreVersion;
import io.sluice.protocol.tls.KeyStores;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds what is wrong with key stores. Each version of a file is opened once, however often the configuration is read and however many instances name it:
 * deriving the key from a password takes up to 100 ms. For one thread at a time.
 */
final class KeyStoreCheck {
    /** Far more than the key stores of a server. */
    private static final int MAX_REMEMBERED = 1000;

    private final Map<Opened, Optional<String>> problems = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Opened, Optional<String>> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    private record Opened(KeyStoreFile file, boolean withKey, KeyStoreVersion version) {}

    /** @throws IOException if the certificates of a file cannot be trusted; it says which file and why */
    void requireTrusted(KeyStoreFile file) throws IOException {
        require(file, false);
    }

    /** @throws IOException if the certificate of a file cannot be presented; it says which file and why */
    void requireOwn(KeyStoreFile file) throws IOException {
        require(file, true);
    }

    private void require(KeyStoreFile file, boolean withKey) throws IOException {
        Opened opened = new Opened(file, withKey, KeyStoreVersion.of(file));
        Optional<String> problem = problems.get(opened);
        if (problem == null) {
            problem = problem(file, withKey);
            problems.put(opened, problem);
        }
        if (problem.isPresent()) {
            throw new IOException(problem.get());
        }
    }

    private static Optional<String> problem(KeyStoreFile file, boolean withKey) {
        try {
            if (withKey) {
                KeyStores.own(file);
            } else {
                KeyStores.trusted(file);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
