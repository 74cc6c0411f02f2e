package io.sluice.server.config.sent;

import java.util.Map;

/**
 * Texts that a client has sent to have tried what they need: source, broker, ZooKeeper. No setting of theirs that names a file is in it.
 *
 * @param checked what was read of them; with the instance only if nothing is wrong with it
 * @param hasServer whether a {@code canal.properties} was sent; if not, what {@code checked} has of the server is not complete
 * @param untried what must not be tried, since a setting that it needs is not known here; each with a sentence that states which and why
 */
public record TrialTexts(CheckedTexts checked, boolean hasServer, Map<TrialPart, String> untried) {
    public TrialTexts {
        untried = Map.copyOf(untried);
    }

    /** Without the texts, which may hold passwords. */
    @Override
    public String toString() {
        return "TrialTexts[untried=%s]".formatted(untried.keySet());
    }
}
