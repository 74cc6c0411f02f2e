package io.sluice.server.instance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.instance.CursorConfig;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.file.FileCursorEditor;
import io.sluice.store.cursor.file.FileCursorStore;
import io.sluice.stream.source.server.SourceHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the cursors of one destination for each of its instances, and moves them when its configuration names another location for them. Safe
 * for use by several threads.
 *
 * <p>An instance that found no cursor there would begin at the end of the binlog. In another term of ownership another server may have moved
 * the cursors, so what is there counts then.
 */
public final class CursorHome {
    private static final Logger LOG = LoggerFactory.getLogger(CursorHome.class);

    private final String destination;
    private final DeploymentFile deployment;
    private final ScheduledExecutorService timer;

    @GuardedBy("this") private @Nullable Kept newest;

    /** Which cursors of an instance are written again if their file is gone at the start of the next one. */
    private enum Recall {
        /** All: the instances follow each other, and no operator has stopped the destination. */
        ALL,
        /** The clients that could not be written at its end: what is removed from a destination that is stopped is removed on purpose. */
        UNWRITTEN,
        /** None: an operator has set or deleted them since. */
        NONE
    }

    /**
     * Where cursors are.
     *
     * @param opened the cursors as they were opened there, so that a file which is missing now was lost; null if they were not
     * @param source from which they were read
     * @param recall which of them are written again if their file is gone
     */
    private record Kept(
            CursorConfig location,
            OwnershipTerm term,
            @Nullable CursorStore opened,
            List<SourceHost> source,
            Recall recall) {
        Kept with(Recall other) {
            return new Kept(location, term, opened, source, other);
        }

        /** The clients that were lost with their file; empty if it is there, or was removed on purpose. */
        List<Subscription> lost() {
            if (opened == null
                    || location.kind() != CursorKind.FILE
                    || recall == Recall.NONE
                    || opened.isLeftToOperator()) {
                return List.of();
            }
            boolean isRecalled = recall == Recall.ALL || opened.isLeftUnwritten();
            return isRecalled && Files.notExists(location.directory().resolve(FileCursorStore.FILE_NAME))
                    ? opened.kept()
                    : List.of();
        }

        /** The clients that ZooKeeper has lost with its data before another term; empty if it has not lost its data. */
        List<Subscription> lostBefore(OwnershipTerm next, CursorConfig there) {
            return opened != null
                            && recall != Recall.NONE
                            && location.kind() == CursorKind.ZOOKEEPER
                            && there.kind() == CursorKind.ZOOKEEPER
                            && next.isAfterLossSince(term)
                    ? opened.kept()
                    : List.of();
        }

        /** The cursors themselves, if they are nowhere else; null if they are. */
        @Nullable CursorStore inMemory() {
            return location.kind() == CursorKind.MEMORY ? opened : null;
        }

        boolean wasOpened() {
            return opened != null;
        }
    }

    /**
     * Knows of no cursors.
     *
     * @param deployment the id of the deployment, which follows cursors that are moved for no instance
     * @param timer used while cursors are moved for no instance
     */
    CursorHome(String destination, DeploymentFile deployment, ScheduledExecutorService timer) {
        this.destination = destination;
        this.deployment = deployment;
        this.timer = timer;
    }

    /** Takes note of where the cursors of a destination are that has no instance yet, and that no other server runs. */
    public synchronized void begin(CursorConfig location) {
        if (newest == null && location.kind() != CursorKind.MEMORY) {
            newest = new Kept(location, OwnershipTerm.sole(), null, List.of(), Recall.NONE);
        }
    }

    /**
     * Moves the cursors from one file to another one for a destination whose configuration has changed, and that has no instance, with the id of its
     * deployment. What is shown and set of its cursors until the next start is in that file. All other locations are left to the next start.
     *
     * @throws CursorException if they cannot be read or moved, or if there are others already
     */
    public synchronized void relocate(CursorConfig location) {
        Kept former = newest;
        if (former != null
                && former.location().kind() == CursorKind.FILE
                && location.kind() == CursorKind.FILE
                && !isSame(former.location(), location)) {
            deployment.follow(former.location(), location); // brokers know the producers by it
            open(location, former.term(), former.source(), this::openFile).close();
            newest = Objects.requireNonNull(newest).with(Recall.NONE);
        }
    }

    private CursorStore openFile(CursorConfig location) {
        return FileCursorStore.open(
                location.directory().resolve("..").normalize(),
                destination,
                timer,
                location.flushPeriod(),
                Time.SYSTEM);
    }

    /**
     * Notes that the destination is stopped or removed. Cursors that are nowhere but in memory are forgotten: the next instance begins at the configured
     * position. So it does if their file is removed from now on; those that the instance could not write at its end are still known.
     */
    public synchronized void forgetMemory() {
        if (newest != null && newest.inMemory() != null) {
            newest = null;
        } else if (newest != null && newest.recall() == Recall.ALL) {
            newest = newest.with(Recall.UNWRITTEN);
        }
    }

    /**
     * Writes cursors that the last instance could not write at its end, as without its directory, which is made again, if there is no file. One that is
     * there counts, though it may be older: an operator may have set it since. To be called at the end of the process, when nothing can move the
     * directory back for an instance of this process, and the next process does not know the cursors.
     *
     * @throws CursorException if they cannot be written; that is logged
     */
    public synchronized void writeLeft() {
        Kept last = newest;
        if (last == null || last.recall() == Recall.NONE) {
            return;
        }
        List<Subscription> left = last.with(Recall.UNWRITTEN).lost();
        if (left.isEmpty()) {
            return;
        }
        try {
            editor(last.location()).replace(left);
            LOG.warn(
                    "the directory of the cursors was removed, and is made again for the next process: instance={} directory={} cursors={}"
                            + " remedy=put the other files of the directory back beside the new meta.dat",
                    destination,
                    last.location().directory(),
                    left);
        } catch (CursorException e) {
            warnOfUnwritten(last.location(), left, e);
            throw e;
        }
    }

    private void warnOfUnwritten(CursorConfig location, List<Subscription> left, CursorException cause) {
        LOG.warn(
                "the newest cursors of an instance that has ended could not be written: instance={} directory={} cursors={} cause={}"
                        + " remedy=set them by sluice.sh cursor set before the next start",
                destination,
                location.directory(),
                left,
                String.valueOf(cause.getMessage()));
    }

    /** Notes that an operator has set or deleted cursors while there is no instance: those of the last one are never written again. */
    public synchronized void changedByOperator() {
        if (newest != null) {
            newest = newest.with(Recall.NONE);
        }
    }

    /**
     * Opens the cursors at a location, with those of the last instance of the same term.
     *
     * @param source from which is read: cursors whose file is gone are written again for the same one only
     * @param opener opens what is at a location
     * @throws CursorException if they cannot be read or moved, or if there are others at that location already
     */
    synchronized CursorStore open(
            CursorConfig location,
            OwnershipTerm term,
            List<SourceHost> source,
            Function<CursorConfig, CursorStore> opener) {
        CursorStore opened = opener.apply(location);
        Kept former = newest;
        try {
            if (former != null && former.term().equals(term)) {
                if (isSame(former.location(), location)) {
                    putBack(former, source, location, opened);
                } else {
                    move(former, source, location, opened, opener);
                }
            } else if (former != null) {
                continueAfterLoss(former, source, former.lostBefore(term, location), opened);
            }
        } catch (RuntimeException | Error e) {
            close(opened, location);
            throw e;
        }
        if (location.kind() == CursorKind.ZOOKEEPER && opened.kept().isEmpty()) {
            warnOfFile(location);
        }
        if (former != null && !former.term().equals(term)) {
            warnOfOlder(former, location, opened.kept());
        }
        newest = new Kept(location, term, opened, source, Recall.ALL);
        return opened;
    }

    /**
     * Writes the cursors of the last instance again if they were lost with their file, as with the directory of the instance. To delete cursors
     * on purpose leaves a file without them.
     */
    private void putBack(Kept former, List<SourceHost> source, CursorConfig location, CursorStore opened) {
        List<Subscription> lost = former.lost();
        if (lost.isEmpty() || !opened.kept().isEmpty()) {
            return;
        }
        if (!isSameSource(former.source(), source)) {
            LOG.warn(
                    "the cursor file is gone, and the cursors of the last instance are not used, since the source or the start position is another one now:"
                            + " instance={} directory={} cursors={} remedy=if they are to hold, stop the instance, and set them by sluice.sh cursor set",
                    destination,
                    location.directory(),
                    lost);
            return;
        }
        opened.replaceAll(lost);
        opened.flush();
        LOG.warn(
                "the cursor file was removed, and has the cursors of the last instance again: instance={} directory={} cursors={}"
                        + " remedy=if it is to begin without a cursor, delete that by sluice.sh cursor delete while the instance is stopped",
                destination,
                location.directory(),
                lost);
    }

    /**
     * Writes the cursors of the last term again if there are none since ZooKeeper has lost its data; clients without one may have come. What an operator has deleted since is not missing: a
     * change leaves what was there before. Nor is what was removed while this server had the destination stopped or removed.
     *
     * @param lost those that ZooKeeper has lost; empty if it has not lost its data
     */
    private void continueAfterLoss(Kept former, List<SourceHost> source, List<Subscription> lost, CursorStore opened) {
        List<Subscription> found = opened.kept();
        if (lost.isEmpty() || found.equals(lost) || opened.isSetByOperator()) {
            return;
        }
        if (found.stream().anyMatch(client -> client.cursor() != null)) { // else no server has begun since
            if (!isOlder(found, lost)) { // else it is warned of that
                LOG.warn(
                        "ZooKeeper has lost its data, and has other cursors than this server had in its last term: instance={} cursors={} delivered={}"
                                + " remedy=if a server has begun without a cursor since, what came before that was skipped: stop the instance on all"
                                + " servers, and run sluice.sh cursor set {} --to FILE:OFFSET, or --time TIME, with what was delivered",
                        destination,
                        found,
                        lost,
                        destination);
            }
            return;
        }
        if (former.recall() != Recall.ALL || !isSameSource(former.source(), source)) {
            LOG.warn(
                    "ZooKeeper has lost its data, and the cursors that this server had in its last term are not used, since the instance was stopped, or"
                            + " has another source or start position now: instance={} cursors={} remedy=if they are to hold, stop the instance on all"
                            + " servers, and run sluice.sh cursor set {} --to FILE:OFFSET, or --time TIME",
                    destination,
                    lost,
                    destination);
            return;
        }
        opened.replaceAll(Stream.concat(
                        lost.stream(), found.stream().filter(client -> !isAmong(lost, client.clientId())))
                .toList());
        opened.flush();
        LOG.warn(
                "ZooKeeper has lost its data, and has the cursors that this server had in its last term again: instance={} cursors={}"
                        + " remedy=if it is to begin elsewhere, stop the instance on all servers, and run sluice.sh cursor set {} --to newest,"
                        + " or another position",
                destination,
                lost,
                destination);
    }

    private static boolean isAmong(List<Subscription> clients, int clientId) {
        return clients.stream().anyMatch(client -> client.clientId() == clientId);
    }

    /** Whether at least one host is the same, and the configured start position of the first one. */
    private static boolean isSameSource(List<SourceHost> before, List<SourceHost> now) {
        if (before.isEmpty() || now.isEmpty()) {
            return before.isEmpty() && now.isEmpty();
        }
        return before.get(0).start().equals(now.get(0).start())
                && before.stream().anyMatch(one -> now.stream().anyMatch(other -> isSameHost(one, other)));
    }

    private static boolean isSameHost(SourceHost one, SourceHost other) {
        return one.login().address().equals(other.login().address());
    }

    private static boolean isSame(CursorConfig one, CursorConfig other) {
        return one.kind() == other.kind()
                && switch (one.kind()) {
                    case FILE -> isSameDirectory(one.directory(), other.directory());
                    case ZOOKEEPER -> true;
                    case MEMORY -> false; // each instance has a new one
                };
    }

    /** Whether both paths lead to one directory, perhaps by a link: its file must not be opened twice. */
    private static boolean isSameDirectory(Path one, Path other) {
        try {
            return one.equals(other) || Files.isSameFile(one, other);
        } catch (IOException e) {
            return false; // one of them does not exist yet
        }
    }

    private void move(
            Kept former,
            List<SourceHost> source,
            CursorConfig location,
            CursorStore opened,
            Function<CursorConfig, CursorStore> opener) {
        if (former.inMemory() != null) {
            copy(former.inMemory().kept(), former, location, opened);
            return;
        }
        CursorStore from;
        try {
            from = opener.apply(former.location());
        } catch (CursorException e) {
            if (copy(readUnlocked(former, e), former, location, opened)) {
                warnOfLeft(former.location(), e);
            }
            return;
        }
        try {
            List<Subscription> found = from.kept();
            boolean isLost = found.isEmpty() && isSameSource(former.source(), source);
            boolean isMoved = copy(isLost ? former.lost() : found, former, location, opened);
            if (isMoved
                    && location.kind() != CursorKind.MEMORY
                    && former.location().kind() != CursorKind.ZOOKEEPER) {
                clearOut(from, former.location()); // else the next process, or another server, may continue there
            }
        } finally {
            close(from, former.location());
        }
    }

    /**
     * Reads a file that cannot be locked any more, as on a disk that has become read-only. To continue elsewhere is the remedy for that, but
     * not if the disk is not there: then the cursors would be lost.
     */
    private List<Subscription> readUnlocked(Kept former, CursorException notOpened) {
        FileCursorEditor file = editor(former.location());
        if (!notOpened.isOfLockFile()
                || file.holder(Optional.of("a process, perhaps")).isPresent()) {
            throw notOpened;
        }
        List<Subscription> clients = file.read();
        if (clients.isEmpty() && former.wasOpened()) {
            throw notOpened;
        }
        return clients;
    }

    /** Returns whether there were cursors to write. */
    private boolean copy(List<Subscription> clients, Kept former, CursorConfig location, CursorStore opened) {
        List<Subscription> there = opened.kept();
        if (clients.isEmpty() || clients.equals(there)) {
            return false;
        }
        if (!there.isEmpty() && former.inMemory() == null) {
            throw new CursorException(
                    ("the cursors of %s are to be moved from %s to %s, and there are others: delete those, or, if they are the right ones,"
                                    + " stop the server, and start it with the new configuration")
                            .formatted(destination, nameOf(former.location()), nameOf(location)));
        }
        opened.replaceAll(clients); // what is there was left when they were moved to memory
        opened.flush();
        if (former.inMemory() == null) {
            LOG.info(
                    "the cursors were moved: instance={} from={} to={} cursors={}",
                    destination,
                    nameOf(former.location()),
                    nameOf(location),
                    clients);
        }
        return true;
    }

    private FileCursorEditor editor(CursorConfig location) {
        return new FileCursorEditor(location.directory().resolve("..").normalize(), destination);
    }

    /** Closes one that is not used any more. */
    private void close(CursorStore unused, CursorConfig location) {
        try {
            unused.close();
        } catch (CursorException e) {
            warnOfLeft(location, e);
        }
    }

    /** As after a restart of the process with another configuration. Only reads the file: another server may use it. */
    private void warnOfFile(CursorConfig location) {
        try {
            List<Subscription> unused = editor(location).read();
            if (!unused.isEmpty()) {
                LOG.warn(
                        "cursors are kept in ZooKeeper, where there is none, and those in meta.dat are not used: instance={} directory={} cursors={}"
                                + " remedy=if reading is to continue there, stop the instance, and set its cursor to that position by sluice.sh cursor set",
                        destination,
                        location.directory(),
                        unused);
            }
        } catch (CursorException e) {
            LOG.warn(
                    "a cursor file that is not used cannot be read: instance={} cause={}",
                    destination,
                    String.valueOf(e.getMessage()));
        }
    }

    /** As after a restore of ZooKeeper, or when the last cursors of the earlier term could not be written. */
    private void warnOfOlder(Kept former, CursorConfig location, List<Subscription> stored) {
        CursorStore store = former.opened();
        if (store == null
                || former.recall() == Recall.NONE
                || location.kind() != CursorKind.ZOOKEEPER
                || former.location().kind() != CursorKind.ZOOKEEPER) {
            return;
        }
        List<Subscription> delivered = store.kept();
        if (isOlder(stored, delivered)) {
            LOG.warn(
                    "the stored cursor is older than what this server delivered in an earlier term: instance={} cursors={} delivered={}",
                    destination,
                    stored,
                    delivered);
        }
    }

    /** Whether that of a client is. */
    private static boolean isOlder(List<Subscription> stored, List<Subscription> delivered) {
        return stored.stream().anyMatch(now -> delivered.stream().anyMatch(before -> isOlder(now, before)));
    }

    private static boolean isOlder(Subscription now, Subscription before) {
        Cursor stored = now.cursor();
        Cursor delivered = before.cursor();
        return now.clientId() == before.clientId()
                && stored != null
                && delivered != null
                && stored.source().equals(delivered.source())
                && stored.position().compareTo(delivered.position()).orElse(0) < 0;
    }

    /** What is left there would be in the way if they are moved back one day. */
    private void clearOut(CursorStore left, CursorConfig location) {
        try {
            left.replaceAll(List.of());
            left.flush();
        } catch (CursorException e) {
            warnOfLeft(location, e);
        }
    }

    private void warnOfLeft(CursorConfig location, CursorException cause) {
        LOG.warn(
                "cursors that are not used any more cannot be deleted: instance={} location={} cause={}",
                destination,
                nameOf(location),
                String.valueOf(cause.getMessage()));
    }

    private static String nameOf(CursorConfig location) {
        return switch (location.kind()) {
            case FILE -> "directory " + location.directory();
            case ZOOKEEPER -> "ZooKeeper";
            case MEMORY -> "memory";
        };
    }
}
