package io.sluice.server.pace;

import io.sluice.store.cursor.DurableText;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what an operator has set for the delivery of an instance, so that it outlives the process. Safe for use by several threads. */
final class PaceKeeping {
    private static final Logger LOG = LoggerFactory.getLogger(PaceKeeping.class);

    private final String destination;
    private final DurableText text;
    private @Nullable KeptPace written;
    private @Nullable String failure;

    PaceKeeping(String destination, DurableText text) {
        this.destination = destination;
        this.text = text;
    }

    /**
     * Reads what was kept.
     *
     * @throws IOException if it cannot be read, or makes no sense; the message says what, where, and what to do
     */
    synchronized KeptPace read() throws IOException {
        try {
            KeptPace kept = KeptPace.parse(text.read());
            written = kept;
            return kept;
        } catch (NoSuchFileException e) {
            written = KeptPace.NOTHING;
            return KeptPace.NOTHING;
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(
                    "the kept pause in %s cannot be read, so it is paused: %s".formatted(text.place(), e.getMessage()),
                    e);
        }
    }

    /** Writes what is set now; what cannot be written still holds until the process ends, and is logged. */
    synchronized void keep(Supplier<KeptPace> now) {
        KeptPace next = now.get(); // under the lock of this, so that the newest is written last
        if (next.equals(written)) {
            return;
        }
        try {
            text.replace(next.text());
            written = next;
            failure = null;
        } catch (IOException e) {
            written = null;
            failure = "%s cannot be written: %s".formatted(text.place(), e);
            LOG.error(
                    "a pause or limit cannot be kept, and ends with this process: instance={} place={} cause={}",
                    destination,
                    text.place(),
                    e.toString());
        }
    }

    /** Why the newest could not be written; null if it could. */
    synchronized @Nullable String failure() {
        return failure;
    }
}
