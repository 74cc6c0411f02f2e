package io.sluice.server.reload;

import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.key.KeyCatalog;
import java.util.List;

/**
 * The keys that have changed since the server was started, and take effect at its next start.
 *
 * @param keys sorted
 */
record RestartKeys(List<String> keys) {
    /** Compares what was read with what was in force at the start. */
    static RestartKeys of(ConfigDigests atStart, ConfigDigests next) {
        return new RestartKeys(List.copyOf(atStart.changedServerKeys(next)));
    }

    /** Why no changes of instances are taken over before the next start; empty if they are. */
    List<String> blocking() {
        return keys.stream()
                .filter(KeyCatalog.blockingKeys()::contains)
                .map(key -> key + " has changed: restart the server; until then no changes of instances are taken over")
                .toList();
    }
}
