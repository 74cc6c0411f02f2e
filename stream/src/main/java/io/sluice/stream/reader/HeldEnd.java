package io.sluice.stream.reader;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The end of a source that came while a chunk was held. The chunk is complete then as if it were not held, so that it counts as progress; the end is
 * reported with the next one. For one thread.
 */
final class HeldEnd {
    private @Nullable IOException broken;
    private boolean ended;

    /** Notes that the source broke. */
    void onBroken(IOException cause) {
        broken = cause;
    }

    /** Notes that the source ended. */
    void onEnded() {
        ended = true;
    }

    /**
     * Reports it, once.
     *
     * @return whether the source ended
     * @throws IOException if it broke
     */
    boolean take() throws IOException {
        IOException thrown = broken;
        broken = null;
        if (thrown != null) {
            throw thrown;
        }
        boolean wasEnded = ended;
        ended = false;
        return wasEnded;
    }

    /** Drops it, since the source is another one. */
    void clear() {
        broken = null;
        ended = false;
    }
}
