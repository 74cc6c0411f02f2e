package io.sluice.server.pace;

import io.sluice.store.text.DurableText;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what an operator has set for the delivery of an instance, so that it outlives the process. Thread-safe. */
final class PaceKeeping {
    private static final Logger LOG = LoggerFactory.getLogger(PaceKeeping.class);

    private final String destination;
    private final DurableText text;
    private final BooleanSupplier owned;
    private final PaceKept kept;
    private @Nullable KeptPace written;

    /** Read without the lock, which is held while something is written. */
    private volatile @Nullable String failure;

    /**
     * Keeps it in a text.
     *
     * @param owned whether this server still owns the text
     * @param kept how long it holds there
     */
    PaceKeeping(String destination, DurableText text, BooleanSupplier owned, PaceKept kept) {
        this.destination = destination;
        this.text = text;
        this.owned = owned;
        this.kept = kept;
    }

    PaceKept kept() {
        return kept;
    }

    /** Whether the newest was not written, and may be some time later. */
    boolean isDue() {
        return failure != null && owned.getAsBoolean();
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
                    "the kept pause in %s cannot be read, so it is paused: %s"
                            .formatted(text.location(), e.getMessage()),
                    e);
        }
    }

    /** Writes what is set now; what cannot be written still holds until the process ends, and is logged. */
    synchronized void keep(Supplier<KeptPace> now) {
        KeptPace next = now.get(); // under the lock of this, so that the newest is written last
        if (next.equals(written) && isThere(next)) {
            return;
        }
        try {
            text.replace(next.text());
            written = next;
            if (failure != null) {
                LOG.info("a pause or limit is kept again: instance={} location={}", destination, text.location());
            }
            failure = null;
        } catch (IOException e) {
            written = null;
            boolean isFirst = failure == null;
            failure = "%s cannot be written: %s".formatted(text.location(), e);
            if (isFirst) { // it is tried again, and logged once
                LOG.error(
                        "a pause or limit cannot be kept, and ends with this process: instance={} location={} cause={}",
                        destination,
                        text.location(),
                        e.toString());
            }
        }
    }

    /**
     * Writes what is set if its file is gone, as with the folder of the instance. Another text stays until an operator sets something: it may have
     * been put there to hold, or have a slip that can be corrected.
     */
    synchronized void keepIfGone(Supplier<KeptPace> now) {
        if (kept != PaceKept.FILE || failure != null) { // what could not be written is tried again anyway
            return;
        }
        KeptPace holds = now.get();
        try {
            KeptPace found = KeptPace.parse(text.read());
            if (!found.equals(holds) && !found.equals(written)) { // else it is written soon
                warnOfOther(found.toString(), holds);
            }
        } catch (NoSuchFileException e) {
            keep(now);
        } catch (IOException | IllegalArgumentException e) {
            if (written != null) { // else it was logged when it was read first
                warnOfOther(e.toString(), holds);
            }
        }
    }

    private void warnOfOther(String found, KeptPace holds) {
        LOG.warn(
                "the file of a pause or limit has been changed and stays as it is, for the next process: instance={} location={} found={} in_force={}",
                destination,
                text.location(),
                found,
                holds);
    }

    /** A file may have been deleted or replaced since, as with the folder of the instance; a node in ZooKeeper is only written by this server. */
    private boolean isThere(KeptPace expected) {
        if (kept != PaceKept.FILE) {
            return true;
        }
        try {
            return KeptPace.parse(text.read()).equals(expected);
        } catch (NoSuchFileException e) {
            return expected.isNothing();
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Why the newest could not be written; null if it could. */
    @Nullable String failure() {
        return failure;
    }
}
