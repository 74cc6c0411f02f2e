package io.sluice.store.cursor.file;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.ClientCursorStore;
import io.sluice.store.cursor.ClientsJson;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorLog;
import io.sluice.store.cursor.FlushTimer;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.text.AtomicFile;
import io.sluice.store.text.DurableText;
import java.io.IOException;
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
    public static final String FILE_NAME = CursorFile.NAME;

    private static final Logger LOG = LoggerFactory.getLogger(FileCursorStore.class);

    private final DurableText text;
    private final String destination;
    private final FlushTimer timer;

    /** Null if the text is not in a file of ours. */
    private final @Nullable CursorFileLock lock;

    private final Object writing = new Object();

    /** Whether the instance has failed, so that an operator may change the file. */
    private volatile boolean hasFailed;

    @GuardedBy("writing") private final OutsideChanges changes;

    @GuardedBy("writing") private final LockKeeping lockKeeping;

    @GuardedBy("writing") private final ClientsJson file;

    @GuardedBy("writing") private List<Subscription> written;

    /** Whether the newest write has failed, so that it may be in place nevertheless, and not what was {@link #written}. */
    @GuardedBy("writing") private boolean isUncertain;

    @GuardedBy("writing") private boolean closed;

    /** Whether the end could not write the file, and there is none: one with older cursors that is removed later is removed by an operator. */
    @GuardedBy("writing") private boolean isLeftUnwritten;

    @GuardedBy("writing") private @Nullable Runnable restoredListener;

    private FileCursorStore(
            DurableText text,
            String destination,
            ClientsJson file,
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
        this.changes = new OutsideChanges(text, destination);
        this.lockKeeping = new LockKeeping(lock, destination, text.location(), flushPeriod, time);
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
        Path path = CursorFile.path(dir, destination);
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
        ClientsJson file = CursorFile.read(text, destination);
        try {
            return new FileCursorStore(text, destination, file, lock, scheduler, flushPeriod, time);
        } catch (IllegalArgumentException e) {
            throw CursorFile.damaged(text, destination, e);
        }
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
            boolean isLocked = lockKeeping.keep(newest);
            changes.look(isLocked && hasFailed, isUncertain ? null : written, newest);
            boolean isDamaged = changes.areToBeMended();
            if (changes.areLeft() || isWritten && !isDamaged) {
                return null;
            }
            file.setSubscriptions(newest);
            isUncertain = true;
            try {
                text.replace(file.text());
            } catch (IOException e) {
                changes.onFailedWrite(e);
                throw new CursorException(
                        "cursor file %s cannot be written: %s: check its permissions and its disk"
                                .formatted(text.location(), e),
                        e);
            }
            CursorLog.written(destination, written, newest);
            written = newest;
            isUncertain = false;
            changes.onWrite(newest);
            return isDamaged ? restoredListener : null;
        }
    }

    @Override
    public void onLoss(Consumer<? super CursorException> listener) {
        synchronized (writing) {
            lockKeeping.onLoss(listener);
        }
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
                isLeftUnwritten = !lockKeeping.isLost() && !e.isOfUse() && isMissing();
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
            return changes.areLeft();
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
            return lockKeeping.isLost();
        }
    }

    private void end() {
        synchronized (writing) {
            closed = true;
            restoredListener = null;
            lockKeeping.forgetListener();
        }
        if (lock != null) {
            lock.close();
        }
    }
}
