package io.sluice.store.cursor.file;

import io.sluice.store.cursor.ClientsJson;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.text.DurableText;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What something else than its store has done to a cursor file: it was removed, replaced or damaged. The next write mends that, unless the instance has
 * failed: then an operator may have done it. For one thread at a time.
 */
final class OutsideChanges {
    private static final Logger LOG = LoggerFactory.getLogger(OutsideChanges.class);

    private final DurableText text;
    private final String destination;

    /** What was done to the file, and no write has mended yet; null if nothing was. */
    private @Nullable String damage;

    /** What an operator may have done to the file, as the newest look has found it, which is logged once; null if it is to be as written. */
    private @Nullable String leftAs;

    OutsideChanges(DurableText text, String destination) {
        this.text = text;
        this.destination = destination;
    }

    /**
     * Looks at the file before a write.
     *
     * @param isForOperator whether an operator may change the file: the instance has failed, and the lock file is the one that was locked before
     * @param written what was written last; null if that is not certain
     * @param newest the clients, for a log line
     */
    void look(boolean isForOperator, @Nullable List<Subscription> written, List<Subscription> newest) {
        boolean mayBeLeft = isForOperator && damage == null;
        String found = found(written);
        if (mayBeLeft && found != null) {
            leave(found, newest);
        } else {
            leftAs = null;
            damage = found;
        }
    }

    /** What was done to the file since it was written or read; null if it is as it was. */
    private @Nullable String found(@Nullable List<Subscription> written) {
        if (damage != null) {
            return damage;
        }
        if (written == null || (leftAs == null && !text.mayDiffer())) { // what was left may be put back
            return null;
        }
        try {
            boolean isSame =
                    ClientsJson.parse(text.read(), destination).subscriptions().equals(written);
            return isSame ? null : "replaced";
        } catch (NoSuchFileException e) {
            return "removed";
        } catch (IOException | IllegalArgumentException e) {
            return "damaged";
        }
    }

    private void leave(String what, List<Subscription> newest) {
        if (!what.equals(leftAs)) {
            leftAs = what;
            LOG.warn(
                    "a cursor file was removed or changed since its instance has failed, and is left so for the next start: instance={} file={} was={} cursors={}"
                            + " remedy=if it is to continue at these cursors, set them by sluice.sh cursor set before the start",
                    destination,
                    text.location(),
                    what,
                    newest);
        }
    }

    /** Whether the file is left as the newest look has found it, since an operator may have changed it. */
    boolean areLeft() {
        return leftAs != null;
    }

    /** Whether the file is to be written although the clients are those that were written. */
    boolean areToBeMended() {
        return damage != null;
    }

    /** Notes why the file could not be written: without its directory it was removed, too. */
    void onFailedWrite(IOException cause) {
        if (damage == null && cause instanceof NoSuchFileException) {
            damage = "removed";
        }
    }

    /**
     * Notes that the file was written: nothing is to be mended any more.
     *
     * @param newest the clients that it has now, for a log line
     */
    void onWrite(List<Subscription> newest) {
        if (damage == null) {
            return;
        }
        LOG.warn(
                "a cursor file that something else has removed or changed is written again: instance={} file={} was={} cursors={}"
                        + " remedy=change cursors by sluice.sh cursor while the instance is stopped, and set canal.file.data.dir to a directory that no deployment replaces",
                destination,
                text.location(),
                damage,
                newest);
        damage = null;
    }
}
