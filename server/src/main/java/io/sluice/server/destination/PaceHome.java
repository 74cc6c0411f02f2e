package io.sluice.server.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.pace.Pace;
import io.sluice.server.pace.PaceKept;
import io.sluice.store.text.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what an operator has set for the delivery of one destination where its cursor is kept: in a file of this server, or in ZooKeeper, from where each
 * owner takes it over. Thread-safe.
 */
final class PaceHome {
    private static final Logger LOG = LoggerFactory.getLogger(PaceHome.class);

    /** What an operator has set for the delivery of an instance, beside its cursor. */
    private static final String FILE = "pace";

    private final Pace pace;
    private final Executor writers;

    /** A file, or the term in which a node is ours; null if nothing is kept. */
    @GuardedBy("this") private @Nullable Object place;

    /** The newest for which everything is taken over; null before the first. */
    private volatile @Nullable OwnershipTerm open;

    /** @param writers may wait for a disk, or for ZooKeeper */
    PaceHome(Pace pace, Executor writers) {
        this.pace = pace;
        this.writers = writers;
    }

    /** Whether the owner alone knows what is set, since it is kept for all servers. */
    static boolean isShared(InstanceConfig config) {
        return config.keepsPace() && config.cursor().kind() == CursorKind.ZOOKEEPER;
    }

    /** Takes over what this server has kept in a file; to be called when the destination is added. */
    synchronized void begin(InstanceConfig config) {
        Path file = fileOf(config);
        if (file != null && place == null) {
            pace.keepIn(new AtomicFile(file), writers);
            place = file;
        } else if (file != null && file.equals(place)) {
            pace.keepIfGone(); // the destination was removed and is added again, perhaps with a folder without it
        }
    }

    /**
     * Has it kept as is configured, before an instance is made. What was set in the same term counts, wherever it was kept; in a new
     * one, what ZooKeeper has.
     *
     * @throws io.sluice.store.cursor.CursorException if ZooKeeper cannot be asked
     */
    synchronized void keep(InstanceConfig config, OwnershipTerm term) {
        boolean isNewTerm = !term.equals(open);
        Object next = isShared(config) ? term : fileOf(config);
        if (!Objects.equals(next, place)) {
            if (next instanceof OwnershipTerm) {
                keepInZooKeeper(config.destination(), term, isNewTerm);
                place = next;
            } else if (next instanceof Path file) {
                moveTo(file);
            } else {
                pace.keepNowhere();
                place = next;
            }
        } else if (next instanceof Path) {
            pace.keepIfGone();
        }
        open = term;
    }

    /**
     * Has it kept in the file that a changed configuration names, for a destination that has no instance: the next process may be the one
     * that starts it. To be called when its cursors have been moved. All other places are left to the next start.
     */
    synchronized void relocate(InstanceConfig config) {
        Path file = fileOf(config);
        if (file != null && !(place instanceof OwnershipTerm) && !file.equals(place)) {
            moveTo(file);
        }
    }

    /** Deletes the file where it was kept before: else that would hold again when the configuration names that one again. */
    @GuardedBy("this") private void moveTo(Path file) {
        Object former = place;
        pace.moveTo(new AtomicFile(file), () -> true, PaceKept.FILE, writers);
        place = file;
        if (former instanceof Path left && pace.whyNotKept() == null) {
            try {
                if (Files.exists(left) && !Files.isSameFile(left, file)) {
                    Files.delete(left);
                }
            } catch (IOException e) {
                LOG.warn(
                        "a pause or limit is kept in another file now, and the former file cannot be deleted: file={} cause={}",
                        left,
                        e.toString());
            }
        }
    }

    @GuardedBy("this") private void keepInZooKeeper(String destination, OwnershipTerm term, boolean isNewTerm) {
        if (isNewTerm) {
            pace.takeOver(term.openPace(destination), term.ownership()::isHeld, PaceKept.CLUSTER, writers);
        } else {
            pace.moveTo(term.openPace(destination), term.ownership()::isHeld, PaceKept.CLUSTER, writers);
        }
    }

    private static @Nullable Path fileOf(InstanceConfig config) {
        return config.keepsPace() && config.cursor().kind() == CursorKind.FILE
                ? config.cursor().directory().resolve(FILE)
                : null;
    }

    /** Whether what is set is known in a term, so that it can be shown and changed. */
    boolean isOpenIn(@Nullable OwnershipTerm term) {
        return term != null && term.equals(open);
    }
}
