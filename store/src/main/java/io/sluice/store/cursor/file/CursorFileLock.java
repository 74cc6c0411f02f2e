package io.sluice.store.cursor.file;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.file.PrivateFiles;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.text.FileStamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exclusive right to write the cursor file of a destination: a lock on {@code meta.dat.lock} beside it, in which the process that has
 * it is named. The system releases it when the process ends, however that happens; the file stays. If something else removes the file, the lock is taken again on
 * another one by {@link #keep}.
 *
 * <p>Two instances of a destination would both deliver everything, and each would overwrite the cursor of the other one. On a file system
 * without locks there is a warning, and the right is exclusive within this process only; a lock file that cannot be opened is an error. Thread-safe.
 */
final class CursorFileLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CursorFileLock.class);

    /** The byte that is locked, after all text: where locks are mandatory, the text can still be read. */
    private static final long LOCKED_BYTE = 1 << 20;

    private static final int MAX_TEXT = 200;

    /** How often a file is locked that is removed each time before it is known which one it is. */
    private static final int ATTEMPTS = 20;

    /**
     * The lock files that this process has locked. On POSIX systems, a process that closes any channel of a file loses all its locks on it,
     * so a lock file must not be opened a second time, whichever object has the lock.
     */
    @GuardedBy("MONITOR") private static final Set<Path> HELD_HERE = new HashSet<>();

    private static final Object MONITOR = new Object();

    private final Path cursorFile;
    private final String destination;
    private final ByteLock how;

    @GuardedBy("this") private Locked locked;

    /** Whether what is locked here is not any more, since it was opened a second time. */
    @GuardedBy("this") private boolean isDropped;

    @GuardedBy("this") private boolean isReleased;

    /**
     * What is locked.
     *
     * @param key in {@link #HELD_HERE}
     * @param channel that has the lock; null if there are no locks
     * @param file that has the lock; null if there are no locks
     */
    private record Locked(
            Path key,
            @Nullable FileChannel channel,
            @Nullable FileStamp file) {}

    /** Locks the byte of a lock file. */
    @FunctionalInterface
    interface ByteLock {
        /** Returns false if another process has it; an exception means that the file system has no locks. */
        boolean tryLock(FileChannel channel) throws IOException;
    }

    private CursorFileLock(Path cursorFile, String destination, ByteLock how, Locked locked) {
        this.cursorFile = cursorFile;
        this.destination = destination;
        this.how = how;
        this.locked = locked;
    }

    /**
     * Takes the lock of a cursor file, and makes the file's directory.
     *
     * @throws CursorException if another instance has it, in this process or in another one, or if the lock file cannot be opened
     */
    static CursorFileLock take(Path cursorFile, String destination) {
        return take(cursorFile, destination, channel -> channel.tryLock(LOCKED_BYTE, 1, false) != null);
    }

    /** As {@link #take(Path, String)}. */
    static CursorFileLock take(Path cursorFile, String destination, ByteLock lock) {
        return new CursorFileLock(cursorFile, destination, lock, locked(cursorFile, destination, lock, null));
    }

    /** @param before what this lock has locked until now; null if it is new */
    private static Locked locked(Path cursorFile, String destination, ByteLock lock, @Nullable Path before) {
        Path file = lockFile(cursorFile);
        Path key;
        try {
            if (before == null) {
                PrivateFiles.createDirectories(file.resolveSibling(""));
            }
            key = key(file);
        } catch (IOException e) {
            throw notOpened(cursorFile, file, e);
        }
        boolean isNew = !key.equals(before);
        synchronized (MONITOR) {
            if (isNew && !HELD_HERE.add(key)) {
                throw inUse(cursorFile, destination, file, "this process");
            }
        }
        boolean isTaken = false;
        try {
            Locked result = lockExisting(cursorFile, destination, file, key, lock);
            isTaken = true;
            return result;
        } finally {
            if (!isTaken && isNew) {
                forget(key);
            }
        }
    }

    /** Locks again if the file was removed meanwhile: others would lock another one, and it would not be seen later. */
    private static Locked lockExisting(Path cursorFile, String destination, Path file, Path key, ByteLock lock) {
        for (int attempt = 1; ; attempt++) {
            FileChannel channel = lock(cursorFile, destination, file, lock);
            if (channel == null) {
                return new Locked(key, null, null);
            }
            boolean isKept = false;
            try {
                FileStamp stamp = FileStamp.of(file);
                if (stamp != null) {
                    isKept = true;
                    return new Locked(key, channel, stamp);
                }
                if (attempt == ATTEMPTS) {
                    throw notOpened(cursorFile, file, new NoSuchFileException(file.toString(), null, "it is removed"));
                }
            } catch (IOException e) {
                throw notOpened(cursorFile, file, e);
            } finally {
                if (!isKept) {
                    closeQuietly(channel);
                }
            }
        }
    }

    /**
     * Takes the lock again if its file is not at its place any more, where others would lock another one. Makes no directory: one that was moved
     * away can be moved back.
     *
     * @return whether its file was at its place
     * @throws CursorException if the directory is gone, or if another instance or a command has that, or if it cannot be opened; the lock stays as it is
     */
    synchronized boolean keep() {
        Locked before = locked;
        Path file = lockFile(cursorFile);
        FileChannel channel = before.channel();
        if (isReleased || channel == null || before.file() == null) {
            return isReleased || channel != null || Files.exists(file); // without a channel there are no locks
        }
        try {
            if (!isDropped && before.file().isOfSameFile(FileStamp.of(file))) {
                return true;
            }
        } catch (IOException e) {
            throw notOpened(cursorFile, file, e);
        }
        Path directory = file.resolveSibling("");
        if (Files.notExists(directory)) {
            throw CursorException.ofMissingDirectory(
                    "the directory %s of the cursors was removed while the instance runs: put it back, the cursors are written as soon as it is there"
                            .formatted(directory));
        }
        locked = lockAgain(before);
        isDropped = false;
        closeQuietly(channel);
        if (!locked.key().equals(before.key())) {
            forget(before.key());
        }
        LOG.warn(
                "the lock file of the cursors was removed or replaced while the instance runs, and is locked again: instance={} file={}"
                        + " remedy=leave the files beside the cursors in place, or set canal.file.data.dir to a directory that no deployment replaces",
                destination,
                file);
        return false;
    }

    /**
     * Locks what is at the place now. If that is the file that is locked already, as one that was moved away and back, it was opened a second time, which
     * has released its lock, and is locked from the beginning.
     */
    @GuardedBy("this") private Locked lockAgain(Locked before) {
        try {
            return locked(cursorFile, destination, this::tryLockAgain, before.key());
        } catch (OverlappingFileLockException e) {
            isDropped = true;
            closeQuietly(Objects.requireNonNull(before.channel())); // which the Java runtime still takes to be locked
            return locked(cursorFile, destination, this::tryLockAgain, before.key());
        }
    }

    /** There were locks before, so that a failure may pass; the lock stays as it is. */
    private boolean tryLockAgain(FileChannel channel) throws IOException {
        try {
            return how.tryLock(channel);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            throw CursorException.ofLockFile(
                    "cursor file %s cannot be locked: %s: check the locks of its file system".formatted(cursorFile, e),
                    e);
        }
    }

    /** The channel that has the lock; null if there are no locks. */
    private static @Nullable FileChannel lock(Path cursorFile, String destination, Path file, ByteLock lock) {
        FileChannel channel;
        try {
            channel = PrivateFiles.openOrCreate(file);
        } catch (IOException e) {
            throw notOpened(cursorFile, file, e);
        }
        boolean isKept = false;
        try {
            if (!lock.tryLock(channel)) {
                throw inUse(cursorFile, destination, file, process(text(channel)));
            }
            nameThisProcess(channel, destination, file);
            isKept = true;
            return channel;
        } catch (ClosedChannelException e) { // by an interrupt of this thread, which is to stop
            throw notOpened(cursorFile, file, e);
        } catch (IOException e) {
            warn(destination, file, e);
            return null;
        } finally {
            if (!isKept) {
                closeQuietly(channel);
            }
        }
    }

    /**
     * Names this process in a file that it has locked. The lock is kept if it cannot, as on a disk that is full: it holds without the name.
     *
     * @throws ClosedChannelException if the channel was closed, as by an interrupt of this thread: the lock is lost
     */
    private static void nameThisProcess(FileChannel channel, String destination, Path file)
            throws ClosedChannelException {
        try {
            channel.truncate(0); // or a former process would be named
            channel.write(StandardCharsets.UTF_8.encode(thisProcess()), 0);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            LOG.warn(
                    "the cursor file is locked, but the lock file does not name this process: instance={} file={} cause={}",
                    destination,
                    file,
                    e.toString());
        }
    }

    /**
     * The process that has the lock, for a sentence; empty if there is none.
     *
     * @param otherwise the answer if that cannot be determined, since there are no locks
     */
    static Optional<String> holder(Path cursorFile, Optional<String> otherwise) {
        Path file = lockFile(cursorFile);
        try {
            Path key = key(file);
            synchronized (
                    MONITOR) { // until the channel is closed, or that would take away a lock that was taken meanwhile
                if (HELD_HERE.contains(key)) {
                    return Optional.of("this process");
                }
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    return channel.tryLock(LOCKED_BYTE, 1, true) == null
                            ? Optional.of(process(text(channel)))
                            : Optional.empty();
                }
            }
        } catch (NoSuchFileException e) {
            return Optional.empty(); // no instance was started here yet
        } catch (IOException e) {
            return otherwise;
        }
    }

    private static void forget(Path key) {
        synchronized (MONITOR) {
            HELD_HERE.remove(key);
        }
    }

    private static Path lockFile(Path cursorFile) {
        return cursorFile.resolveSibling(cursorFile.getFileName() + ".lock");
    }

    private static Path key(Path file) throws IOException {
        return file.resolveSibling("").toRealPath().resolve(file.getFileName());
    }

    private static CursorException inUse(Path cursorFile, String destination, Path file, String owner) {
        return CursorException.ofUse(
                ("cursor file %s is in use by an instance %s of %s (lock file %s), and two would deliver everything twice and overwrite"
                                + " each other's cursor: stop the other one, or set a canal.file.data.dir of its own for this server")
                        .formatted(cursorFile, destination, owner, file));
    }

    private static CursorException notOpened(Path cursorFile, Path file, IOException cause) {
        String what = "cursor file %s cannot be locked, since its lock file %s cannot be opened: %s: "
                .formatted(cursorFile, file, cause);
        return cause instanceof ClosedChannelException
                ? new CursorException(what + "the start was interrupted", cause)
                : CursorException.ofLockFile(what + remedy(file), cause);
    }

    private static String remedy(Path file) {
        Path directory = file.resolveSibling("");
        boolean isWritable = Files.isDirectory(directory)
                && Files.isWritable(directory)
                && (!Files.exists(file, LinkOption.NOFOLLOW_LINKS) || Files.isWritable(file));
        return isWritable
                ? "remove that cause, for example by free space on the disk of %s".formatted(directory)
                : "the user of this process must be able to write the directory %s and its files, also those that a command of another user has created"
                        .formatted(directory);
    }

    private static void warn(String destination, Path file, IOException cause) {
        LOG.warn(
                "the cursor file cannot be locked, so a second server with the same canal.file.data.dir would not be rejected:"
                        + " instance={} file={} cause={}",
                destination,
                file,
                cause.toString());
    }

    private static String thisProcess() {
        String host;
        try {
            host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            host = "";
        }
        return ProcessHandle.current().pid() + (host.isEmpty() ? "" : " on " + host) + "\n";
    }

    /** The process ids of containers, or of hosts that share a directory, may be the same: so the host is named. */
    private static String process(String text) {
        return text.isEmpty() ? "another process" : "process " + text;
    }

    /** The name in a lock file; empty if it cannot be read, which does not mean that there is no lock. */
    private static String text(FileChannel channel) {
        ByteBuffer bytes = ByteBuffer.allocate(MAX_TEXT);
        try {
            channel.read(bytes, 0);
        } catch (IOException e) {
            LOG.debug("a lock file cannot be read", e);
            return "";
        }
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString().strip();
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("a lock file cannot be closed", e);
        }
    }

    /** Releases it; a second call does nothing. */
    @Override
    public synchronized void close() {
        if (isReleased) {
            return;
        }
        isReleased = true;
        if (locked.channel() != null) {
            closeQuietly(locked.channel());
        }
        forget(locked.key()); // after the channel is closed, which would take away the lock of the next one
    }
}
