package io.sluice.server.config.sent;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.text.Problem;
import java.util.List;

/**
 * The result of a check of texts that a client has sent.
 *
 * @param configuration what was read of them; with the instance only if nothing is wrong with it. It is not to be put into force: what is
 *     outside of the texts is not in it
 * @param problems what is wrong with them
 * @param unread settings that were not checked, since they need what is outside of the texts
 */
public record CheckedTexts(Configuration configuration, List<Problem> problems, List<Problem> unread) {
    public CheckedTexts {
        problems = List.copyOf(problems);
        unread = List.copyOf(unread);
    }
}
