package io.sluice.store.cursor.file;

import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.FlushTimer;
import io.sluice.store.text.AtomicFile;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorLog;
import io.sluice.store.text.DurableText;
import io.sluice.store.cursor.ClientCursorStore;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.position.CursorFormatException;
import io.sluice.protocol.time.Time;
import java.io.File;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the clients in canal's file {@code <dir>/<destination>/meta.dat}.
 *
 * <p>The file is read once, when the store is opened, and replaced as a whole: a new one is written beside it, forced to the
 * disk, and renamed over it. So a crash leaves either the old or the new cursor, and a file that is empty or torn was
 * damaged by something else; it is rejected, since to take it for "no cursor" would skip all changes up to now.
 *
 * <p>It is locked from {@link #open(Path, String, ScheduledExecutorService, Duration, Time) open} to {@link #close}: a second store of the same file
 * is rejected, also in another process. Each flush checks that both files are still there: deployments replace the directory in which they are by default.
 */
public final class FileCursorStore extends ClientCursorStore {
    /** The name of the file, in the directory of its destination. */
    public static final String FILE_NAME = "meta.dat";

    private static final Logger LOG = LoggerFactory.getLogger(FileCursorStore.class);

    private final DurableText text;
    private final String destination;
    private final FlushTimer timer;

    /** Null if the text is not in a file of ours. */
    private final @Nullable CursorFileLock lock;

    /** How long another one must have the lock to be more than a command. */
    private final long useNanos;

    private final Time time;

    private final Object writing = new Object();

    @GuardedBy("writing") private final MetaFile file;

    @GuardedBy("writing") private List<Subscription> written;

    /** Whether the newest write has failed, so that it may be in place nevertheless, and not what was {@link #written}. */
    @GuardedBy("writing") private boolean isUncertain;

    @GuardedBy("writing") private boolean closed;

    /** Since when, in nanoseconds, flushes have found the file locked by another one, which may be a command that is about to end; null if they have not. */
    @GuardedBy("writing") private @Nullable Long inUseSinceNanos;

    /** Whether the end could not write the file, and there is none: one with older cursors that is removed later is removed by an operator. */
    @GuardedBy("writing") private boolean isLeftUnwritten;

    /** What something else has done to the file, which no write has mended yet; null if it has done nothing. */
    @GuardedBy("writing") private @Nullable String damage;

    /** Whether the instance has failed, so that an operator may change the file. */
    private volatile boolean hasFailed;

    /** What an operator has done to the file since then, as the newest flush has found it, which is logged once; null if it is to be as written here. */
    @GuardedBy("writing") private @Nullable String leftAs;

    /** Whether the newest flush could not check the lock, which is logged once. */
    @GuardedBy("writing") private boolean isLockInDoubt;

    /** Why nothing is written any more: another process has the lock; null if it has not. */
    @GuardedBy("writing") private @Nullable CursorException loss;

    @GuardedBy("writing") private @Nullable Consumer<? super CursorException> lossListener;

    @GuardedBy("writing") private @Nullable Runnable restoredListener;

    private FileCursorStore(
            DurableText text,
            String destination,
            MetaFile file,
            @Nullable CursorFileLock lock,
            ScheduledExecutorService scheduler,
            Duration flushPeriod,
            Time time) {
        super(file.subscriptions());
        this.text = text;
        this.destination = destination;
        this.file = file;
        this.lock = lock;
        this.written = file.subscriptions();
        this.time = time;
        this.useNanos = Math.max(flushPeriod.toNanos(), Duration.ofSeconds(1).toNanos());
        this.timer = new FlushTimer(this::flush, text.location(), scheduler, flushPeriod, time);
    }

    /**
     * Locks the file, reads it, if there is one, and begins to write it.
     *
     * @param dir {@code canal.file.data.dir}; made if it does not exist
     * @param destination the instance's name, the name of the file's directory
     * @param scheduler runs the writes; it is not shut down by {@link #close}
     * @param flushPeriod {@code canal.file.flush.period}: how long a cursor waits before it is written; more than 0
     * @param time measures for how long writing fails
     * @throws CursorException if the file is there but is not this destination's cursor file, or cannot be read, or if another
     *     store of it is open, in this process or in another one
     */
    public static FileCursorStore open(
            Path dir, String destination, ScheduledExecutorService scheduler, Duration flushPeriod, Time time) {
        Path path = path(dir, destination);
        CursorFileLock lock = CursorFileLock.take(path, destination);
        try {
            return open(AtomicFile.inDirectory(path), destination, lock, scheduler, flushPeriod, time);
        } catch (RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Reads the clients from a text in the format of the file, if there is one, and begins to write it, without a lock; the other parameters are those
     * of {@link #open(Path, String, ScheduledExecutorService, Duration, Time)}.
     */
    public static FileCursorStore open(
            DurableText text, String destination, ScheduledExecutorService scheduler, Duration flushPeriod, Time time) {
        return open(text, destination, null, scheduler, flushPeriod, time);
    }

    private static FileCursorStore open(
            DurableText text,
            String destination,
            @Nullable CursorFileLock lock,
            ScheduledExecutorService scheduler,
            Duration flushPeriod,
            Time time) {
        MetaFile file = read(text, destination);
        try {
            return new FileCursorStore(text, destination, file, lock, scheduler, flushPeriod, time);
        } catch (IllegalArgumentException e) {
            throw damaged(text, destination, e);
        }
    }

    /** The file of a destination below {@code dir}. */
    static Path path(Path dir, String destination) {
        if (destination.isEmpty()
                || destination.contains("/")
                || destination.contains(File.separator)
                || destination.equals(".")
                || destination.equals("..")) {
            throw new IllegalArgumentException("a destination's name must be a directory's name: " + destination);
        }
        return dir.resolve(destination).resolve(FILE_NAME);
    }

    /**
     * Reads a file.
     *
     * @throws CursorException if it is there but is not this destination's cursor file, or cannot be read
     */
    static MetaFile read(Path path, String destination) {
        return read(new AtomicFile(path), destination);
    }

    private static MetaFile read(DurableText text, String destination) {
        try {
            return MetaFile.parse(text.read(), destination);
        } catch (NoSuchFileException e) {
            return MetaFile.empty(destination);
        } catch (CharacterCodingException e) {
            throw damaged(text, destination, new IllegalArgumentException("it is not UTF-8 text", e));
        } catch (IOException e) {
            throw new CursorException(
                    "cursor file %s cannot be read: %s: check its permissions and its disk"
                            .formatted(text.location(), e),
                    e);
        } catch (IllegalArgumentException e) {
            throw damaged(text, destination, e);
        }
    }

    /** What is wrong, and what to do first. */
    private static String remedied(IllegalArgumentException what) {
        return what instanceof CursorFormatException known && known.hasRemedy()
                ? String.valueOf(known.getMessage())
                : what.getMessage() + ": restore it from a copy";
    }

    private static CursorException damaged(DurableText text, String destination, IllegalArgumentException what) {
        String commands = what instanceof ForeignCursorsException foreign ? foreign.commands(destination) : "";
        if (!commands.isEmpty()) {
            return CursorException.ofDamage(
                    ("cursor file %1$s cannot be used: %2$s; if the instance was renamed, continue at the position of the file: %3$s; if the instance was not"
                                    + " renamed, restore the file of this instance from a copy, or set where to continue: bin/sluice.sh cursor set %4$s --time TIME, or --to"
                                    + " FILE:OFFSET")
                            .formatted(text.location(), what.getMessage(), commands, destination),
                    what);
        }
        return CursorException.ofDamage(
                ("cursor file %1$s cannot be used: %2$s; or set where to continue: bin/sluice.sh cursor set %3$s --time TIME, or --to"
                                + " FILE:OFFSET; or, if it is there, take %1$s.previous, which is from before the last change by an operator:"
                                + " bin/sluice.sh cursor restore %3$s")
                        .formatted(text.location(), remedied(what), destination),
                what);
    }

    /**
     * Writes the clients as they are now, unless they are certainly written so, and the file is still there.
     *
     * @throws CursorException if it could not be written; the file is as it was, or has them nevertheless. Or if another process has locked it
     */
    @Override
    public void flush() {
        Runnable listener = write();
        if (listener != null) {
            try {
                listener.run();
            } catch (RuntimeException e) { // the cursors are written nevertheless
                LOG.error(
                        "a cursor file was written again, but not what belongs to it: instance={} file={}",
                        destination,
                        text.location(),
                        e);
            }
        }
    }

    /** Returns what is to be called, since the file was removed or damaged; null if it was not. */
    private @Nullable Runnable write() {
        synchronized (writing) {
            List<Subscription> newest = kept();
            boolean isWritten = newest.equals(written) && !isUncertain;
            if (closed && isWritten) {
                return null;
            }
            if (closed) { // by a client that subscribes late: the next store of the file may have written newer cursors
                throw new CursorException("cursor file %s is closed".formatted(text.location()));
            }
            boolean mayBeLeft = keepLock() && hasFailed && damage == null;
            String found = damageOfFile();
            if (mayBeLeft && found != null) {
                leave(found, newest);
                return null;
            }
            leftAs = null;
            damage = found;
            if (isWritten && damage == null) {
                return null;
            }
            file.setSubscriptions(newest);
            isUncertain = true;
            try {
                text.replace(file.text());
            } catch (IOException e) {
                if (damage == null && e instanceof NoSuchFileException) {
                    damage = "removed";
                }
                throw new CursorException(
                        "cursor file %s cannot be written: %s: check its permissions and its disk"
                                .formatted(text.location(), e),
                        e);
            }
            if (damage != null) {
                warnOfDamage(damage, newest);
            }
            CursorLog.written(destination, written, newest);
            written = newest;
            isUncertain = false;
            boolean isRestored = damage != null;
            damage = null;
            return isRestored ? restoredListener : null;
        }
    }

    /**
     * Returns whether the lock file is the one that was locked before.
     *
     * @throws CursorException if another one has the lock of the file now, or if the directory is gone
     */
    @GuardedBy("writing") private boolean keepLock() {
        if (loss != null) {
            throw loss;
        }
        if (lock == null) {
            return true;
        }
        try {
            boolean isInPlace = lock.keep();
            inUseSinceNanos = null;
            isLockInDoubt = false;
            return isInPlace;
        } catch (CursorException e) {
            if (e.isOfLockFile()) { // the cursors matter more, and the former lock is still held
                inUseSinceNanos = null;
                warnOfLock(e);
                return false;
            }
            if (!e.isOfUse()) {
                inUseSinceNanos = null;
            } else if (inUseSinceNanos == null) {
                inUseSinceNanos = time.nanos();
            } else if (time.nanos() - inUseSinceNanos >= useNanos) {
                lose(e);
            }
            throw e;
        }
    }

    @GuardedBy("writing") private void warnOfLock(CursorException cause) {
        if (!isLockInDoubt) {
            isLockInDoubt = true;
            LOG.warn(
                    "the lock file of the cursors was removed or replaced while the instance runs, and cannot be locked again; the cursors are written:"
                            + " instance={} file={} cause={}",
                    destination,
                    text.location(),
                    String.valueOf(cause.getMessage()));
        }
    }

    @GuardedBy("writing") private void lose(CursorException cause) {
        loss = new CursorException(
                "the lock file of the cursors was removed or replaced while the instance ran, and another one has locked the next: "
                        + cause.getMessage(),
                cause);
        LOG.error(
                "another process has locked the cursor file, and the newest cursors of this one are not written: instance={} file={} cursors={}"
                        + " remedy=if the other one began at later cursors, stop it, and set these by sluice.sh cursor set",
                destination,
                text.location(),
                kept());
        if (lossListener != null) {
            lossListener.accept(loss);
        }
    }

    @Override
    public void onLoss(Consumer<? super CursorException> listener) {
        synchronized (writing) {
            lossListener = listener;
            if (loss != null) {
                listener.accept(loss);
            }
        }
    }

    /** What something else has done to the file since it was written or read here; null if it is as it was. */
    @GuardedBy("writing") private @Nullable String damageOfFile() {
        if (damage != null) {
            return damage;
        }
        if (isUncertain || (leftAs == null && !text.mayDiffer())) { // what was left may be put back
            return null;
        }
        try {
            boolean isSame =
                    MetaFile.parse(text.read(), destination).subscriptions().equals(written);
            return isSame ? null : "replaced";
        } catch (NoSuchFileException e) {
            return "removed";
        } catch (IOException | IllegalArgumentException e) {
            return "damaged";
        }
    }

    @GuardedBy("writing") private void leave(String what, List<Subscription> newest) {
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

    private void warnOfDamage(String what, List<Subscription> newest) {
        LOG.warn(
                "a cursor file that something else has removed or changed is written again: instance={} file={} was={} cursors={}"
                        + " remedy=change cursors by sluice.sh cursor while the instance is stopped, and set canal.file.data.dir to a directory that no deployment replaces",
                destination,
                text.location(),
                what,
                newest);
    }

    @Override
    public Duration unwritten() {
        return timer.overdue();
    }

    @Override
    public void close() {
        if (timer.close()) {
            try {
                if (!isLost()) {
                    writeAtEnd();
                }
            } finally {
                end();
            }
        }
    }

    private void writeAtEnd() {
        try {
            flush();
        } catch (CursorException e) {
            synchronized (writing) {
                isLeftUnwritten = loss == null && !e.isOfUse() && isMissing();
            }
            LOG.warn(
                    "the instance ends, and its newest cursors could not be written: instance={} file={} cursors={} cause={}"
                            + " remedy=if the file is not there before the next start, set them by sluice.sh cursor set",
                    destination,
                    text.location(),
                    kept(),
                    String.valueOf(e.getMessage()));
            if (!e.isOfMissingDirectory()) { // as of an instance that was removed with its directory
                throw e;
            }
        }
    }

    private boolean isMissing() {
        try {
            text.read();
            return false;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public boolean isLeftUnwritten() {
        synchronized (writing) {
            return isLeftUnwritten;
        }
    }

    @Override
    public void leaveToOperator() {
        hasFailed = true;
    }

    @Override
    public boolean isLeftToOperator() {
        synchronized (writing) {
            return leftAs != null;
        }
    }

    @Override
    public void onRestored(Runnable listener) {
        synchronized (writing) {
            restoredListener = listener;
        }
    }

    private boolean isLost() {
        synchronized (writing) {
            return loss != null;
        }
    }

    private void end() {
        synchronized (writing) {
            closed = true;
            restoredListener = null;
            lossListener = null; // which may hold an instance, while this is kept for what it knows
        }
        if (lock != null) {
            lock.close();
        }
    }
}
