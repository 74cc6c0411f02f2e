package io.sluice.server.config.reload;

import io.sluice.server.config.sent.CheckedTexts;
import io.sluice.server.config.sent.GivenTexts;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.server.config.text.Problem;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the configuration again, from where it was read at the start. */
@FunctionalInterface
public interface ConfigSource {
    /** Reads it; what cannot be read is among its problems. May wait for a disk or a network. Called by one thread at a time. */
    ReadConfiguration read();

    /**
     * Notes that what was read last is taken over: it is what counts while the source cannot be asked, and after a start without it. Called by the
     * thread that reads.
     *
     * @param only the destination of which alone it is taken over: of all others, what was taken over before counts, and of this one, too, if what
     *     it has in common with the others has changed; null for all that was read
     */
    default void takenOver(@Nullable String only) {}

    /**
     * What was wrong with single instances when it was read at the start, by destination: these run with what was right before, or not at all.
     * Empty if nothing was, or a server does not start then.
     */
    default Map<String, List<Problem>> problemsAtStart() {
        return Map.of();
    }

    /**
     * Checks texts that a client has sent as those of this source are read, but without anything that is outside of them: no file, no
     * variable, no secret. Nothing is put into force. Thread-safe.
     *
     * @throws UnsupportedOperationException if this source cannot
     */
    default CheckedTexts check(GivenTexts texts) {
        throw new UnsupportedOperationException("this source checks no texts");
    }

    /**
     * Reads texts that a client has sent to have tried what they need, as {@link #check} does. Thread-safe.
     *
     * @throws UnsupportedOperationException if this source cannot
     */
    default TrialTexts forTrial(GivenTexts texts) {
        throw new UnsupportedOperationException("this source checks no texts");
    }
}
