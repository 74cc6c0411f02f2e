package io.sluice.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.server.config.CursorKind;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.pace.Pace;
import io.sluice.server.pace.PaceKept;
import io.sluice.store.cursor.AtomicFile;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what an operator has set for the delivery of one destination where its cursor is kept: in a file of this server, or in ZooKeeper, from where each
 * owner takes it over. Thread-safe.
 */
final class PaceHome {
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
            } else if (next instanceof Path file) {
                pace.moveTo(new AtomicFile(file), () -> true, PaceKept.FILE, writers);
            } else {
                pace.keepNowhere();
            }
            place = next;
        }
        open = term;
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
