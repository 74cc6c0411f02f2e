package io.sluice.server.config.read;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The result of reading the settings of one instance.
 *
 * @param config the settings; must not be used if there are problems
 * @param file the instance's own text
 * @param problems what is wrong with them; problems that are found later are added
 * @param digest the digest of all values that count for the instance
 * @param modified when its file was modified last; empty if it has none, or that is not known
 * @param isReplicaIdSecret whether the replica id must not be shown
 */
record ReadInstance(
        InstanceConfig config,
        PropertiesFile file,
        Set<Problem> problems,
        String digest,
        Optional<Instant> modified,
        boolean isReplicaIdSecret) {
    String destination() {
        return config.destination();
    }

    /** The name of the instance's text, as problems have it. */
    String document() {
        return file.origin().document();
    }

    boolean isRight() {
        return problems.isEmpty();
    }
}
